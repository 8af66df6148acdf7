// localSearch(): Texel's local search. Each whole number is tried one higher, then one lower, and kept where the error falls, until a
// whole round changes nothing (Österlund; the pseudo-code in the Chess Programming Wiki's "Texel's Tuning Method").
// The variant with steps doubles a value's step whenever it moved on in the same direction, and halves it when not.

import type { Losses } from '../objective/loss.js';
import type { Method, State } from './method.js';
import type { CoordinateSearch, Problem } from './problem.js';

export interface LocalState extends State {
  /** Next signed step by coordinate, a whole number; ±1 throughout without steps. */
  steps: Float64Array;
}

const MAX_STEP = 64;

/** The error that a search lowers: the changes of both sides' losses as one number. */
type Criterion = (change: Losses) => number;

/** Lowers the train loss plus penalty. */
const byTrain: Criterion = ({ train }) => train;

/** Returns the search; an epoch is a round over all values. */
export function localSearch(options: { steps: boolean; criterion?: Criterion }): Method<LocalState> {
  const { steps, criterion = byTrain } = options;
  return {
    defaults: { rate: 1, decay: 0, batch: 0 },
    integral: true,
    async start(problem, start) {
      // The added zero turns -0 into 0.
      const weights = start.map((value) => Math.round(value) + 0);
      const losses = await problem.losses(weights);
      return { weights, losses, epoch: 0, done: false, steps: new Float64Array(problem.dimension).fill(1) };
    },
    async step(problem, state) {
      const search = await problem.search(state.weights);
      const finest = isFinest(problem, state);
      let improved = false;
      for (let i = 0; i < problem.dimension; i++) {
        if (problem.free[i] === 0) continue;
        const by = await bestMove(search, i, state.steps[i], criterion);
        if (steps) state.steps[i] = nextStep(state.steps[i], by);
        if (by === 0) continue;
        state.weights[i] += by;
        await search.move(i, by);
        improved = true;
      }
      state.losses = await problem.losses(state.weights);
      state.done = finest && !improved;
    },
  };
}

/** Tries the step, then its opposite; the first that lowers the error is taken. */
async function bestMove(
  search: CoordinateSearch,
  coordinate: number,
  step: number,
  criterion: Criterion,
): Promise<number> {
  const { up, down } = await search.try(coordinate, step);
  if (criterion(up) < 0) return step;
  return criterion(down) < 0 ? -step : 0;
}

function nextStep(step: number, moved: number): number {
  const size = Math.abs(step);
  if (moved === 0) return Math.sign(step) * Math.max(1, size / 2);
  return Math.sign(moved) * (moved === step ? Math.min(MAX_STEP, 2 * size) : Math.max(1, size / 2));
}

const isFinest = ({ free }: Problem, { steps }: LocalState): boolean =>
  steps.every((step, i) => free[i] === 0 || Math.abs(step) === 1);

/** Texel's search as published. */
export const local = localSearch({ steps: false });

/** The search with steps that grow while they help. */
export const localSteps = localSearch({ steps: true });
