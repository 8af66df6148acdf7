// firstOrder(): the epoch of gradient descent and Adam, which is one step on the whole data, or a step for each mini-batch of a
// shuffle. An epoch that sees each position once cancels much of the noise that batches drawn with replacement (chess4j) would leave.

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
export function cosineDecay({ epoch }: State, { epochs }: MethodSettings): number {
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
