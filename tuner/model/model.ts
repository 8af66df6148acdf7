// Model: the evaluation of Heft or of another engine, in the form that a fit uses. It consists of terms, which are tables of weights for
// feature counts. A vector of weights contains all middlegame values by weight index, then all endgame values.

import type { Order } from '../../engine/eval/axes.js';

/** Sum to which a term adds count times weight: the score in centipawns, the danger of a king, or the endgame factor. */
export type Act = 'sum' | 'danger' | 'factor';

/** A named table of weights. */
export interface Term {
  readonly name: string;
  /** Name for chess players. */
  readonly title: string;
  /** Name of a group of terms whose priors share their strengths. With null, the term is its own family. */
  readonly family: string | null;
  readonly act: Act;
  /** Lengths of the dimensions; the last is the length of a row. */
  readonly shape: readonly number[];
  /** Relation of the entries along each dimension. */
  readonly orders: readonly Order[];
  /** Names of the entries along each dimension, if any. */
  readonly places: readonly (readonly string[] | undefined)[];
  /** Index of its first weight. */
  readonly offset: number;
  readonly size: number;
  /** Present if recentre() moves the mean of each row into material. `isUnused` returns whether a cell never counts. */
  readonly gauge?: { readonly isUnused: (row: number, column: number) => boolean } | null;
  /** Whether the term is a single value, declared without dimensions. */
  readonly isSingle?: boolean;
  /** Whether middlegame and endgame share one value. */
  readonly isUntapered?: boolean;
}

/** An evaluation's terms and the constraints on its weights. */
export interface Model {
  readonly engine: string;
  readonly terms: readonly Term[];
  /** Number of weights, each with a middlegame and an endgame value. */
  readonly size: number;
  /** Largest absolute weight in centipawns. */
  readonly limit: number;
  /** Normalises the weights in place without changing any evaluation; with `whole`, integers stay integers. */
  readonly recentre: (mg: Float64Array, eg: Float64Array, whole?: boolean) => void;
}

/** Returns the number of values in a row of the term's table. */
export const widthOf = ({ shape }: Pick<Term, 'shape'>): number => shape[shape.length - 1];

/** Returns whether the table's rows are boards of 64 squares. */
export const isBoard = ({ orders }: Pick<Term, 'orders'>): boolean => orders[orders.length - 1] === 'squares';

/** Returns whether the table lists piece values, which are not related to each other. */
export const isMaterial = ({ name, family }: Pick<Term, 'name' | 'family'>): boolean =>
  name === 'material' || family === 'material';

/** Returns the term that contains the weight with this index, or undefined. */
export const termAt = ({ terms }: Model, index: number): Term | undefined =>
  terms.find(({ offset, size }) => index >= offset && index < offset + size);

/** Returns an array with one entry per weight: `of(term)` for every weight of a term. */
export const byWeight = <T>({ terms }: Model, of: (term: Term) => T): T[] =>
  terms.flatMap((term) => Array<T>(term.size).fill(of(term)));
