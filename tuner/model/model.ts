// Model: what a fit takes from an evaluation, whosever it is, namely its terms, each a table of weights that counts of positions are
// multiplied by. A vector of weights holds all middlegame values by term index, then all endgame values.

import type { Order } from '../../engine/eval/axes.js';

/** Counts times weights add up to centipawns, to the danger of a king, or to the factor of an endgame. */
export type Act = 'sum' | 'danger' | 'factor';

/** A named table of weights. */
export interface Term {
  readonly name: string;
  /** What a chess player calls it. */
  readonly title: string;
  /** Terms whose priors have their strengths in common; a term without one is a family of its own. */
  readonly family: string | null;
  readonly act: Act;
  /** Lengths of the dimensions; the last is a row. */
  readonly shape: readonly number[];
  /** How the places along each dimension belong together. */
  readonly orders: readonly Order[];
  /** What the places along each dimension are called, where they have names. */
  readonly places: readonly (readonly string[] | undefined)[];
  /** Index of its first weight. */
  readonly offset: number;
  readonly size: number;
  /** Cells that never count, where the mean of each row belongs to material. */
  readonly gauge?: { readonly isUnused: (row: number, column: number) => boolean } | null;
  /** A table of one place that was declared without dimensions. */
  readonly isSingle?: boolean;
  /** One value for middlegame and endgame. */
  readonly isUntapered?: boolean;
}

/** An evaluation's terms, and what its weights may be. */
export interface Model {
  readonly engine: string;
  readonly terms: readonly Term[];
  /** Number of weights, each with a middlegame and an endgame value. */
  readonly size: number;
  /** Largest size of a weight in centipawns. */
  readonly limit: number;
  /** Chooses among vectors of equal evaluation, in place; with `whole` for whole numbers. */
  readonly recentre: (mg: Float64Array, eg: Float64Array, whole?: boolean) => void;
}

/** Returns how many values a row of the term's table has. */
export const widthOf = ({ shape }: Pick<Term, 'shape'>): number => shape[shape.length - 1];

/** Whether the table's rows are boards of 64 squares. */
export const isBoard = ({ orders }: Pick<Term, 'orders'>): boolean => orders[orders.length - 1] === 'squares';

/** Whether the table holds values of pieces, a list of different things. */
export const isMaterial = ({ name, family }: Pick<Term, 'name' | 'family'>): boolean =>
  name === 'material' || family === 'material';

/** Returns the term of a weight by its index. */
export const termAt = ({ terms }: Model, index: number): Term | undefined =>
  terms.find(({ offset, size }) => index >= offset && index < offset + size);

/** Returns something for each weight index, from its term. */
export const byWeight = <T>({ terms }: Model, of: (term: Term) => T): T[] =>
  terms.flatMap((term) => Array<T>(term.size).fill(of(term)));
