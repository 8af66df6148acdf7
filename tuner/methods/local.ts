// localSearch(): Texel's local search on integers (Österlund; pseudo-code in "Texel's Tuning Method", Chess Programming Wiki). Each value
// is raised by one, or else lowered by one, if this reduces the error. The search ends when a round over all values changes nothing.

import type { Losses } from '../objective/loss.js';
import type { CoordinateSearch } from '../objective/objective.js';
import type { Method } from './method.js';

/** Returns the change in the error to minimise, from the changes in both losses. */
type Criterion = (change: Losses) => number;

/** Returns the change in the train loss, which includes the penalty. */
const byTrain: Criterion = ({ train }) => train;

/** Returns the search as a method. An epoch is a round over all values. */
export function localSearch(criterion: Criterion = byTrain): Method {
  return {
    rate: 1,
    integral: true,
    async start(surface, start) {
      // Adding 0 turns -0 into 0
      const weights = start.map((value, i) => (surface.free[i] === 1 ? Math.round(value) + 0 : value));
      const losses = await surface.losses(weights);
      return { weights, losses, epoch: 0, done: false };
    },
    async step(surface, state) {
      const search = await surface.search(state.weights);
      let improved = false;
      for (let i = 0; i < surface.dimension; i++) {
        if (surface.free[i] === 0) continue;
        const by = await bestMove(search, i, criterion);
        if (by === 0) continue;
        state.weights[i] += by;
        await search.move(i, by);
        improved = true;
      }
      state.losses = await surface.losses(state.weights);
      state.done = !improved;
    },
  };
}

/** Returns 1 if raising the value by one reduces the error, otherwise −1 if lowering it does, otherwise 0. */
async function bestMove(search: CoordinateSearch, coordinate: number, criterion: Criterion): Promise<number> {
  const { up, down } = await search.try(coordinate, 1);
  if (criterion(up) < 0) return 1;
  return criterion(down) < 0 ? -1 : 0;
}

/** Texel's search as published. */
export const local = localSearch();
