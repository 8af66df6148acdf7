// The error to be minimised. As in Texel's method, it is the mean of (σ(K·score/400) − target)², where σ is the logistic
// function. With `--loss cross-entropy`, it is the cross-entropy. The rows are in WebAssembly memory, which is limited to 4 GiB. Larger
// data are split into several parts, each with its own memory, and the sums of the parts are combined.

import { type Dataset, positionCount } from '../dataset/dataset.js';
import type { SymmetricMatrix } from '../matrix/cholesky.js';
import { atCoordinates } from '../matrix/normal-matrix.js';
import type { Losses } from './loss.js';
import { Part } from './part.js';
import { BYTES_MAX, bytesOf, type ObjectiveOptions } from './pass-memory.js';

/** The objective over one dataset. A weight vector contains all middlegame values, then all endgame values. */
export class Objective {
  readonly trainPositions: number;
  readonly heldOutPositions: number;
  /** First row of each part, then the number of rows. */
  private readonly starts: readonly number[];
  private readonly parts: readonly Part[];
  /** Sums of the positions' weights. */
  private readonly weight: Losses;

  /**
   * Starts the workers. `heldOut` is 1 for positions of the held-out loss. Mean losses are NaN without positions. A part takes at most
   * `bytes` bytes of memory. Throws a UserError if there is not enough memory.
   */
  constructor(
    dataset: Dataset,
    readonly heldOut: Uint8Array,
    private readonly options: ObjectiveOptions,
    bytes = BYTES_MAX,
  ) {
    const { targets } = options;
    this.starts = startsOf(dataset, options, bytes);
    this.parts = this.starts.slice(1).map((to, index) => {
      const from = this.starts[index];
      const own = targets && {
        targets: { target: targets.target.subarray(from, to), weight: targets.weight.subarray(from, to) },
      };
      return new Part(rowsBetween(dataset, from, to), heldOut.subarray(from, to), { ...options, ...own });
    });
    this.heldOutPositions = heldOut.reduce((sum, flag) => sum + flag, 0);
    this.trainPositions = positionCount(dataset) - this.heldOutPositions;
    const weightOf = (side: number, positions: number): number =>
      targets?.weight.reduce((sum, value, row) => (heldOut[row] === side ? sum + value : sum), 0) ?? positions;
    this.weight = { train: weightOf(0, this.trainPositions), heldOut: weightOf(1, this.heldOutPositions) };
  }

  /**
   * Returns the losses at the weights and, if `gradient` is given, fills it with the gradient of the train loss, in the layout of the
   * weights.
   */
  async evaluate(weights: Float64Array, k: number, gradient?: Float64Array): Promise<Losses> {
    const sum = (part: Part): Promise<Losses> => part.evaluate(weights, k, gradient);
    const sums =
      gradient === undefined ? await this.each(sum) : await this.fill(gradient, sum, () => this.weight.train);
    return this.meansOf(sums);
  }

  /** Fills `gradient` with the gradient of the mean loss of the given rows. */
  async batchGradient(weights: Float64Array, k: number, rows: Uint32Array, gradient: Float64Array): Promise<void> {
    const add = async (part: Part, index: number): Promise<void> => {
      const [from, to] = [this.starts[index], this.starts[index + 1]];
      const isWhole = this.parts.length === 1;
      const own = isWhole ? rows : rows.filter((row) => row >= from && row < to).map((row) => row - from);
      if (own.length > 0) await part.batchGradient(weights, k, own, gradient);
    };
    await this.fill(gradient, add, () => rows.length);
  }

  /**
   * Returns the diagonal of the Gauss–Newton matrix at the weights, and a function for its products with vectors. The matrix uses every
   * `stride`-th row, except held-out rows. The products are valid until another call scores the rows. For weights that count for the
   * danger to both kings, the diagonal is usually too large: it has the squares of the two contributions, but not their product.
   */
  async curvature(weights: Float64Array, k: number, stride: number): Promise<GaussNewtonMatrix> {
    const diagonal = new Float64Array(2 * this.options.terms);
    const sampled = await this.fill(diagonal, (part) => part.linearise(weights, k, stride, diagonal), total);
    const product = async (vector: Float64Array, out: Float64Array): Promise<void> => {
      await this.fill(
        out,
        (part) => part.product(vector, k, stride, out),
        () => total(sampled),
      );
    };
    return { diagonal, product };
  }

  /** Returns the Gauss–Newton matrix for the given coordinates, over the same rows as curvature(). */
  async matrix(weights: Float64Array, k: number, stride: number, coordinates: Uint32Array): Promise<SymmetricMatrix> {
    const [first, ...others] = await this.each((part) => part.matrix(weights, k, stride));
    for (const { values } of others) for (let i = 0; i < values.length; i++) first.values[i] += values[i];
    const sampled = others.reduce((sum, { weight }) => sum + weight, first.weight);
    return atCoordinates(first.values, coordinates, this.options.terms, 1 / sampled);
  }

  /** Begins a coordinate-wise search at the weights. */
  async search(weights: Float64Array, k: number): Promise<CoordinateSearch> {
    const searches = await this.each((part) => part.search(weights, k));
    return {
      try: async (coordinate, step) => {
        const tried = await this.each((_, index) => searches[index].try(coordinate, step));
        const here = this.meansOf(tried.map((sums) => sums.here));
        const changeOf = (sums: readonly Losses[]): Losses => {
          const { train, heldOut } = this.meansOf(sums);
          return { train: train - here.train, heldOut: heldOut - here.heldOut };
        };
        return { up: changeOf(tried.map(({ up }) => up)), down: changeOf(tried.map(({ down }) => down)) };
      },
      move: async (coordinate, by) => {
        await this.each((_, index) => searches[index].move(coordinate, by));
      },
    };
  }

  /** Copies changed targets. */
  takeTargets(): void {
    for (const part of this.parts) part.takeTargets();
  }

  async close(): Promise<void> {
    await this.each((part) => part.close());
  }

  /** Calls the parts in sequence, because each has `workers` threads of its own. */
  private async each<T>(call: (part: Part, index: number) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (const [index, part] of this.parts.entries()) results.push(await call(part, index));
    return results;
  }

  /** Fills `out` with a sum over the parts, divided by `divisor(results)`. */
  private async fill<T>(
    out: Float64Array,
    add: (part: Part, index: number) => Promise<T>,
    divisor: (results: T[]) => number,
  ): Promise<T[]> {
    out.fill(0);
    const results = await this.each(add);
    const by = divisor(results);
    for (let i = 0; i < out.length; i++) out[i] /= by;
    return results;
  }

  private meansOf(sums: readonly Losses[]): Losses {
    return {
      train: total(sums.map(({ train }) => train)) / this.weight.train,
      heldOut: total(sums.map(({ heldOut }) => heldOut)) / this.weight.heldOut,
    };
  }
}

/** The diagonal, and a function that fills `out` with the matrix times the vector. */
export interface GaussNewtonMatrix {
  diagonal: Float64Array;
  product: (vector: Float64Array, out: Float64Array) => Promise<void>;
}

export interface CoordinateSearch {
  /** Returns the changes in the losses when the coordinate moves by +step and by −step. */
  try: (coordinate: number, step: number) => Promise<{ up: Losses; down: Losses }>;
  /** Commits the move of the coordinate. */
  move: (coordinate: number, by: number) => Promise<void>;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns the first row of each part, then the number of rows. The parts are as few as the byte limit allows, and about equally long. */
function startsOf(dataset: Dataset, options: ObjectiveOptions, bytes: number): number[] {
  const rows = positionCount(dataset);
  for (let count = 1; ; count++) {
    const starts = Array.from({ length: count + 1 }, (_, index) => Math.floor((rows * index) / count));
    const fits = starts
      .slice(1)
      .every((to, index) => bytesOf(rowsBetween(dataset, starts[index], to), options) <= bytes);
    if (fits || count >= rows) return starts;
  }
}

/** Returns a range of the rows, copying only their offsets. */
function rowsBetween(dataset: Dataset, from: number, to: number): Dataset {
  if (from === 0 && to === positionCount(dataset)) return dataset;
  const { offsets, packed, phase, result, game, score, rest, scale } = dataset;
  const first = offsets[from];
  const ownOffsets = new Uint32Array(new SharedArrayBuffer(4 * (to - from + 1)));
  for (let row = from; row <= to; row++) ownOffsets[row - from] = offsets[row] - first;
  return {
    offsets: ownOffsets,
    packed: packed.subarray(first, offsets[to]),
    phase: phase.subarray(from, to),
    result: result.subarray(from, to),
    game: game.subarray(from, to),
    score: score.subarray(from, to),
    opening: dataset.opening,
    ...(rest && { rest: rest.subarray(from, to) }),
    ...(scale && { scale: scale.subarray(from, to) }),
  };
}
