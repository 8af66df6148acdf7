// fitToLeaves() refits weights to labels after moving the scores to the weights of the previous fit. Apart from the search's corrections,
// the score of a label is the static evaluation of its leaf by the weights that searched it. A fit therefore reproduces the errors of these
// weights. Evaluating the leaf with the fitted weights has most of the effect of a new search. (The idea is TDLeaf: Baxter, Tridgell and
// Weaver, "Experiments in parameter learning using temporal differences", 1998. Here, each step is a whole fit.)

import { UNSCORED } from '../../selfplay/records/record.js';
import type { Dataset } from '../dataset/dataset.js';
import { derivativesAt, evaluations, expectations, expectedResult } from '../objective/loss.js';
import { scoreK } from '../objective/targets.js';
import { evaluationsOf, type RowLeaf } from '../trace/leaves.js';
import { averageIfFew } from './few-games.js';
import type { FitObserver, FitResult } from './fit.js';
import { type Problem, solve, unseenOf } from './problem.js';
import type { TuneSettings } from './tune-settings.js';

/** Called before each round. */
export interface LeafObserver {
  onLeafRound?: (round: number) => void;
}

/**
 * Returns the fit after `settings.leafRounds` rounds. Each round moves the scores of the labels by the change of the static evaluation of
 * their leaves, and fits the weights to them, with the prior of the first fit. Afterwards, the problem has the targets of the last round,
 * but the losses of the result refer to the recorded scores. If a round is interrupted, returns the first fit with `stopped` set to
 * `interrupted`.
 */
export async function fitToLeaves(
  problem: Problem,
  fit: FitResult,
  settings: TuneSettings,
  { signal, onLeafRound }: FitObserver & LeafObserver,
): Promise<FitResult> {
  const { data, objective, targets, task } = problem;
  const { dataset, leaves } = data.loaded;
  const { blend, leafRounds } = settings;
  if (leafRounds === 0 || fit.stopped === 'interrupted') return fit;
  // checkColumns() has rejected labels without targets
  if (targets === undefined) return fit;
  const recorded = targets.target.slice();
  const setTargets = (target: Float32Array): void => {
    targets.target.set(target);
    objective.takeTargets();
  };
  // Labels and weights may have different scales
  const labelK = await scoreK(dataset, data.split.heldOut);
  let { weights } = fit;
  for (let round = 1; round <= leafRounds; round++) {
    onLeafRound?.(round);
    setTargets(updatedTargets(recorded, dataset, leaves, evaluationsOf(leaves, weights), { blend, labelK, k: task.k }));
    const observer = signal === undefined ? {} : { signal };
    const solved = await solve(problem, settings, observer, null, weights);
    const next = await averageIfFew(problem, solved, settings, observer);
    if (next.stopped === 'interrupted') {
      setTargets(recorded);
      return { ...fit, stopped: 'interrupted' };
    }
    weights = next.weights;
  }
  const last = targets.target.slice();
  setTargets(recorded);
  const rounded = await objective.evaluate(weights, task.k);
  setTargets(last);
  return { ...fit, weights, rounded, leafRounds: { rounds: leafRounds, before: fit.rounded, recorded } };
}

/**
 * Returns the recorded targets after moving the scores of the labels by the change from the recorded to the given evaluations of their
 * leaves. The scales may differ: `labelK` is the K of the labels and of the recorded evaluations, `k` the K of the given evaluations.
 */
export function updatedTargets(
  recorded: Float32Array,
  { score }: Pick<Dataset, 'score'>,
  leaves: readonly RowLeaf[],
  evaluations: Int32Array,
  { blend, labelK, k }: { blend: number; labelK: number; k: number },
): Float32Array {
  const targets = recorded.slice();
  for (const [i, leaf] of leaves.entries()) {
    const label = score[leaf.row];
    if (label === UNSCORED) continue;
    const updated = (labelK / k) * (label - leaf.evaluation) + evaluations[i];
    targets[leaf.row] += blend * (expectedResult(updated, k) - expectedResult(label, labelK));
  }
  return targets;
}

/**
 * Returns the error of the weights, against the recorded scores, on the held-out games that were hidden from the method; null if none were
 * hidden.
 */
export function untouchedError(
  { problem, fit }: { problem: Problem; fit: FitResult },
  weights: Float64Array,
  k: number,
): number | null {
  const { loaded, untouched } = problem.data;
  if (untouched === null) return null;
  const { targets } = problem;
  const target = fit.leafRounds?.recorded;
  const recorded = targets === undefined || target === undefined ? {} : { targets: { ...targets, target } };
  const expected = expectations(evaluations(loaded.dataset, weights), k);
  const { loss, total } = derivativesAt({ ...unseenOf({ ...problem, ...recorded }), k }, expected);
  return total > 0 ? loss / total : null;
}
