// The arrays that the loops read and write, here as views of shared memory; wasm/tables.ts has their addresses under the
// same names. They come from workerData into constants, which V8 folds into the code.

import { workerData } from 'node:worker_threads';
import type { LoopShare } from './share.js';

const { arrays, fixed, plain, terms, worker, workers } = workerData as LoopShare;
const size = arrays.scratch.length / workers;
const mine = arrays.scratch.subarray(size * worker, size * (worker + 1));

/** Number of terms. */
export const TERMS = terms;
/** 1 when targets are the results and all weights are 1. */
export const PLAIN = plain;
/** 1 when rows have a rest and a scale. */
export const FIXED = fixed;
/** Rows that are worked on together. */
export const STRIP = size - arrays.weights.length - 8;

export const STARTS = arrays.starts;
export const STREAM = arrays.stream;
export const PHASE = arrays.phase;
export const RESULT = arrays.result;
export const HELD_OUT = arrays.heldOut;
export const TARGET = arrays.target;
export const WEIGHT = arrays.weight;
export const REST = arrays.rest;
export const SCALE = arrays.scale;
export const WEIGHTS = arrays.weights;
export const BATCH = arrays.batch;
export const BENDS = arrays.bends;
export const CURVATURE = arrays.curvature;
export const ODDS = arrays.odds;
export const ENDGAMES = arrays.endgames;
export const SUMS = arrays.sums;
export const GRADIENTS = arrays.gradients;
/** This worker's own: a block's gradient, laid out as WEIGHTS, what the parts of a row come to, and values of the rows of a strip. */
export const GRADIENT = mine.subarray(0, WEIGHTS.length);
export const ROW_SUMS = mine.subarray(WEIGHTS.length, WEIGHTS.length + 8);
export const STRIP_VALUES = mine.subarray(WEIGHTS.length + 8);
