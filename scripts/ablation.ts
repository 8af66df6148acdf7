// npm run ablation: measures the Elo of each part of the search or the evaluation. It plays the engine against itself with one part
// disabled at a time, and prints the rows of a Markdown table. The same command continues an interrupted run.

import '../engine/kernel-node.js';
import { join } from 'node:path';
import { FAMILIES, TERMS } from '../engine/eval/terms.js';
import { SEARCH_PARTS } from '../engine/search/params.js';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { choice, list, parsed, type SettingsOf, whole } from '../selfplay/common/options.js';
import { loadWeights } from '../selfplay/common/weights.js';
import type { EngineSpec } from '../selfplay/engines/process.js';
import { ownEngine } from '../selfplay/engines/spec.js';
import { type GameLimits, parseTimeControl, timeControlTag } from '../selfplay/games/clock.js';
import { DEFAULT_LIMITS } from '../selfplay/series/game-settings.js';
import { HEFT } from '../tuner/model/heft.js';
import { writeWeights } from '../tuner/weights/weights-file.js';
import { countsText, eloText, playStudyMatch, studyOptions } from './study-match.js';

/** Adjudicates decided games, because endgame technique is not tested. */
const ADJUDICATION = {
  draw: { moveNumber: 34, moveCount: 8, score: 20 },
  resign: { moveCount: 3, score: 600, twoSided: false },
};

const OPTIONS = {
  of: choice('part of the engine to measure: search or evaluation', ['search', 'evaluation'], { default: 'search' }),
  games: whole('games per part', { min: 2, even: true, default: 400 }),
  nodes: whole('nodes per move, hard limit', { min: 1, default: 3000 }),
  tc: parsed('time control in seconds instead of nodes, for example 1+0.01', parseTimeControl),
  only: list("parts to disable, one at a time; 'razoring + null move' counts as one part", { defaultText: 'all' }),
  ...studyOptions('ablation'),
};

type Arguments = SettingsOf<typeof OPTIONS>;

async function ablate(args: Arguments): Promise<void> {
  const parts = args.of === 'search' ? Object.keys(SEARCH_PARTS) : Object.keys(FAMILIES);
  const { only = parts } = args;
  const unknown = only.flatMap(together).find((part) => !parts.includes(part));
  if (unknown !== undefined) throw new UserError(`--only takes ${parts.join(', ')}; not '${unknown}'`, 2);

  const limits: GameLimits = {
    ...DEFAULT_LIMITS,
    ...(args.tc === undefined ? { nodes: args.nodes } : { tc: args.tc }),
  };
  for (const part of only) process.stdout.write(`${await row(part, limits, args)}\n`);
}

/** Returns the parts in one value of `--only`. */
const together = (parts: string): string[] => parts.split(/ *\+ */);

/** Plays the match of the full engine against the one without the part; returns its table row. */
async function row(part: string, limits: GameLimits, args: Arguments): Promise<string> {
  const pace = (args.tc === undefined ? `${args.nodes} nodes` : timeControlTag(limits)).replace('/', ' in ');
  const engines = [ownEngine('shipped', { name: 'whole' }), engineWithout(part, args)];
  const { games, seed, workers, out } = args;
  const result = await playStudyMatch({
    engines: engines.map((spec) => ({ spec, limits })),
    ...ADJUDICATION,
    order: 'sequential',
    seed,
    games,
    workers,
    out: join(out, `${pace}, without ${part}`.replaceAll(/[ ,+]+/g, '-')),
  });
  return `| ${part} | ${eloText(result)} | ${countsText(result)} |`;
}

function engineWithout(part: string, { of, out }: Arguments): EngineSpec {
  const name = `without ${part}`;
  if (of === 'search') {
    const spec = ownEngine('shipped', { name });
    const values = together(part).flatMap((single) => Object.entries(SEARCH_PARTS[single]));
    const options = values.map(([param, value]) => [param, String(value)]);
    return { ...spec, args: [...spec.args, '--tune-options'], options: Object.fromEntries(options) };
  }
  const { terms, provenance } = loadWeights('shipped');
  const disabled = TERMS.filter(({ family }) => family !== null && together(part).includes(family));
  const without = disabled.map((term) => term.name);
  const zeros = without.map((term) => [term, terms[term].map(() => [0, 0])]);
  const file = join(out, `${name.replaceAll(/[ +]+/g, '-')}.json`);
  writeWeights(HEFT, file, {
    provenance: { ...provenance, without },
    terms: { ...terms, ...Object.fromEntries(zeros) },
  });
  return ownEngine(file, { name });
}

await runOnly('ablation', 'measure the Elo of parts of the engine by disabling them in matches', OPTIONS, ablate);
