// Losses, gradients and curvature over blocks of positions, in a worker thread. The arrays come from workerData into
// module-level constants, which V8 folds into the code with their addresses; the inner loops stay apart for the same
// reason.

import '../../engine/flags.js';
import { parentPort, workerData } from 'node:worker_threads';
import { moveColumn, tryColumn } from './column-pass.js';
import type { PassRequest, WorkerShare } from './objective.js';

const SHARE = workerData as WorkerShare;
const OFFSETS = SHARE.offsets;
const PACKED = SHARE.packed;
const PHASE = SHARE.phase;
const RESULT = SHARE.result;
const HELD_OUT = SHARE.heldOut;
const TARGET = SHARE.target;
const WEIGHT = SHARE.weight;
const WEIGHTS = SHARE.weights;
const NEXT_BLOCK = SHARE.nextBlock;
const SUMS = SHARE.sums;
const GRADIENTS = SHARE.gradients;
const GRADIENT = new Float64Array(WEIGHTS.length);
const PLAIN = TARGET.length === 0;

/** Evaluation of position i in centipawns for White, middlegame and endgame interpolated without rounding. */
function dot(i: number): number {
  let mg = 0;
  let eg = 0;
  const end = OFFSETS[i + 1];
  for (let at = OFFSETS[i]; at < end; at++) {
    const entry = PACKED[at];
    const coefficient = (entry << 23) >> 23;
    const term = (entry >> 9) << 1;
    mg += coefficient * WEIGHTS[term];
    eg += coefficient * WEIGHTS[term + 1];
  }
  return (mg * PHASE[i] + eg * (24 - PHASE[i])) / 24;
}

/** Adds position i's share of the gradient, `slope` being the derivative of its loss by its evaluation. */
function accumulate(i: number, slope: number): void {
  const mg = (slope * PHASE[i]) / 24;
  const eg = slope - mg;
  const end = OFFSETS[i + 1];
  for (let at = OFFSETS[i]; at < end; at++) {
    const entry = PACKED[at];
    const coefficient = (entry << 23) >> 23;
    const term = (entry >> 9) << 1;
    GRADIENT[term] += coefficient * mg;
    GRADIENT[term + 1] += coefficient * eg;
  }
}

/** Adds position i's share of the diagonal of the Gauss–Newton matrix. */
function accumulateSquares(i: number, curvature: number): void {
  const mg = curvature * (PHASE[i] / 24) ** 2;
  const eg = curvature * ((24 - PHASE[i]) / 24) ** 2;
  const end = OFFSETS[i + 1];
  for (let at = OFFSETS[i]; at < end; at++) {
    const entry = PACKED[at];
    const coefficient = (entry << 23) >> 23;
    const term = (entry >> 9) << 1;
    GRADIENT[term] += coefficient * coefficient * mg;
    GRADIENT[term + 1] += coefficient * coefficient * eg;
  }
}

const targetOf = (i: number): number => (PLAIN ? RESULT[i] / 2 : TARGET[i]);
const weightOf = (i: number): number => (PLAIN ? 1 : WEIGHT[i]);

/** Rows of a strip: the scores of all, their slopes, then their gradients keep the processor busier than row by row. */
const STRIP = 256;
const STRIP_VALUES = new Float64Array(STRIP);

/** Losses of a block (train, held-out) and, if asked for, the training positions' gradient. */
function passBlock(block: number, request: PassRequest): void {
  const to = blockEnd(PHASE.length, block);
  SUMS[4 * block] = 0;
  SUMS[4 * block + 1] = 0;
  for (let from = blockStart(PHASE.length, block); from < to; from += STRIP) {
    const end = Math.min(to, from + STRIP);
    scoreStrip(from, end);
    scoresToSlopes(from, end, request, block);
    if (request.pass.kind === 'gradient') accumulateStrip(from, end);
  }
}

function scoreStrip(from: number, end: number): void {
  for (let i = from; i < end; i++) STRIP_VALUES[i - from] = dot(i);
}

/** Adds the strip's losses to the block's, and puts slopes in the place of scores. */
function scoresToSlopes(from: number, end: number, { scale, loss }: PassRequest, block: number): void {
  const squared = loss === 'mse';
  let train = SUMS[4 * block];
  let heldOut = SUMS[4 * block + 1];
  for (let i = from; i < end; i++) {
    const target = targetOf(i);
    const weight = weightOf(i);
    const p = 1 / (1 + Math.exp(-scale * STRIP_VALUES[i - from]));
    const miss = p - target;
    const error = weight * (squared ? miss * miss : crossEntropy(p, target));
    if (HELD_OUT[i] === 1) heldOut += error;
    else train += error;
    STRIP_VALUES[i - from] = weight * (squared ? 2 * scale * miss * p * (1 - p) : scale * miss);
  }
  SUMS[4 * block] = train;
  SUMS[4 * block + 1] = heldOut;
}

function accumulateStrip(from: number, end: number): void {
  for (let i = from; i < end; i++) if (HELD_OUT[i] === 0) accumulate(i, STRIP_VALUES[i - from]);
}

function batchBlock(block: number, { scale, loss }: PassRequest, rows: Uint32Array): void {
  const squared = loss === 'mse';
  const to = blockEnd(rows.length, block);
  for (let at = blockStart(rows.length, block); at < to; at++) {
    const i = rows[at];
    const p = 1 / (1 + Math.exp(-scale * dot(i)));
    const miss = p - targetOf(i);
    accumulate(i, weightOf(i) * (squared ? 2 * scale * miss * p * (1 - p) : scale * miss));
  }
}

/** Stores each sampled training row's curvature by its score, and sums up the diagonal and the rows' weights. */
function lineariseBlock(block: number, { scale, loss }: PassRequest, stride: number, curvature: Float64Array): void {
  const squared = loss === 'mse';
  const to = blockEnd(curvature.length, block);
  let sum = 0;
  for (let at = blockStart(curvature.length, block); at < to; at++) {
    const i = at * stride;
    curvature[at] = 0;
    if (HELD_OUT[i] === 1) continue;
    const p = 1 / (1 + Math.exp(-scale * dot(i)));
    const slope = scale * p * (1 - p);
    curvature[at] = weightOf(i) * (squared ? 2 * slope * slope : scale * slope);
    sum += weightOf(i);
    accumulateSquares(i, curvature[at]);
  }
  SUMS[4 * block] = sum;
}

function productBlock(block: number, stride: number, curvature: Float64Array): void {
  const to = blockEnd(curvature.length, block);
  for (let at = blockStart(curvature.length, block); at < to; at++) {
    if (curvature[at] !== 0) accumulate(at * stride, curvature[at] * dot(at * stride));
  }
}

function oddsBlock(block: number, { scale }: PassRequest, odds: Float64Array): void {
  const to = blockEnd(odds.length, block);
  for (let i = blockStart(odds.length, block); i < to; i++) odds[i] = Math.exp(-scale * dot(i));
}

function runBlock(block: number, request: PassRequest): void {
  const { pass } = request;
  switch (pass.kind) {
    case 'losses':
      return passBlock(block, request);
    case 'odds':
      return oddsBlock(block, request, pass.odds);
    case 'try':
    case 'move': {
      const from = blockStart(pass.column.rows.length, block);
      const to = blockEnd(pass.column.rows.length, block);
      if (pass.kind === 'move') return moveColumn(SHARE, request.scale, pass, from, to);
      SUMS.set(tryColumn(SHARE, request, pass, from, to), 4 * block);
      return;
    }
  }
  GRADIENT.fill(0);
  switch (pass.kind) {
    case 'gradient':
      passBlock(block, request);
      break;
    case 'batch':
      batchBlock(block, request, pass.rows);
      break;
    case 'linearise':
      lineariseBlock(block, request, pass.stride, pass.curvature);
      break;
    case 'product':
      productBlock(block, pass.stride, pass.curvature);
      break;
  }
  GRADIENTS.set(GRADIENT, block * GRADIENT.length);
}

let blocks = 1;
const blockStart = (length: number, block: number): number => Math.floor((length * block) / blocks);
const blockEnd = (length: number, block: number): number => blockStart(length, block + 1);

function crossEntropy(p: number, target: number): number {
  const tiny = 1e-12;
  return -(target * Math.log(Math.max(p, tiny)) + (1 - target) * Math.log(Math.max(1 - p, tiny)));
}

parentPort?.on('message', (request: PassRequest) => {
  blocks = request.blocks;
  for (let block = Atomics.add(NEXT_BLOCK, 0, 1); block < blocks; block = Atomics.add(NEXT_BLOCK, 0, 1)) {
    runBlock(block, request);
  }
  parentPort?.postMessage('done');
});
