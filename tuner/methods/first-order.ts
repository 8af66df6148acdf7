// firstOrder(): the epochs of gradient descent and Adam. An epoch is one step on all data, or one step for each mini-batch of a shuffle.
// Using each position exactly once per epoch removes much of the noise of batches that are drawn with replacement (chess4j).

import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import type { Method, MethodSettings, State } from './method.js';
import type { Surface } from './surface.js';

export interface FirstOrderState extends State {
  /** The gradient at `weights`, which the next epoch reuses if steps use all data. */
  gradient: Float64Array;
  /** Steps taken. */
  updates: number;
}

/** Further state of a method. */
type Memory<S> = Omit<S, keyof FirstOrderState>;

/** Moves the weights along the gradient; `state.updates` already includes this step. */
type Update<S> = (state: S, settings: MethodSettings) => void;

/** Returns the method that takes steps of the given kind. */
export function firstOrder<S extends FirstOrderState>(
  defaults: Method['defaults'],
  memory: (surface: Surface, weights: Float64Array) => Memory<S> | Promise<Memory<S>>,
  update: Update<S>,
): Method<S> {
  return {
    defaults,
    takesAllEpochs: true,
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

/** Cosine decay from 1 to nearly 0 at the last epoch. */
function cosineDecay({ epoch }: State, { epochs }: MethodSettings): number {
  return (1 + Math.cos(Math.PI * Math.min(1, (epoch + 1) / (epochs + 1)))) / 2;
}

/** Draws an epoch's batches; they depend only on the seed and the epoch. */
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

// The averages are longer than usual for gradients, which are exact on all data, and shorter for their squares, which shrink with the
// gradients
const BETA1 = 0.95;
const BETA2 = 0.99;
// Gradients per centipawn are about 1e-6. The usual value, 1e-8, would slow down rare terms.
const EPSILON = 1e-12;

/**
 * Adam (Kingma and Ba): each value moves by about `rate` centipawns per step, independently of its gradient's size, so that rare terms
 * converge as fast as frequent ones. The rate has a cosine decay.
 */
export const adam = firstOrder<AdamState>(
  { rate: 5, decay: 0, batch: 0 },
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
