// Texel's qScore: the error is that of the quiescence search's score, and the quiet position it comes from depends on the
// weights. Positions are resolved with the weights so far, fitted for some epochs, and resolved anew. What weights are
// worth shows when positions are resolved with themselves, so rounds are compared by the error at their beginning.

import type { Losses } from '../objective/objective.js';
import { fromVector, toVector } from '../weights/weights-file.js';
import { type CurvePoint, type FitResult, fitWeights } from './fit.js';
import { type FitBench, fitSettings, prepareFit, startWeights } from './fit-bench.js';
import type { TuneObserver } from './tune-observer.js';
import type { TuneSettings } from './tune-settings.js';

/** A round without a gain of this much ends the fit. */
const MINIMUM_GAIN = 1e-6;

/** The data resolved with the fitted weights (its objective is still open), the weights at the beginning, the fit. */
export interface RoundsResult {
  bench: FitBench;
  before: FitBench['before'];
  fit: FitResult;
}

/** Fits `settings.epochs` epochs in rounds of `settings.reresolve`; K stays what it was in the first. */
export async function fitInRounds(settings: TuneSettings, observer: TuneObserver = {}): Promise<RoundsResult> {
  const { before, prior } = startWeights(settings);
  const { onData: _, onStart: __, ...later } = observer;
  const curve: CurvePoint[] = [];
  let bench = await prepareFit(settings, observer, { before, prior });
  const { k } = bench;
  const worthOf = ({ train, heldOut }: Losses): number => (Number.isFinite(heldOut) ? heldOut : train);
  let best = { weights: toVector(before), losses: await bench.objective.evaluate(toVector(before), k), epoch: 0 };
  const start = best.losses;
  let stopped: FitResult['stopped'] = 'epochs';
  let epochs = 0;
  while (epochs < settings.epochs && stopped === 'epochs') {
    const round = { ...settings, epochs: Math.min(settings.reresolve, settings.epochs - epochs) };
    const onEpoch = (point: CurvePoint, bestEpoch: number): void => {
      observer.onEpoch?.({ ...point, epoch: epochs + point.epoch }, epochs + bestEpoch);
    };
    const seconds = curve.at(-1)?.seconds ?? 0;
    const fit = await fitWeights(bench.objective, fitSettings(bench, round), { ...later, onEpoch });
    // The first point of a round is the last of the one before, resolved anew
    const points = fit.curve.slice(epochs === 0 ? 0 : 1);
    for (const point of points) {
      curve.push({ ...point, epoch: epochs + point.epoch, seconds: seconds + point.seconds });
    }
    epochs += fit.epochs;
    await bench.objective.close();
    const weights = fromVector(fit.weights, {});
    bench = await prepareFit({ ...settings, k }, {}, { before: weights, prior });
    const losses = await bench.objective.evaluate(fit.weights, k);
    if (fit.stopped === 'interrupted' || observer.isInterrupted?.() === true) stopped = 'interrupted';
    else if (worthOf(losses) > worthOf(best.losses) - MINIMUM_GAIN) stopped = 'converged';
    if (worthOf(losses) < worthOf(best.losses)) best = { weights: fit.weights, losses, epoch: epochs };
  }
  if (best.epoch !== epochs) {
    await bench.objective.close();
    bench = await prepareFit({ ...settings, k }, {}, { before: fromVector(best.weights, {}), prior });
  }
  const { weights, losses, epoch } = best;
  const fit = { weights, start, best: losses, rounded: losses, bestEpoch: epoch, epochs, stopped, curve };
  return { bench, before, fit };
}
