// localSearch(): Texel's local search. Each integer is raised, then lowered, by one and kept if the error falls, until a round changes
// nothing (Österlund; the pseudo-code in the Chess Programming Wiki's "Texel's Tuning Method").

import type { Losses } from '../objective/loss.js';
import type { Method } from './method.js';
import type { CoordinateSearch } from './surface.js';

/** The error to minimise: the changes of both losses as one number. */
type Criterion = (change: Losses) => number;

/** Lowers the train loss plus penalty. */
const byTrain: Criterion = ({ train }) => train;

/** Returns the search, in which an epoch is a round over all values. */
export function localSearch(criterion: Criterion = byTrain): Method {
  return {
    defaults: { rate: 1, decay: 0, batch: 0 },
    integral: true,
    async start(surface, start) {
      // The added zero turns -0 into 0.
      const weights = start.map((value) => Math.round(value) + 0);
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

/** Tries to raise the value by one, then to lower it by one, and takes the first move that lowers the error. */
async function bestMove(search: CoordinateSearch, coordinate: number, criterion: Criterion): Promise<number> {
  const { up, down } = await search.try(coordinate, 1);
  if (criterion(up) < 0) return 1;
  return criterion(down) < 0 ? -1 : 0;
}

/** Texel's search as published. */
export const local = localSearch();
