// The smallest real run of each command that has a folder, and what must be the same whenever it ends: after faults, kills and full disks.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAKE_ENGINE } from '../support/fake-engine.js';

const program = (path: string): string => fileURLToPath(new URL(`../../dist/${path}.js`, import.meta.url));

/** A command; `data` is a folder of self-play games where it reads some. */
export interface SmallRun {
  name: string;
  main: string;
  args: (out: string, data: string) => string[];
  /** Files whose content does not depend on faults, once the times in them are masked. */
  results: RegExp;
  /** A file that shows that the run has something to lose. */
  begun: string;
  /** Whether its folder is a run, which it continues. */
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
    args: (out) => [
      ...['--preset', 'smoke', '--from', 'material', '--generations', '1', '--games', '6', '--nodes', '20'],
      ...['--per-game', '10', '--epochs', '4', '--match-games', '6', '--match-nodes', '20', '--pool-games', '2'],
      ...['--final-games', '2', '--workers', '1', '--seed', '7', '--out', out],
    ],
    results: /^(ledger\.json|weights\.json)$/,
    begun: 'ledger.json',
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

/** Times, dates and speeds, which differ from run to run; and the commands that name the folder. */
const VOLATILE =
  /"[\w-]*(seconds|date|version|time|started|finished|command|nps|speed|cpu|wall|checksum)[\w-]*": ?("(?:[^"\\]|\\.)*"|-?[\d.e+-]+|\{[^{}]*\}|\[[^[\]]*\]|null)/gi;
const PGN_VOLATILE = /^\[(Date|UTCDate|UTCTime|GameStartTime|GameEndTime|GameDuration|TimeControl) .*\n|\{[^}]*\}/gm;

/** Returns the contents of the run's results by file name, without the times in them. */
export function resultsOf({ results }: SmallRun, out: string): Record<string, string> {
  const files = existsSync(out) ? readdirSync(out).filter((file) => results.test(file)) : [];
  return Object.fromEntries(
    files.sort().map((file) => {
      const content = readFileSync(join(out, file));
      if (file.endsWith('.vf')) return [file, content.toString('base64')];
      const text = content.toString('utf8').replaceAll(out, 'OUT');
      return [
        file,
        file.endsWith('.pgn') ? text.replace(PGN_VOLATILE, '').replace(/\s+/g, ' ') : text.replace(VOLATILE, ''),
      ];
    }),
  );
}
