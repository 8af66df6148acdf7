// `npm run spsa -- apply RUN`: plays a match of a run's values against the shipped ones and writes them into the sources if they win.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { interruptSignal } from '../../selfplay/common/interrupt.js';
import { ownEngine } from '../../selfplay/engines/engine-spec.js';
import { describeLimits, type GameLimits } from '../../selfplay/games/clock.js';
import { runMatch } from '../../selfplay/match/match.js';
import { reportLines } from '../../selfplay/match/match-report.js';
import type { MatchResult } from '../../selfplay/match/match-result.js';
import { MatchStatus } from '../../selfplay/match/match-status.js';
import { gameSettings, limitsOf, merged } from '../../selfplay/series/game-settings.js';
import { conditionsOf, type MatchSettings } from '../../selfplay/series/series-settings.js';
import { DEFAULT_SPRT, sprtSettings } from '../../selfplay/statistics/sprt.js';
import { rebuild } from '../weights/compile.js';
import { writeWeights } from '../weights/weights-file.js';
import type { ApplyOptions } from './spsa-options.js';
import { readResult, type SpsaResult } from './spsa-result.js';
import { tunableEngine } from './spsa-settings.js';
import { shortNumber } from './variable.js';
import { type Tuned, tunedOf, writeBack } from './write-back.js';

/** Plays the match of a run's values, or what is left of it, and writes the values back if they have won. */
export async function applyCommand(options: ApplyOptions): Promise<void> {
  const run = readResult(options.run);
  if (run.weights === null) {
    throw new UserError(
      `${options.run} tuned ${run.engine ?? 'nothing that plays'}: only values of our own engine are written back`,
    );
  }
  const tuned = tunedOf(run, options.values, options.only);
  for (const { name, from, to } of tuned.changes) console.log(`${name}: ${shortNumber(from)} -> ${shortNumber(to)}`);
  if (tuned.changes.length === 0)
    throw new UserError(`${options.run}: the values, rounded, are those of the start: nothing to apply`);
  const settings = options.result === undefined ? matchSettings(options, run, tuned) : null;
  const match = settings === null ? givenResult(options.result as string) : await play(settings);
  if (!match.finished) {
    console.log('Interrupted: the same command continues');
    return;
  }
  for (const line of reportLines(match)) console.log(line);
  const hasWon = match.verdict === null ? match.los >= options.minLos / 100 : match.verdict === 'H1';
  const applied = hasWon && options.write;
  if (applied) {
    writeBack(run, tuned, match, settings === null ? undefined : conditionsOf(settings));
    rebuild();
  }
  console.log(
    hasWon ? (applied ? APPLIED : 'Won; not written back, as asked') : 'Not applied: the values have not won the match',
  );
  writeSummary(options.json, { changes: tuned.changes, match, won: hasWon, applied });
}

const APPLIED =
  'Applied: the sources hold the new values and dist/ is rebuilt. The bench has changed: put its nodes into test/data/bench.txt,\n' +
  'and the lines above and `Bench: N` into the commit.';

function matchSettings(options: ApplyOptions, run: SpsaResult, tuned: Tuned): MatchSettings {
  const out = options.out ?? join(options.run, options.only === 'all' ? 'match' : `match-${options.only}`);
  const weights = tuned.weights === null ? (run.weights?.name ?? 'shipped') : join(options.run, 'weights.json');
  if (tuned.weights !== null) writeWeights(weights, tuned.weights);
  const hash = options.hash === undefined ? {} : { Hash: String(options.hash) };
  const candidate = tunableEngine(weights, 'tuned');
  const own = limitsOf(options);
  const isLimited = [own.tc, own.movetime, own.nodes, own.depth].some((limit) => limit !== undefined);
  const limits: GameLimits = isLimited || run.limits === null ? merged(own, {}) : run.limits;
  return {
    engines: [
      { spec: { ...candidate, options: { ...hash, ...tuned.options } }, limits },
      { spec: { ...ownEngine('shipped', { name: 'shipped' }), options: hash }, limits },
    ],
    ...gameSettings(options),
    games: options.games,
    out,
    ...(options.sprt && { sprt: sprtSettings({ ...DEFAULT_SPRT, ...options }) }),
  };
}

async function play(settings: MatchSettings): Promise<MatchResult> {
  const status = new MatchStatus(settings);
  const [{ limits }] = settings.engines;
  status.note(`tuned - shipped (${describeLimits(limits)}): ${settings.games} games, in ${settings.out}`);
  const result = await runMatch(settings, {
    ...{ signal: interruptSignal(), keys: true },
    onProgress: (now) => status.update(now),
    onWarning: (message) => status.note(`warning: ${message}`),
  });
  status.clear();
  return result;
}

function givenResult(file: string): MatchResult {
  let result: MatchResult;
  try {
    result = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`--result: cannot read ${file}: ${(error as Error).message}`);
  }
  if (result.finished !== true || !Array.isArray(result.penta) || typeof result.los !== 'number') {
    throw new UserError(`--result: ${file} is not the result of a finished match`);
  }
  return result;
}
