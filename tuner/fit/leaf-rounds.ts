// fitToLeaves() refits weights to labels after moving the scores to the weights of the previous fit. Apart from corrections, the score of a
// label is the static evaluation of its leaf by the weights that searched it, so a fit learns the errors of these weights. Evaluating the leaf
// with the fitted weights has most of the effect of a new search. (The idea is TDLeaf: Baxter, Tridgell and Weaver, "Experiments in parameter
// learning using temporal differences", 1998. Here, each step is a whole fit.)

import { UNSCORED } from '../../selfplay/records/record.js';
import type { Dataset } from '../dataset/dataset.js';
import { expectedResult } from '../objective/loss.js';
import { scoreK } from '../objective/targets.js';
import { evaluationsOf, type RowLeaf } from '../trace/leaves.js';
import { averageIfFew } from './few-games.js';
import type { FitObserver, FitResult } from './fit.js';
import { type Problem, solve } from './problem.js';
import type { TuneSettings } from './tune-settings.js';

/** Called before each round. */
export interface LeafObserver {
  onLeafRound?: (round: number) => void;
}

/**
 * Returns the fit after `settings.leafRounds` rounds. Each round moves the scores of the labels by the change of the static evaluation of
 * their leaves, and fits the weights to them, with the prior of the first fit. The problem keeps the targets of the last round, but the losses
 * of the result refer to the recorded scores. If a round is interrupted, returns the first fit with `stopped` set to `interrupted`.
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
  // Labels and weights may have different units
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
  return { ...fit, weights, rounded, leafRounds: { rounds: leafRounds, before: fit.rounded } };
}

/**
 * Returns the targets with labels whose scores are moved by the difference between these evaluations of the leaves and the recorded ones. The
 * units may differ: `labelK` is the K of the labels and of the recorded evaluations, `k` that of the new ones.
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
