// Options for openings, and random openings. A random opening depends only on the options and the number of the pair, not on the number of
// workers or on interruptions.

import { STARTPOS } from '../../engine/board/fen.js';
import { type Opening, randomOpening } from '../../engine/commands/random-opening.js';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { attempt } from '../common/errors.js';
import { choice, flag, type SettingsOf, text, whole } from '../common/options.js';

export const OPENING_OPTIONS = {
  openings: text('book: EPD, FEN or PGN, also .gz or .zst, or Polyglot .bin (moves drawn by weight)', {
    isPath: true,
    identity: true,
    defaultText: 'random plies',
  }),
  order: choice('order of the openings', ['random', 'sequential'], { default: 'random', identity: true }),
  plies: whole(
    'random plies from the start position; with a PGN or Polyglot book the maximum number of plies (default 1000)',
    {
      max: 1000,
      identity: true,
      defaultText: '8',
    },
  ),
  start: whole('number of the first opening, in the order given by --order', { min: 1, default: 1, identity: true }),
  seed: whole('seed for the openings', { default: 1, identity: true }),
  chess960: flag('play Chess960', { identity: true }),
  dfrc: flag('Chess960 with two different back ranks', { identity: true, conflicts: ['openings'] }),
};

/** Settings of a match's openings: a book, or random plies if no file is given. */
export type OpeningSettings = Required<Omit<SettingsOf<typeof OPENING_OPTIONS>, 'openings'>> & { openings?: string };

/** Returns the opening of a pair. The same number gives the same opening. */
export type OpeningSource = (pair: number) => Opening;

/** Returns a source of random plies from the start position, or from random Chess960 positions with equal or different back ranks. */
export function randomOpenings(settings: Pick<OpeningSettings, 'seed' | 'plies' | 'chess960' | 'dfrc'>): OpeningSource {
  const { seed, plies, chess960, dfrc } = settings;
  return (pair) => {
    const random = createRandom(seed, pair);
    const number = chess960 ? randomBelow(random, 960) : null;
    const start = number === null ? STARTPOS : chess960Start(number, dfrc ? randomBelow(random, 960) : number);
    return attempt('--plies', () => randomOpening(random, plies, undefined, start));
  };
}

// The ten placements of two knights on the five squares left by bishops and queen (Scharnagl's numbering)
const KNIGHTS = [0, 1, 2, 3].flatMap((first) =>
  [1, 2, 3, 4].flatMap((second) => (second > first ? [[first, second]] : [])),
);

/** Returns the FEN of the Chess960 start position 0..959 (518 is the standard one), optionally with another number for Black. */
export function chess960Start(white: number, black = white): string {
  return `${backRank(black)}/pppppppp/8/8/8/8/PPPPPPPP/${backRank(white).toUpperCase()} w KQkq - 0 1`;
}

function backRank(number: number): string {
  const files: string[] = new Array(8).fill('');
  const put = (piece: string, emptyIndex: number): void => {
    const empty = files.flatMap((occupant, file) => (occupant === '' ? [file] : []));
    files[empty[emptyIndex]] = piece;
  };
  files[2 * (number % 4) + 1] = 'b';
  files[2 * (Math.floor(number / 4) % 4)] = 'b';
  put('q', Math.floor(number / 16) % 6);
  const [first, second] = KNIGHTS[Math.floor(number / 96)];
  put('n', second);
  put('n', first);
  for (const piece of ['r', 'k', 'r']) put(piece, 0);
  return files.join('');
}
