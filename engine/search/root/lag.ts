// The lag of a move is the clock time that it costs beyond its search, for example for communication with the GUI. It grows when the
// machine is busy, and is derived from the clock at the start of the next search.

/** A single longer lag (ms) is ignored, because the clock was probably changed, or the machine slept. */
const LONGEST = 250;
/** Longer lags, up to LONGEST_REPEATED (ms), count after this many moves in a row, as with remote interfaces. */
const REPEATED = 3;
const LONGEST_REPEATED = 5000;
/** Decay of an old lag per move. */
const FADE = 0.9;

let lag = 0;
/** The latest lags, at most REPEATED. */
let latest: number[] = [];
/** Each side's clock in ms at its next move if there were no lag. */
const expected = [Number.NaN, Number.NaN];
/** The lag and the latest lags before the last call of learnLag(). */
let before = { lag, latest };

/** Updates the lag from the clock (ms) at the start of a search for the side; returns the longest recent lag in ms. */
export function learnLag(side: number, clock: number): number {
  const seen = expected[side] - clock;
  before = { lag, latest };
  lag *= FADE;
  if (!(seen >= 0 && seen <= LONGEST_REPEATED)) {
    if (!Number.isNaN(seen)) latest = [];
    return lag;
  }
  latest = [...latest.slice(1 - REPEATED), seen];
  // The shortest, because the others may be pauses
  const repeated = latest.length === REPEATED ? Math.min(...latest) : 0;
  lag = Math.max(lag, seen <= LONGEST ? seen : repeated);
  return lag;
}

/** Undoes the last learnLag() after a missed ponder move, because the next search measures the same move again. */
export function unlearnLag(): void {
  ({ lag, latest } = before);
}

/** Clears all lags for a new game. */
export function forgetLag(): void {
  lag = 0;
  latest = [];
  expected.fill(Number.NaN);
}

/** Records the expected reading of the side's clock at its next move, in ms. */
export function expectClock(side: number, clock: number): void {
  expected[side] = clock;
}
