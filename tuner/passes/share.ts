// What a gradient worker gets for the loops: the module, and the arrays, which are views of its shared memory.

export interface LoopArrays {
  /** Where each row begins in `stream`, in words of 32 bits; how a row is laid out is in objective/signed-rows.ts. */
  starts: Uint32Array;
  stream: Uint16Array;
  phase: Float32Array;
  /** Half points for White. */
  result: Uint8Array;
  /** 1 for rows that only count for the held-out loss. */
  heldOut: Uint8Array;
  /** Empty when targets are the results and all weights are 1. */
  target: Float32Array;
  weight: Float32Array;
  /** Centipawns beside the terms, and factors of the endgame score; empty where no row has them. */
  rest: Float32Array;
  scale: Float32Array;
  /** mg and eg of each term, a pair of zeros, and all of it again with the sign changed. */
  weights: Float64Array;
  /** Rows of a mini-batch. */
  batch: Uint32Array;
  /** Derivatives of the rows at the last scored weights, see Linearised. */
  bends: Float64Array;
  /** Second derivatives of the sampled rows' losses. */
  curvature: Float64Array;
  /** exp(−scale · score) of each row. */
  odds: Float64Array;
  /** With them, of each row its endgame value in centipawns before it is scaled, and the factors for White and for Black. */
  endgames: Float64Array;
  /** Up to four sums by block; losses: train, held-out. */
  sums: Float64Array;
  /** Sums by block, mg and eg of each term. */
  gradients: Float64Array;
  /** For each worker a gradient laid out as `weights`, and values of the parts of a row and of the rows of a strip. */
  scratch: Float64Array;
}

export interface LoopShare {
  arrays: LoopArrays;
  terms: number;
  /** 1 when targets are the results and all weights are 1. */
  plain: number;
  /** 1 when rows have a rest and a scale. */
  fixed: number;
  /** Which of how many. */
  worker: number;
  workers: number;
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
}
