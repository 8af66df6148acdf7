// What each position should evaluate to, and how much it counts. The plain case, the result of the game counted once,
// needs no labels at all; these are for targets blended with the recorded search score, and for weights that make up
// for games and phases that are over-represented.

import { UNSCORED } from '../../selfplay/records/record.js';
import { type Dataset, positionCount } from '../dataset/dataset.js';
import { fitK } from './fit-k.js';

export interface LabelSettings {
  /** Share of the search score in the target, 0 (results only) to 1. */
  blend: number;
  /** What counts the same: every position, or every game whatever its number of positions. */
  count: 'positions' | 'games';
  /** Whether all phases of the game count the same. */
  balancePhases: boolean;
  /** `all`: a position counts as often as it occurs. `once`: its occurrences are one observation, of their mean result. */
  repeats: 'all' | 'once';
}

/** Targets (0..1 for White) and weights (mean 1) in shared memory. */
export interface Labels {
  target: Float32Array;
  weight: Float32Array;
  /** Sums of the weights: train, held-out. */
  sums(heldOut: Uint8Array): [number, number];
}

/** Phases 0–3, 4–7, … 20–24: finer ones would give a few positions great weights. */
const PHASE_BINS = 6;
const binOf = (phase: number): number => Math.min(PHASE_BINS - 1, phase >> 2);

/**
 * Returns the labels that the settings ask for, targets being the results as yet, or undefined if they ask for nothing.
 * `first` is each row's first row of the same position (repeats.ts); rows marked 1 in `without` count nothing.
 */
export function labelsOf(
  dataset: Dataset,
  settings: LabelSettings,
  first?: Uint32Array,
  without?: Uint8Array,
): Labels | undefined {
  const { blend, count, balancePhases, repeats } = settings;
  const isPlain = blend === 0 && count === 'positions' && !balancePhases && repeats === 'all';
  if (isPlain && without === undefined) return undefined;
  const positions = positionCount(dataset);
  const target = new Float32Array(new SharedArrayBuffer(4 * positions));
  const weight = new Float32Array(new SharedArrayBuffer(4 * positions)).fill(1);
  for (let i = 0; i < positions; i++) target[i] = dataset.result[i] / 2;
  if (repeats === 'once' && first !== undefined) countOnce(target, weight, first);
  if (count === 'games') equalise(weight, dataset.game, dataset.opening.length);
  if (balancePhases) equalise(weight, dataset.phase.map(binOf), PHASE_BINS);
  if (without !== undefined)
    weight.forEach((value, row) => {
      weight[row] = without[row] === 1 ? 0 : value;
    });
  return { target, weight, sums: (heldOut) => sumsBySide(weight, heldOut) };
}

/** Gives the rows of one position their mean target and shares one vote among them; the mean weight stays 1. */
function countOnce(target: Float32Array, weight: Float32Array, first: Uint32Array): void {
  const counts = new Uint32Array(first.length);
  const sums = new Float64Array(first.length);
  let distinct = 0;
  for (let row = 0; row < first.length; row++) {
    if (first[row] === row) distinct++;
    counts[first[row]]++;
    sums[first[row]] += target[row];
  }
  for (let row = 0; row < first.length; row++) {
    target[row] = sums[first[row]] / counts[first[row]];
    weight[row] *= first.length / distinct / counts[first[row]];
  }
}

/** Scales the weights so that the classes that occur have equal sums, and the mean is 1. */
function equalise(weight: Float32Array, classOf: ArrayLike<number>, classes: number): void {
  const sums = new Float64Array(classes);
  for (let i = 0; i < weight.length; i++) sums[classOf[i]] += weight[i];
  const each = weight.length / sums.reduce((used, sum) => used + (sum > 0 ? 1 : 0), 0);
  for (let i = 0; i < weight.length; i++) weight[i] *= each / sums[classOf[i]];
}

function sumsBySide(weight: Float32Array, heldOut: Uint8Array): [number, number] {
  const sums: [number, number] = [0, 0];
  for (let i = 0; i < weight.length; i++) sums[heldOut[i]] += weight[i];
  return sums;
}

/**
 * Blends the recorded scores into the targets, as far as there are any. The scores get a K of their own, by golden
 * section against the results of the training side: the engine that played need not have had today's scale.
 */
export async function blendScores(labels: Labels, dataset: Dataset, heldOut: Uint8Array, blend: number): Promise<void> {
  const { score, result } = dataset;
  if (blend === 0) return;
  const rows = Uint32Array.from(score.keys()).filter((row) => score[row] !== UNSCORED);
  const k = await fitK(async (at) => {
    let loss = 0;
    for (const row of rows) if (heldOut[row] === 0) loss += (expected(score[row], at) - result[row] / 2) ** 2;
    return loss;
  });
  for (const row of rows) {
    labels.target[row] = (1 - blend) * labels.target[row] + blend * expected(score[row], k);
  }
}

const expected = (score: number, k: number): number => 1 / (1 + Math.exp((-k * score) / 400));
