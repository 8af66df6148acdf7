// `npm run spsa -- apply RUN`: the values of a run against the shipped ones, and back into the sources if they win.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Argv } from 'yargs';
import { UserError } from '../../selfplay/common/errors.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { interruptSignal } from '../../selfplay/common/interrupt.js';
import { addOptions, readSettings, wholeNumber } from '../../selfplay/common/options.js';
import { projectFile } from '../../selfplay/common/paths.js';
import { ownEngine } from '../../selfplay/engines/engine-spec.js';
import { describeLimits, type GameLimits } from '../../selfplay/games/clock.js';
import { runMatch } from '../../selfplay/match/match.js';
import { reportLines } from '../../selfplay/match/match-report.js';
import type { MatchResult } from '../../selfplay/match/match-result.js';
import { MatchStatus } from '../../selfplay/match/match-status.js';
import { GAME_OPTIONS, gameSettings, limitsOf, merged } from '../../selfplay/series/game-settings.js';
import { conditionsOf, type MatchSettings } from '../../selfplay/series/series-settings.js';
import { DEFAULT_SPRT } from '../../selfplay/statistics/sprt.js';
import { writeWeights } from '../weights/weights-file.js';
import { refuseRepeated } from './spsa-arguments.js';
import { tunableEngine } from './spsa-options.js';
import { readResult, type SpsaResult } from './spsa-result.js';
import { shortNumber } from './variable.js';
import { PARTS, type Tuned, tunedOf, writeBack } from './write-back.js';

/** Declares the options of `apply`. */
export const applyOptions = <T>(parser: Argv<T>) =>
  addOptions(
    parser
      .positional('run', { type: 'string', demandOption: true, describe: 'folder of a run' })
      .option('values', {
        choices: ['end', 'mean'] as const,
        default: 'end' as const,
        requiresArg: true,
        describe: 'where the run ended, or the mean over its second half',
      })
      .option('only', {
        choices: PARTS,
        default: 'all' as const,
        requiresArg: true,
        describe: 'search parameters or knobs alone, of a run that tuned both: each is kept for a match of its own',
      })
      .option('games', {
        type: 'number',
        default: 1000,
        requiresArg: true,
        describe: 'games of the match; with --sprt the most',
      })
      .option('sprt', { type: 'boolean', default: false, describe: 'end the match when an SPRT decides' })
      .option('elo0', {
        type: 'number',
        default: DEFAULT_SPRT.elo0,
        requiresArg: true,
        describe: 'SPRT: hypothesis H0',
      })
      .option('elo1', {
        type: 'number',
        default: DEFAULT_SPRT.elo1,
        requiresArg: true,
        describe: 'SPRT: hypothesis H1',
      })
      .option('min-los', {
        type: 'number',
        default: 95,
        requiresArg: true,
        describe: 'likelihood of superiority in percent that counts as won, where no SPRT decides',
      })
      .option('result', {
        type: 'string',
        requiresArg: true,
        describe: 'take the word of this result.json of a match of the same values instead of playing one',
      })
      .option('write', { type: 'boolean', default: true, describe: 'write back what has won; --no-write plays only' })
      .option('out', {
        type: 'string',
        requiresArg: true,
        describe: "folder of the match: continues it [the run's, match or match-ONLY]",
      })
      .option('json', { type: 'string', requiresArg: true, describe: 'write match and verdict to this file' }),
    GAME_OPTIONS,
  ).option('seed', {
    type: 'number',
    default: 1001,
    requiresArg: true,
    describe: 'decides the openings: not the run’s own',
  });

type ApplyArguments = Awaited<ReturnType<typeof applyOptions<object>>['argv']>;

/** Plays the match of a run's values, or what is left of it, and writes the values back if they have won. */
export async function applyCommand(args: ApplyArguments): Promise<void> {
  refuseRepeated(args);
  const run = readResult(args.run);
  if (run.weights === null) {
    throw new UserError(
      `${args.run} tuned ${run.engine ?? 'nothing that plays'}: only values of our own engine are written back`,
    );
  }
  const tuned = tunedOf(run, args.values, args.only);
  for (const { name, from, to } of tuned.changes) console.log(`${name}: ${shortNumber(from)} -> ${shortNumber(to)}`);
  if (tuned.changes.length === 0)
    throw new UserError(`${args.run}: the values, rounded, are those of the start: nothing to apply`);
  const settings = args.result === undefined ? matchSettings(args, run, tuned) : null;
  const match = settings === null ? givenResult(args.result as string) : await play(settings);
  if (!match.finished) {
    console.log('Interrupted: the same command continues');
    return;
  }
  for (const line of reportLines(match)) console.log(line);
  const hasWon = match.verdict === null ? match.los >= args['min-los'] / 100 : match.verdict === 'H1';
  const applied = hasWon && args.write;
  if (applied) {
    writeBack(run, tuned, match, settings === null ? undefined : conditionsOf(settings));
    rebuild();
  }
  console.log(
    hasWon ? (applied ? APPLIED : 'Won; not written back, as asked') : 'Not applied: the values have not won the match',
  );
  writeSummary(args.json, { changes: tuned.changes, match, won: hasWon, applied });
}

const APPLIED =
  'Applied: the sources hold the new values and dist/ is rebuilt. The bench has changed: put its nodes into test/data/bench.txt,\n' +
  'and the lines above and `Bench: N` into the commit.';

function matchSettings(args: ApplyArguments, run: SpsaResult, tuned: Tuned): MatchSettings {
  const out = args.out ?? join(args.run, args.only === 'all' ? 'match' : `match-${args.only}`);
  const { elo0, elo1 } = args;
  if (args.sprt && !(elo0 < elo1)) throw new UserError(`--elo0 must be below --elo1, not ${elo0} and ${elo1}`, 2);
  const weights = tuned.weights === null ? (run.weights?.name ?? 'shipped') : join(args.run, 'weights.json');
  if (tuned.weights !== null) writeWeights(weights, tuned.weights);
  const options = readSettings(GAME_OPTIONS, args);
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
    games: wholeNumber('games', args.games, 2),
    out,
    ...(args.sprt && { sprt: { ...DEFAULT_SPRT, elo0, elo1 } }),
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

function rebuild(): void {
  const bootstrap = fileURLToPath(projectFile('scripts/bootstrap.mjs'));
  try {
    execFileSync(process.execPath, [bootstrap], { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    throw new UserError('the sources hold the new values, but the build failed: run npm run build');
  }
}
