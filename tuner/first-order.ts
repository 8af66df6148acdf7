// The epoch that gradient descent, AdaGrad and Adam have in common: one step on the whole data, or a step for each of
// as many random mini-batches (drawn with replacement, as chess4j does) as make up the training data once.

import { createRandom, randomBelow } from '../engine/board/random.js';
import type { Method, MethodSettings, Problem, State } from './method.js';

export interface FirstOrderState extends State {
  /** At `weights`; of use to the next epoch when steps are taken on the whole data. */
  gradient: Float64Array;
  /** Steps taken. */
  updates: number;
}

/** Moves the weights along the gradient; `state.updates` counts this step already. */
type Update<S> = (state: S, settings: MethodSettings) => void;

/** Returns the method that takes steps of the given kind. */
export function firstOrder<S extends FirstOrderState>(
  defaults: Method['defaults'],
  memory: (dimension: number) => Omit<S, keyof FirstOrderState>,
  update: Update<S>,
): Method<S> {
  return {
    defaults,
    async start(problem, start) {
      const weights = start.slice();
      const gradient = new Float64Array(problem.dimension);
      const losses = await problem.gradient(weights, gradient);
      const state: FirstOrderState = { weights, losses, epoch: 0, done: false, gradient, updates: 0 };
      return { ...state, ...memory(problem.dimension) } as S;
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

/** Draws an epoch's batches; they depend on the seed and the epoch only. */
function* batches(problem: Problem, settings: MethodSettings, epoch: number): Generator<Uint32Array> {
  const { heldOut } = problem;
  const random = createRandom(settings.seed, epoch);
  const training = heldOut.length - heldOut.reduce((sum, flag) => sum + flag, 0);
  const size = Math.min(settings.batch, training);
  for (let done = 0; done < training; done += size) {
    const rows = new Uint32Array(size);
    for (let i = 0; i < size; ) {
      rows[i] = randomBelow(random, heldOut.length);
      if (heldOut[rows[i]] === 0) i++;
    }
    yield rows;
  }
}
