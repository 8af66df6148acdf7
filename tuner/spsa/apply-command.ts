// `npm run spsa -- apply RUN`: plays a match of a run's values against the shipped ones and writes them into the sources if they win.

import { join } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { claimOutputs } from '../../selfplay/common/outputs.js';
import { isClone } from '../../selfplay/common/program.js';
import { ownEngine } from '../../selfplay/engines/spec.js';
import type { GameLimits } from '../../selfplay/games/clock.js';
import type { MatchResult, MatchSettings } from '../../selfplay/match/match.js';
import { playMatch } from '../../selfplay/match/play.js';
import { gameSettings, isLimited, limitsOf, merged } from '../../selfplay/series/game-settings.js';
import { JOURNAL } from '../../selfplay/series/journal.js';
import { conditionsOf } from '../../selfplay/series/settings.js';
import { DEFAULT_SPRT, sprtSettings } from '../../selfplay/statistics/sprt.js';
import { HEFT } from '../model/heft.js';
import { rebuild } from '../weights/compile.js';
import { writeWeights } from '../weights/weights-file.js';
import type { ApplyOptions } from './options.js';
import { readResult, type SpsaResult } from './result.js';
import { tunableEngine } from './settings.js';
import { shortNumber } from './variable.js';
import { type Tuned, tunedOf, writeBack } from './write-back.js';

/** Plays or continues the match of a run's values. Writes the values to the sources if they win. */
export async function applyCommand(options: ApplyOptions, given: Partial<ApplyOptions>): Promise<void> {
  const run = readResult(options.run);
  if (run.weights === null) {
    throw new UserError(
      `${options.run} tuned ${run.engine ?? 'a simulation'}; only values of Heft can be written back`,
    );
  }
  if (options.write && !isClone()) {
    throw new UserError(
      'apply requires a clone of the repository, not the package; --no-write plays only the match',
      2,
    );
  }
  const tuned = tunedOf(run, options.values, options.only);
  if (run.params === undefined && Object.keys(tuned.options).length > 0)
    process.stderr.write(`warning: ${options.run} does not record the parameters at its start; ${CHECK_PARAMS}\n`);
  for (const { name, from, to } of tuned.changes) console.log(`${name}: ${shortNumber(from)} -> ${shortNumber(to)}`);
  if (tuned.changes.length === 0)
    throw new UserError(`${options.run}: the rounded values equal those of the sources; nothing to apply`);
  const settings = applySettings({ ...options, sprt: wantsTest(given) }, run, tuned);
  const { out } = settings;
  const folder = { out, command: 'spsa apply', mark: JOURNAL };
  claimOutputs({ force: options.force, run: folder, files: { json: options.json } });
  const match = await playMatch(settings);
  if (!match.finished) return;
  const hasWon = isWon(match, options.minLos);
  const applied = hasWon && options.write;
  if (applied) {
    writeBack(run, tuned, match, conditionsOf(settings));
    rebuild();
  }
  if (!hasWon) console.log('Not applied: the values did not win the match');
  else console.log(applied ? APPLIED : 'Won; not written back (--no-write)');
  writeSummary(options.json, { changes: tuned.changes, match, won: hasWon, applied });
}

const CHECK_PARAMS = 'check that engine/search/params.ts has not changed since';

/** Returns whether an SPRT is requested, by --sprt or by its hypotheses. */
export const wantsTest = ({ sprt, elo0, elo1 }: Partial<ApplyOptions>): boolean =>
  sprt ?? (elo0 !== undefined || elo1 !== undefined);

/**
 * Returns whether the tuned values won: an SPRT must accept H1 with a positive Elo; without one, their likelihood of superiority must be
 * at least `minLos` percent.
 */
export function isWon(match: Pick<MatchResult, 'sprt' | 'verdict' | 'los' | 'elo'>, minLos: number): boolean {
  return match.sprt === null ? match.los >= minLos / 100 : match.verdict === 'H1' && match.elo > 0;
}

const APPLIED =
  'Applied: the sources contain the new values and dist/ has been rebuilt. The bench has changed: put its node count into test/data/bench.txt,\n' +
  'and the lines above and `Bench: N` into the commit message. See "Functional changes" in CONTRIBUTING.md.';

/**
 * Writes the tuned weights, if any, to the run's folder. Returns the settings of the match of the tuned values against the shipped values.
 */
export function applySettings(options: ApplyOptions, run: SpsaResult, tuned: Tuned): MatchSettings & { out: string } {
  const out = options.out ?? join(options.run, options.only === 'all' ? 'match' : `match-${options.only}`);
  // Without knobs, the shipped weights stay in use, so the parameters must win with the shipped weights
  const weights = tuned.weights === null ? 'shipped' : join(options.run, 'weights.json');
  if (tuned.weights !== null) writeWeights(HEFT, weights, tuned.weights);
  const hash = options.hash === undefined ? {} : { Hash: String(options.hash) };
  const candidate = tunableEngine(weights, 'tuned');
  const own = limitsOf(options);
  const limits: GameLimits = isLimited(own) || run.limits === null ? merged(own, {}) : run.limits;
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
