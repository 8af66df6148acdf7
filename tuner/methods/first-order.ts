// firstOrder(): the epoch of gradient descent and Adam, which is one step on the whole data, or a step for each mini-batch of a
// shuffle; and adam. An epoch that sees each position once cancels much of the noise that batches drawn with replacement (chess4j) would leave.

import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import type { Method, MethodSettings, State } from './method.js';
import type { Surface } from './problem.js';

export interface FirstOrderState extends State {
  /** At `weights`; of use to the next epoch when steps are taken on the whole data. */
  gradient: Float64Array;
  /** Steps taken. */
  updates: number;
}

/** What a method remembers besides. */
type Memory<S> = Omit<S, keyof FirstOrderState>;

/** Moves the weights along the gradient; `state.updates` counts this step already. */
type Update<S> = (state: S, settings: MethodSettings) => void;

/** Returns the method that takes steps of the given kind. */
export function firstOrder<S extends FirstOrderState>(
  defaults: Method['defaults'],
  memory: (problem: Surface, weights: Float64Array) => Memory<S> | Promise<Memory<S>>,
  update: Update<S>,
): Method<S> {
  return {
    defaults,
    takesAllEpochs: true,
    async start(problem, start) {
      const weights = start.slice();
      const gradient = new Float64Array(problem.dimension);
      const losses = await problem.gradient(weights, gradient);
      const state: FirstOrderState = { weights, losses, epoch: 0, done: false, gradient, updates: 0 };
      return { ...state, ...(await memory(problem, weights)) } as S;
    },
    async step(problem, state, settings) {
      if (settings.batch === 0) {
        state.updates++;
        update(state, settings);
        state.losses = await problem.gradient(state.weights, state.gradient);
        return;
      }
      for (const rows of batches(problem, settings, state.epoch)) {
        await problem.batchGradient(state.weights, rows, state.gradient);
        state.updates++;
        update(state, settings);
      }
      state.losses = await problem.losses(state.weights);
    },
  };
}

/** Half a cosine wave from 1 down to nearly 0 at the last epoch: far at first, and quiet in the end. */
function cosineDecay({ epoch }: State, { epochs }: MethodSettings): number {
  return (1 + Math.cos(Math.PI * Math.min(1, (epoch + 1) / (epochs + 1)))) / 2;
}

/** Draws an epoch's batches; they depend on the seed and the epoch only. */
function* batches(problem: Surface, settings: MethodSettings, epoch: number): Generator<Uint32Array> {
  const { heldOut } = problem;
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

// Longer than usual for gradients, which have no noise on the whole data, and shorter for squares, which shrink with them
const BETA1 = 0.95;
const BETA2 = 0.99;
// Gradients by centipawn are about 1e-6; the usual 1e-8 would slow the rare terms down.
const EPSILON = 1e-12;

/** Adam (Kingma and Ba): each value moves by about `rate` centipawns a step whatever the size of its gradient, so that rare terms arrive as early as frequent ones. The rate falls along half a cosine wave. */
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
