// Moves and positions in words for screen readers; names of levels.

import type { Position } from '../../engine/library/types.js';
import { STRENGTH } from '../../engine/strength/levels.js';

const PIECES: Readonly<Record<string, string>> = { N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };
const ORDER = 'KQRBNP';

/** Returns a SAN move in words: `knight takes f6, check`. */
function spoken(san: string): string {
  const end = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  const move = san.replace(/[+#]$/, '');
  if (move.startsWith('O-O')) return `castles ${move === 'O-O' ? 'short' : 'long'}${end}`;
  const [, letter = '', from, takes, to, promotion] =
    /^([NBRQK]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([NBRQ]))?$/.exec(move) ?? [];
  if (to === undefined) return san;
  const piece = PIECES[letter] ?? 'pawn';
  const origin = from === '' ? '' : ` from ${from}`;
  const becomes = promotion === undefined ? '' : ` and becomes a ${PIECES[promotion]}`;
  return `${piece}${origin} ${takes === '' ? 'to' : 'takes'} ${to}${becomes}${end}`;
}

/** Returns the announcement of a player's move (`uci`) in the position `before`, such as `White: knight to f3.` */
export function announced(who: string, before: Position, uci: string | undefined): string {
  const san = before.legalMoves().find((move) => move.uci === uci)?.san ?? '';
  return `${who}: ${spoken(san)}.`;
}

/** Returns the placement of the pieces in words, White's first, and the side to move. */
export function describeBoard({ fen, turn }: Position): string {
  const blanks = (digit: string): string => ' '.repeat(Number(digit));
  // From a8 to h1
  const signs = [...fen.split(' ')[0].replace(/\d/g, blanks).replaceAll('/', '')];
  const side = (isWhite: boolean): string =>
    Array.from(ORDER, (letter) => {
      const own = isWhite ? letter : letter.toLowerCase();
      const squares = signs.flatMap((sign, i) => (sign === own ? `${'abcdefgh'[i % 8]}${8 - (i >> 3)}` : []));
      const name = PIECES[letter] ?? 'pawn';
      return squares.length === 0 ? '' : `${name}${squares.length > 1 ? 's' : ''} ${squares.join(' ')}`;
    })
      .filter(Boolean)
      .join(', ');
  return `White: ${side(true)}. Black: ${side(false)}. ${turn === 'white' ? 'White' : 'Black'} to move.`;
}

/** Names of levels, and their Elo on the scale of UCI_Elo. Full strength is not among them. */
const NAMES: readonly (readonly [string, number])[] = [
  ['Beginner', 1100],
  ['Casual player', 1350],
  ['Club player', 1600],
  ['Strong club player', 1850],
  ['Expert', 2050],
  ['Master', 2300],
  ['Grandmaster', 2500],
  ['Elite grandmaster', 2750],
];

/** Minimum Elo gap between a named level and the ends of the measured range. */
const LEAST_STEP = 100;

/** Returns the named levels within the measured range, and levels at its two ends. */
function levels(): readonly (readonly [string, number])[] {
  const measured = STRENGTH.levels.map(({ elo }) => elo);
  const [lowest, highest] = [measured[0], measured[measured.length - 1]];
  const between = NAMES.filter(([, elo]) => elo >= lowest + LEAST_STEP && elo <= highest - LEAST_STEP);
  return [['Novice', lowest], ...between, ['Strongest level', highest]];
}

/** Fills the level menu, with full strength last and selected. */
export function offerLevels(choice: HTMLSelectElement): void {
  const options = levels().map(([name, elo]) => new Option(`${name} (Elo ${elo})`, `${elo}`));
  choice.replaceChildren(...options, new Option('Full strength', '', true, true));
}
