// Data of a gradient worker for the loops: the module, and the arrays as views of its shared memory.

export interface LoopArrays {
  /** Start of each row in `stream`, in 32-bit words; objective/signed-rows.ts describes the layout. */
  starts: Uint32Array;
  stream: Uint16Array;
  phase: Float32Array;
  /** Half points for White. */
  result: Uint8Array;
  /** 1 for rows of the held-out loss. */
  heldOut: Uint8Array;
  /** Empty when targets are the results and all weights are 1. */
  target: Float32Array;
  weight: Float32Array;
  /** Centipawns outside the terms, and factors of the endgame score; empty if no row has them. */
  rest: Float32Array;
  scale: Float32Array;
  /** mg and eg of each term, a pair of zeros, then all of these negated. */
  weights: Float64Array;
  /** Rows of a mini-batch. */
  batch: Uint32Array;
  /** Derivatives of the rows at the last scored weights, see Linearised. */
  bends: Float64Array;
  /** Second derivatives of the sampled rows' losses. */
  curvature: Float64Array;
  /** exp(−scale · score) of each row. */
  odds: Float64Array;
  /** Endgame value of each row in centipawns before scaling, and the factors for White and Black. */
  endgames: Float64Array;
  /** Up to four sums by block; losses: train, held-out. */
  sums: Float64Array;
  /** Sums by block, mg and eg of each term. */
  gradients: Float64Array;
  /** Scratch per worker: a gradient in the layout of `weights`, the parts of a row, and the rows of a strip. */
  scratch: Float64Array;
}

export interface LoopShare {
  arrays: LoopArrays;
  terms: number;
  /** 1 when targets are the results and all weights are 1. */
  plain: number;
  /** 1 when rows have a rest or a scale. */
  fixed: number;
  /** Index of this worker, and number of workers. */
  worker: number;
  workers: number;
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
}
