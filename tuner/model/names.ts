// weightLabel(), rowName() and columnNames(): readable names of weights, such as `isolated pawn, opposed, d file` for
// `pawnIsolated[0][3]`; rowLabel(): names of rows in options.

import { type Order, PIECES } from '../../engine/eval/axes.js';
import { isBoard, isMaterial, type Model, type Term, termAt, widthOf } from './model.js';

export { PIECES };

const SQUARES = Array.from({ length: 64 }, (_, square) => 'abcdefgh'[square & 7] + String((square >> 3) + 1));

/** Default names of entries. */
const USUAL: Partial<Record<Order, (place: number, length: number) => string>> = {
  squares: (place) => SQUARES[place],
  files: (place, length) => (length === 8 ? `${'abcdefgh'[place]} file` : String(place)),
};

/** Returns the name of a weight by its index. */
export function weightLabel(model: Model, index: number): string {
  const term = termAt(model, index);
  if (term === undefined) return `term ${index}`;
  const at = index - term.offset;
  const width = widthOf(term);
  if (isBoard(term)) return `${rowName(term, Math.floor(at / width))} ${SQUARES[at % width]}`.trim();
  const name = nameOf(term, term.shape.length, at);
  return isMaterial(term) ? name.replace(', ', ' ') : name;
}

/** Returns the name of a row of a term's table. */
export const rowName = (term: Term, row: number): string => nameOf(term, term.shape.length - 1, row);

/** Returns short names of the entries in a term's rows: `3` for `rank 3` and for `3 pawns`, `d` for `d file`. */
export function columnNames(term: Term): string[] {
  const last = term.shape.length - 1;
  return Array.from({ length: term.shape[last] }, (_, i) => {
    return placeName(term, last, i).replace(/^rank (\d)$|^(\w) file$|^(\d+) .*$/, '$1$2$3');
  });
}

function placeName(term: Term, dimension: number, place: number): string {
  const { shape, orders, places } = term;
  const usual = USUAL[orders[dimension]]?.(place, shape[dimension]);
  return places[dimension]?.[place] ?? usual ?? pieceName(term, dimension, place) ?? String(place);
}

/** Returns the piece after which a row of six boards, or of five or six values of material, is named; otherwise undefined. */
function pieceName(term: Term, dimension: number, place: number): string | undefined {
  const { shape, orders } = term;
  // Longer rows begin with the empty square in some engines
  const lengths = isMaterial(term) ? [PIECES.length - 1, PIECES.length] : isBoard(term) ? [PIECES.length] : [];
  return orders[dimension] === 'kinds' && lengths.includes(shape[dimension]) ? PIECES[place] : undefined;
}

/** Returns the term's title and the names of the places along the first `dimensions` dimensions. */
function nameOf(term: Term, dimensions: number, at: number): string {
  const words: string[] = [];
  let rest = at;
  for (let dimension = dimensions - 1; dimension >= 0; dimension--) {
    const length = term.shape[dimension];
    if (length > 1) words.unshift(placeName(term, dimension, rest % length));
    rest = Math.floor(rest / length);
  }
  return [term.title, ...words].filter((word) => word !== '').join(', ');
}

/** Returns the name of a table's row for options: the piece in psqt and material, otherwise the number. */
export const rowLabel = (name: string, row: number): string =>
  name === 'psqt' || name === 'material' ? (PIECES[row] ?? String(row)) : String(row);
