// Dimensions of weight tables: the relation and the names of the entries along each.

/**
 * Relation between the entries of a dimension. `kinds` are unrelated. `steps` of a count or distance resemble their neighbours. `danger`
 * steps are counted from one. The tuner keeps their values non-negative and non-decreasing, except for decreases no larger than the
 * prior's. `files` resemble their neighbours and the mirrored file. `squares` are the squares of a board.
 */
export type Order = 'kinds' | 'steps' | 'danger' | 'files' | 'squares';

/** A dimension of a table and the names of its entries, if any. */
export interface Axis {
  length: number;
  order: Order;
  places?: readonly string[];
}

export const PIECES: readonly string[] = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];

const numbered = (length: number, name: (index: number) => string): string[] =>
  Array.from({ length }, (_, i) => name(i));
/** Unrelated kinds. */
export const kinds = (...places: string[]): Axis => ({ length: places.length, order: 'kinds', places });
/** Numbered steps, such as `0 pawns`, `1 pawn`. */
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
/** All subsets of the kinds, indexed by flags. */
export const subsets = (...names: string[]): Axis =>
  kinds(...numbered(2 ** names.length, (flags) => names.filter((_, i) => (flags >> i) & 1).join(', ') || 'none'));
