// firstOrder(): the common part of gradient descent and Adam. An epoch is one step on all data, or one step per mini-batch. Mini-batches
// come from a shuffle, as in chess4j's tuner: each position is used once per epoch. This is less noisy than drawing with replacement.

import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import type { Method, MethodSettings, State } from './method.js';
import type { Surface } from './surface.js';

export interface FirstOrderState extends State {
  /** The gradient at `weights`, which the next epoch reuses if steps use all data. */
  gradient: Float64Array;
  /** Steps taken. */
  updates: number;
}

/** The fields of a method's state that are not in FirstOrderState. */
type Memory<S> = Omit<S, keyof FirstOrderState>;

/**
 * Returns a method whose steps are made by `update`; `state.updates` then already includes the step. `memory` returns the initial values of
 * the method's own fields, and `rate` is the usual rate.
 */
export function firstOrder<S extends FirstOrderState>(
  rate: number,
  memory: (surface: Surface, weights: Float64Array) => Memory<S> | Promise<Memory<S>>,
  update: (state: S, settings: MethodSettings) => void,
): Method<S> {
  return {
    rate,
    takesAllEpochs: true,
    takesBatches: true,
    scales: true,
    async start(surface, start) {
      const weights = start.slice();
      const gradient = new Float64Array(surface.dimension);
      const losses = await surface.gradient(weights, gradient);
      const state: FirstOrderState = { weights, losses, epoch: 0, done: false, gradient, updates: 0 };
      return { ...state, ...(await memory(surface, weights)) } as S;
    },
    async step(surface, state, settings) {
      if (settings.batch === 0) {
        state.updates++;
        update(state, settings);
        state.losses = await surface.gradient(state.weights, state.gradient);
        return;
      }
      for (const rows of batches(surface, settings, state.epoch)) {
        await surface.batchGradient(state.weights, rows, state.gradient);
        state.updates++;
        update(state, settings);
      }
      state.losses = await surface.losses(state.weights);
    },
  };
}

/** Returns the factor of the cosine decay: nearly 1 in the first epoch, nearly 0 in the last. */
function cosineDecay({ epoch }: State, { epochs }: MethodSettings): number {
  return (1 + Math.cos(Math.PI * Math.min(1, (epoch + 1) / (epochs + 1)))) / 2;
}

/** Returns the mini-batches of an epoch as training rows. They depend only on the seed and the epoch. */
function* batches(surface: Surface, settings: MethodSettings, epoch: number): Generator<Uint32Array> {
  const { heldOut } = surface;
  const random = createRandom(settings.seed, epoch);
  const rows = Uint32Array.from(heldOut.keys()).filter((row) => heldOut[row] === 0);
  for (let i = rows.length - 1; i > 0; i--) {
    const j = randomBelow(random, i + 1);
    [rows[i], rows[j]] = [rows[j], rows[i]];
  }
  const count = Math.ceil(rows.length / settings.batch);
  for (let batch = 0; batch < count; batch++) {
    yield rows.subarray(Math.floor((rows.length * batch) / count), Math.floor((rows.length * (batch + 1)) / count));
  }
}

interface AdamState extends FirstOrderState {
  mean: Float64Array;
  square: Float64Array;
}

// Gradients on all data are exact, so they may be averaged over more steps than with the usual 0.9. Their squares are averaged over fewer
// steps than with the usual 0.999, because gradients shrink during the fit
const BETA1 = 0.95;
const BETA2 = 0.99;
// Gradients per centipawn are about 1e-6, so the usual value, 1e-8, would slow down rare terms
const EPSILON = 1e-12;

/**
 * Adam (Kingma and Ba): each value moves by about `rate` centipawns per step, whatever the size of its gradient, so rare terms converge as
 * fast as frequent ones. The rate has a cosine decay.
 */
export const adam = firstOrder<AdamState>(
  5,
  ({ dimension }) => ({ mean: new Float64Array(dimension), square: new Float64Array(dimension) }),
  (state, settings) => {
    const { weights, gradient, mean, square, updates, epoch } = state;
    const rate = (settings.rate * cosineDecay(state, settings)) / (1 + settings.decay * epoch);
    const meanScale = 1 / (1 - BETA1 ** updates);
    const squareScale = 1 / (1 - BETA2 ** updates);
    for (let i = 0; i < weights.length; i++) {
      mean[i] = BETA1 * mean[i] + (1 - BETA1) * gradient[i];
      square[i] = BETA2 * square[i] + (1 - BETA2) * gradient[i] * gradient[i];
      weights[i] -= (rate * mean[i] * meanScale) / (Math.sqrt(square[i] * squareScale) + EPSILON);
    }
  },
);
