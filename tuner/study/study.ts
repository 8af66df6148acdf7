// studyFit() studies a finished fit: standard errors of the weights, suspicious values and the positions behind them, calibration and
// residuals (from held-out games if there are any), missing features, and the gain from more games.

import { UserError } from '../../selfplay/common/errors.js';
import { type FitResult, fitWeights, freeCoordinates } from '../fit/fit.js';
import { isEmpty, MIN_OBSERVATIONS, observationsIn } from '../fit/gain.js';
import { observationsOf, type Problem, unseenOf, weakPenalty } from '../fit/problem.js';
import { gaussNewton } from '../methods/gauss-newton.js';
import { gradientOf } from '../objective/loss.js';
import { productAt } from '../priors/penalty.js';
import { toVector } from '../weights/weights-file.js';
import { type DataCurve, dataCurve } from './data-curve.js';
import { type Outlier, outliers } from './outliers.js';
import { type Residuals, residualsOf } from './residuals.js';
import { type Missing, scoreTest } from './score-test.js';
import { occurrencesOf, standardErrorsOf } from './standard-errors.js';
import { occurTogether } from './together.js';

export interface Study extends Residuals {
  /** Standard errors in the unit of the weight: all middlegame, then all endgame errors; NaN for values that the fit did not estimate. */
  errors: Float64Array;
  /** Number of training positions and games by weight. */
  positions: Uint32Array;
  games: Uint32Array;
  /** Groups of weights that always occur together. */
  together: number[][];
  /** Expected held-out error minus the error of the best possible weights. */
  excess: number;
  outliers: (Outlier & { examples: Example[] })[];
  missing: Missing[];
  dataCurve: DataCurve | null;
  /** The weights of the fit, and the weights of a fit with a weak prior (null with `--l2`). */
  fitted: Float64Array;
  withoutPrior: Float64Array | null;
  /** Games used for calibration and residuals. */
  side: 'held-out' | 'train';
}

/** A position with its influence on a value in centipawns, its target in the fit, and the expected result (both 0 to 1 for White). */
export interface Example {
  fen: string;
  pull: number;
  result: number;
  expected: number;
}

/** Callbacks for progress. `signal` stops the study at its next step. */
export interface StudyObserver {
  onStep?: (text: string) => void;
  signal?: AbortSignal;
}

/** Studies the fit. Reads the data again for the displayed positions. Throws a UserError on interruption or with too few games. */
export async function studyFit(
  problem: Problem,
  fit: FitResult,
  { onStep = () => {}, ...observer }: StudyObserver = {},
): Promise<Study> {
  const step = (text: string): void => {
    if (observer.signal?.aborted === true) throw new UserError(`interrupted before: ${text}`);
    onStep(text);
  };
  const { data, given, objective, targets, loss, workers, task, penalty } = problem;
  const { producer, split, loaded, seed } = data;
  const { model, k, start } = task;
  const { weights } = fit;
  const { dataset } = loaded;
  const free = freeCoordinates(task);
  const training = observationsOf(problem, 0);
  if (observationsIn(training, loaded.firstSame) < MIN_OBSERVATIONS)
    throw new UserError(`standard errors require at least ${MIN_OBSERVATIONS} games from different openings`);

  step('standard errors');
  const standardErrors = standardErrorsOf(training, { weights, penalty, free, recentre: task.recentre });
  const occurrences = occurrencesOf(dataset, training.positionWeights, model.size);
  const listed = outliers(dataset, { model, weights, prior: penalty.prior, standardErrors, occurrences, free });

  step('positions behind suspicious values');
  const wanted = [...new Set(listed.flatMap(({ rows }) => rows.map(({ row }) => row)))];
  const fens = await producer.positions(loaded, wanted, toVector(model, given.before), observer);

  step('fits to fewer games');
  const { heldOut } = split;
  // With --re-resolve, the problem starts from the fitted weights. Leaf rounds have moved the targets since the start
  const startLoss = (fit.leafRounds ? await objective.evaluate(task.start, task.k) : fit.start).heldOut;
  const curve = await dataCurve(dataset, { heldOut, targets, k, loss, start, startLoss, penalty, free, seed, workers });

  step('missing features');
  const { rows, derivatives } = standardErrors;
  const { slopes, total } = derivatives;
  const distances = weights.map((weight, i) => weight - penalty.prior[i]);
  const gradient = gradientOf(rows, slopes, model.size).map((value, i) =>
    free[i] === 1 ? value + 2 * total * productAt(penalty, distances, i) : 0,
  );
  const missing = scoreTest(training, loaded.candidates, standardErrors, weights, gradient);

  step('a fit with a weak prior');
  const weak = { penalty: await weakPenalty(problem), method: gaussNewton, epochs: 6, patience: 6, seed };
  const plain = { ...task, ...weak, start: weights };
  const withoutPrior = problem.learnt === null ? null : (await fitWeights(problem.objective, plain)).weights;

  const exampleOf = ({ row, pull }: Outlier['rows'][number]): Example => {
    const [result, expected] = [training.targets[row], standardErrors.expected[row]];
    return { fen: fens.get(row) ?? '', pull, result, expected };
  };
  const isEstimated = (i: number): boolean => free[i] === 1 && occurrences.positions[i % model.size] > 0;
  const unseen = unseenOf(problem);
  const side = isEmpty(unseen) ? 'train' : 'held-out';
  const results = Float64Array.from(dataset.result, (halfPoints) => halfPoints / 2);
  return {
    errors: standardErrors.errors.map((error, i) => (isEstimated(i) ? error : Number.NaN)),
    ...occurrences,
    together: occurTogether(dataset, training.positionWeights, model.size),
    excess: standardErrors.excess,
    outliers: listed.map((outlier) => ({ ...outlier, examples: outlier.rows.map(exampleOf) })),
    // The targets of the fit may be blended with scores
    ...residualsOf(model, { ...(side === 'train' ? training : unseen), targets: results }, weights),
    missing,
    dataCurve: curve,
    fitted: weights,
    withoutPrior,
    side,
  };
}
