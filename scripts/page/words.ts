// Moves and positions in words, for those who hear the page.

import type { Position } from '../../engine/library/types.js';

const PIECES: Readonly<Record<string, string>> = { N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };
const ORDER = 'KQRBNP';

/** Returns a move in SAN as it is spoken: `knight takes f6, check`. */
export function spoken(san: string): string {
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

/** Returns where the pieces stand, White's first. */
export function describeBoard({ fen, turn }: Position): string {
  const placed = new Map<string, string[]>();
  for (const [row, rank] of fen.split(' ')[0].split('/').entries()) {
    let file = 0;
    for (const sign of rank) {
      if (/\d/.test(sign)) file += Number(sign);
      else {
        placed.set(sign, [...(placed.get(sign) ?? []), `${'abcdefgh'[file]}${8 - row}`]);
        file++;
      }
    }
  }
  const side = (isWhite: boolean): string =>
    Array.from(ORDER, (letter) => {
      const squares = placed.get(isWhite ? letter : letter.toLowerCase()) ?? [];
      const name = PIECES[letter] ?? 'pawn';
      return squares.length === 0 ? '' : `${name}${squares.length > 1 ? 's' : ''} ${squares.join(' ')}`;
    })
      .filter(Boolean)
      .join(', ');
  return `White: ${side(true)}. Black: ${side(false)}. ${turn === 'white' ? 'White' : 'Black'} to move.`;
}
