// Losses and gradient over blocks of positions, in a worker thread. The arrays come from workerData into module-level
// constants, which V8 folds into the code with their addresses; dot() and accumulate() stay apart for the same reason.

import '../engine/flags.js';
import { parentPort, workerData } from 'node:worker_threads';
import type { PassRequest, WorkerShare } from './objective.js';

const SHARE = workerData as WorkerShare;
const OFFSETS = SHARE.offsets;
const PACKED = SHARE.packed;
const PHASE = SHARE.phase;
const RESULT = SHARE.result;
const HELD_OUT = SHARE.heldOut;
const WEIGHTS = SHARE.weights;
const NEXT_BLOCK = SHARE.nextBlock;
const LOSSES = SHARE.losses;
const GRADIENTS = SHARE.gradients;
const BLOCKS = LOSSES.length / 2;
const GRADIENT = new Float64Array(WEIGHTS.length);

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

/** One block: its sums of losses (train, held-out) and, if asked for, of the training positions' gradients. */
function passBlock(block: number, request: PassRequest): void {
  const scale = request.k / 400;
  const squared = request.loss === 'mse';
  const from = Math.floor((PHASE.length * block) / BLOCKS);
  const to = Math.floor((PHASE.length * (block + 1)) / BLOCKS);
  let train = 0;
  let heldOut = 0;
  GRADIENT.fill(0);

  for (let i = from; i < to; i++) {
    const target = RESULT[i] / 2;
    const p = 1 / (1 + Math.exp(-scale * dot(i)));
    const miss = p - target;
    const loss = squared ? miss * miss : crossEntropy(p, target);
    if (HELD_OUT[i] === 1) {
      heldOut += loss;
    } else {
      train += loss;
      if (request.gradient) accumulate(i, squared ? 2 * scale * miss * p * (1 - p) : scale * miss);
    }
  }
  LOSSES[2 * block] = train;
  LOSSES[2 * block + 1] = heldOut;
  if (request.gradient) GRADIENTS.set(GRADIENT, block * GRADIENT.length);
}

function crossEntropy(p: number, target: number): number {
  const tiny = 1e-12;
  return -(target * Math.log(Math.max(p, tiny)) + (1 - target) * Math.log(Math.max(1 - p, tiny)));
}

parentPort?.on('message', (request: PassRequest) => {
  for (let block = Atomics.add(NEXT_BLOCK, 0, 1); block < BLOCKS; block = Atomics.add(NEXT_BLOCK, 0, 1)) {
    passBlock(block, request);
  }
  parentPort?.postMessage('done');
});
