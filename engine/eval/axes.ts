// The dimensions of weight tables: relations and names of their entries.

/**
 * Entries of a dimension: unrelated kinds; steps of a count or distance, with similar neighbours; steps of danger from one on, non-negative
 * and monotone; files, also mirrored; or the squares of a board.
 */
export type Order = 'kinds' | 'steps' | 'danger' | 'files' | 'squares';

/** A dimension of a table and the names of its entries; numbers by default. */
export interface Axis {
  length: number;
  order: Order;
  places?: readonly string[];
}

export const PIECES: readonly string[] = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];

const numbered = (length: number, name: (index: number) => string): string[] =>
  Array.from({ length }, (_, i) => name(i));
export const kinds = (...places: string[]): Axis => ({ length: places.length, order: 'kinds', places });
export const steps = (length: number, unit: string): Axis => {
  return {
    length,
    order: 'steps',
    places: numbered(length, (i) => `${i} ${i === 1 ? unit.replace(/s\b/, '') : unit}`),
  };
};
export const namedSteps = (...places: string[]): Axis => ({ length: places.length, order: 'steps', places });
export const danger = (length: number): Axis => ({
  length,
  order: 'danger',
  places: numbered(length, (i) => String(i + 1)),
});
export const FILES: Axis = { length: 8, order: 'files', places: numbered(8, (i) => `${'abcdefgh'[i]} file`) };
export const RANKS = namedSteps(...numbered(8, (i) => `rank ${i + 1}`));
export const SQUARES: Axis = { length: 64, order: 'squares' };
export const MINORS = kinds(...PIECES.slice(1, 3));
export const OFFICERS = kinds(...PIECES.slice(1, 5));
export const ATTACKERS = kinds(...PIECES.map((piece) => `by ${piece}`));
export const ATTACKED = kinds(...PIECES.slice(0, 5));
export const DEFENDED = kinds('on undefended', 'on defended');
export const OPPOSED = kinds('opposed', 'unopposed');
export const PASSED_RANKS = kinds('up to rank 4', 'on rank 5', 'beyond rank 5');
export const KING_FILES = kinds('neighbouring file', "king's file");
export const STORMERS = kinds('free', 'blocked');
export const PIECES_LEFT = kinds(
  'none',
  'minor',
  'rook',
  'minor, rook',
  'queen',
  'minor, queen',
  'rook, queen',
  'minor, rook, queen',
);
