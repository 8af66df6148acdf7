// The smallest real run of each command that has a folder, and the results that must not depend on faults, kills and full disks.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TERMS } from '../../engine/eval/terms.js';
import { loadWeights } from '../../selfplay/common/weights.js';
import { FAKE_ENGINE } from '../support/fake-engine.js';
import { ended, runProgram } from '../support/program.js';

const program = (path: string): string => fileURLToPath(new URL(`../../dist/${path}.js`, import.meta.url));

/** A command. `data` is a folder of self-play games for commands that read some. */
export interface SmallRun {
  name: string;
  main: string;
  args: (out: string, data: string) => string[];
  /** Files, by their paths in the folder, whose content does not depend on faults once the times in them are masked. */
  results: RegExp;
  /** A file that exists once the run has results to lose. */
  begun: string;
  /** A file that exists once the first half is done, for a run that is long enough to test its halves separately. */
  halfway?: string;
  /** Whether its folder is a run that it can continue. */
  ownsFolder: boolean;
}

const engine = (name: string, words: string): string[] => [
  ...['--engine', `cmd=${process.execPath}`, `args=${FAKE_ENGINE} ${words}`, `name=${name}`],
];
const SHORT = ['--draw', 'movenumber=6 movecount=2 score=900', '--max-moves', '12'];

export const SMALL_RUNS: readonly SmallRun[] = [
  {
    name: 'selfplay',
    main: program('selfplay/datagen/main'),
    args: (out) => ['--games', '8', '--nodes', '60', '--workers', '1', '--seed', '5', '--out', out],
    results: /^(shard-\d+\.vf|manifest\.json)$/,
    begun: 'shard-0000.vf',
    ownsFolder: true,
  },
  {
    name: 'label',
    main: program('tuner/commands/tune-main'),
    args: (out, data) => ['label', '--data', data, '--nodes', '40', '--per-game', '4', '--workers', '1', '--out', out],
    results: /^(labels-\d+\.csv|manifest\.json)$/,
    begun: 'labels-0000.csv',
    ownsFolder: true,
  },
  {
    name: 'tune',
    main: program('tuner/commands/tune-main'),
    args: (out, data) => [
      ...['--data', data, '--per-game', '8', '--method', 'adam', '--epochs', '12', '--holdout', '0.3', '--l2', '1'],
      ...['--workers', '1', '--start', 'material', '--out', out],
    ],
    results: /^weights\.json$/,
    begun: 'checkpoint',
    ownsFolder: true,
  },
  {
    name: 'match',
    main: program('selfplay/match/main'),
    args: (out) => [
      ...[...engine('A', 'seed=1'), ...engine('B', 'seed=2'), '--nodes', '5', '--max-moves', '12'],
      ...['--concurrency', '1', '--games', '8', '--out', out],
    ],
    results: /^(games\.pgn|result\.json)$/,
    begun: 'games.jsonl',
    ownsFolder: true,
  },
  {
    name: 'spsa',
    main: program('tuner/spsa/main'),
    args: (out) => [
      ...['--variable', 'rfpMargin', 'lmrBase', '--nodes', '40', '--hash', '1', '--games', '8', '--pairs', '1'],
      ...['--ahead', '1', '--workers', '1', ...SHORT, '--out', out],
    ],
    results: /^result\.json$/,
    begun: 'games.jsonl',
    ownsFolder: true,
  },
  {
    name: 'loop',
    main: program('tuner/loop/loop-main'),
    args: (out, data) => [
      ...['--from', weakWeights(data), '--generations', '1', '--games', '36', '--nodes', '10', '--per-game', '2'],
      ...['--label-share', '0.5', '--label-nodes', '20', '--blend', '0.1', '--epochs', '3', '--match-games', '6'],
      ...['--match-nodes', '10', '--elo0', '-900', '--elo1', '-450', '--pool-games', '2', '--final-games', '2'],
      ...['--workers', '1', '--seed', '7', '--out', out],
    ],
    results:
      /^(ledger|weights|start)\.json$|^generation-\d+\/(fit|weights)\.json$|(games|labels|match|pool-\d)\/(manifest|result)\.json$|(labels|shard)-\d+\.(csv|vf)$|games\.pgn$|^[^/]*(build\/engine\/eval\/weights\.js)$/,
    begun: 'ledger.json',
    halfway: 'generation-01/fit.json',
    ownsFolder: true,
  },
  {
    name: 'data',
    main: program('selfplay/data/main'),
    args: (out, data) => [
      'convert',
      data,
      '--out',
      join(out, 'games.pgn'),
      '--json',
      join(out, 'summary.json'),
      '--force',
    ],
    results: /^(games\.pgn|summary\.json)$/,
    begun: '',
    ownsFolder: false,
  },
];

/** File of weights in which only a rook has a value, so that the loop can learn from 36 games. It needs 30. */
const weakWeights = (data: string): string => `${data}-weak.json`;

/** Plays the games that the commands read into a new folder `data`, and writes the loop's start weights beside it. */
export async function prepareData(data: string): Promise<void> {
  const weak = loadWeights('material');
  weak.terms['material'] = [0, 0, 0, 1, 0].map((value) => [value, value]);
  // With the deviations of an earlier fit, the prior is learnt quickly
  const kinds = ['distance', 'mirror', 'curvature'].flatMap((kind) => TERMS.map(({ family }) => `${family}, ${kind}`));
  weak.provenance = { families: Object.fromEntries(kinds.map((kind) => [kind, [15, 5]])) };
  writeFileSync(weakWeights(data), JSON.stringify(weak));
  const { code, stderr } = await runProgram(SMALL_RUNS[0].main, SMALL_RUNS[0].args(data, ''), process.cwd());
  if (code !== 0) throw new Error(`no games in ${data}: ${stderr}`);
}

/** Starts the run and kills it as soon as the file exists; throws an Error if the run ends first. */
export async function killedAt(run: SmallRun, file: string, out: string, data: string): Promise<void> {
  const child = spawn(process.execPath, [run.main, ...run.args(out, data)], { stdio: 'ignore' });
  const end = ended(child);
  while (!existsSync(join(out, file)) && child.exitCode === null) await sleep(1);
  child.kill('SIGKILL');
  await end;
  if (child.exitCode !== null) throw new Error(`${run.name} ended before it was killed`);
}

/** Times, dates and speeds, which differ between runs, and the commands that contain the folder's name. */
const VOLATILE =
  /"[\w-]*(seconds|date|version|time|started|finished|command|nps|speed|cpu|wall|checksum)[\w-]*": ?("(?:[^"\\]|\\.)*"|-?[\d.e+-]+|\{[^{}]*\}|\[[^[\]]*\]|null)/gi;
const PGN_VOLATILE = /^\[(Date|UTCDate|UTCTime|GameStartTime|GameEndTime|GameDuration|TimeControl) .*\n|\{[^}]*\}/gm;

/** Returns the results of the run by file name, without times; `played` is the folder's name at the time of the run. */
export function resultsOf({ results }: SmallRun, out: string, played = out): Record<string, string> {
  const all = existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }) : [];
  const files = all.filter((file) => results.test(file));
  return Object.fromEntries(
    files.sort().map((file) => {
      const content = readFileSync(join(out, file));
      if (file.endsWith('.vf')) return [file, content.toString('base64')];
      const text = content.toString('utf8').replaceAll(played, 'OUT');
      return [
        file,
        file.endsWith('.pgn') ? text.replace(PGN_VOLATILE, '').replace(/\s+/g, ' ') : text.replace(VOLATILE, ''),
      ];
    }),
  );
}
