// targetsOf(): the target of each position and its weight in the error. Fits have targets only if results are blended with recorded search
// scores, repeated positions count once, or rows are excluded. Other fits use the results directly.

import { choice, real, type SettingsOf } from '../../selfplay/common/options.js';
import { UNSCORED } from '../../selfplay/records/record.js';
import type { Dataset } from '../dataset/dataset.js';
import { fitK } from './fit-k.js';
import { expectedResult } from './loss.js';

export const TARGET_OPTIONS = {
  blend: real('share of the recorded or labelled score in the target; 0: results only', {
    min: 0,
    max: 1,
    default: 0,
    identity: true,
  }),
  repeats: choice(
    'all: every occurrence of a position counts; once: occurrences are merged, with their mean result',
    ['all', 'once'],
    { default: 'all' as const, identity: true },
  ),
};

export type TargetSettings = SettingsOf<typeof TARGET_OPTIONS>;

/** Targets (0..1 for White) and weights. */
export interface Targets {
  target: Float32Array;
  weight: Float32Array;
}

/** Returns the results as targets with weight 1. Rows marked 1 in `without` have weight 0. */
export function plainTargets({ result }: Dataset, without?: Uint8Array): Targets {
  const target = Float32Array.from(result, (halfPoints) => halfPoints / 2);
  return { target, weight: target.map((_, row) => (without?.[row] === 1 ? 0 : 1)) };
}

/**
 * Returns the results as targets, before blending, or undefined if the settings need none. `first` contains, for each row, the first row of
 * the same position (repeats.ts). Rows marked 1 in `without` have weight 0.
 */
export function targetsOf(
  dataset: Dataset,
  { blend, repeats }: TargetSettings,
  first?: Uint32Array,
  without?: Uint8Array,
): Targets | undefined {
  if (blend === 0 && repeats === 'all' && without === undefined) return undefined;
  const targets = plainTargets(dataset, without);
  if (repeats === 'once' && first !== undefined) countOnce(targets, first);
  return targets;
}

/** Gives the rows of a position their mean target, and each position the same weight. Without excluded rows, the mean weight stays 1. */
function countOnce({ target, weight }: Targets, first: Uint32Array): void {
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

/** Blends available recorded scores into the targets. */
export async function blendScores(
  targets: Targets,
  dataset: Dataset,
  heldOut: Uint8Array,
  blend: number,
): Promise<void> {
  if (blend === 0) return;
  const { score } = dataset;
  const k = await scoreK(dataset, heldOut);
  for (const row of scoredRows(dataset)) {
    targets.target[row] = (1 - blend) * targets.target[row] + blend * expectedResult(score[row], k);
  }
}

/**
 * Returns the K of the recorded scores, fitted to the training results. Scores have their own K, because they may come from an engine with
 * another scale.
 */
export function scoreK(dataset: Dataset, heldOut: Uint8Array): Promise<number> {
  const { score, result } = dataset;
  const rows = scoredRows(dataset).filter((row) => heldOut[row] === 0);
  return fitK(async (k) =>
    rows.reduce((loss, row) => loss + (expectedResult(score[row], k) - result[row] / 2) ** 2, 0),
  );
}

const scoredRows = ({ score }: Dataset): Uint32Array =>
  Uint32Array.from(score.keys()).filter((row) => score[row] !== UNSCORED);
