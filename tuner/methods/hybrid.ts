// hybrid: Gauss–Newton until the held-out error stops falling, then Texel's local search on integers by held-out error. The search corrects
// rounding and overfitting to the training games. It can overfit the held-out games, so the driver gives it half of them and measures the
// result on the other half.

import type { Losses } from '../objective/loss.js';
import { gaussNewton } from './gauss-newton.js';
import { localSearch } from './local.js';
import type { Method, State } from './method.js';

interface HybridState extends State {
  /** Lowest held-out error so far, and its weights. */
  least: number;
  best: Float64Array;
  /** Epochs since the lowest held-out error. */
  waited: number;
  descent: Awaited<ReturnType<typeof gaussNewton.start>> | null;
  polish: State | null;
}

/** Number of epochs without a lower held-out error after which Gauss–Newton ends. */
const PATIENCE = 3;
/** A round with a smaller gain ends the local search, which would otherwise run for many rounds on noise. */
const MIN_GAIN = 1e-7;

const watched = ({ train, heldOut }: Losses): number => (Number.isNaN(heldOut) ? train : heldOut);
const polisher = localSearch(watched);

export const hybrid: Method<HybridState> = {
  rate: gaussNewton.rate,
  integral: true,
  choosesByHeldOut: true,
  async start(surface, start, settings) {
    const descent = await gaussNewton.start(surface, start, settings);
    const { weights, losses } = descent;
    const best = weights.slice();
    return { weights, losses, epoch: 0, done: false, least: watched(losses), best, waited: 0, descent, polish: null };
  },
  async step(surface, state, settings) {
    const { descent } = state;
    if (descent !== null) {
      await gaussNewton.step(surface, descent, settings);
      state.weights = descent.weights;
      state.losses = descent.losses;
      state.waited++;
      if (watched(descent.losses) < state.least) {
        state.least = watched(descent.losses);
        state.best = descent.weights.slice();
        state.waited = 0;
      }
      if (descent.done || state.waited >= PATIENCE) state.descent = null;
      return;
    }
    const polish = state.polish ?? (await polisher.start(surface, state.best, settings));
    const before = watched(polish.losses);
    await polisher.step(surface, polish, settings);
    state.polish = polish;
    state.weights = polish.weights;
    state.losses = polish.losses;
    state.done = polish.done || before - watched(polish.losses) < MIN_GAIN;
  },
};
