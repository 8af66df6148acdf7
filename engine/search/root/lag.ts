// How much more of the clock a move costs than its search took: the way from and to the GUI, which is long on a busy machine. The clock
// that the next search begins with tells it.

/** A single lag longer than so many ms is no lag: somebody has set the clock, or sent the machine to sleep. */
const LONGEST = 250;
/** Moves in a row after which longer lags, up to so many ms, are the rule: those of remote interfaces. */
const REPEATED = 3;
const LONGEST_REPEATED = 5000;
/** What is left of a longer lag with each move: it was some time ago. */
const FADE = 0.9;

let lag = 0;
/** The latest lags, at most REPEATED. */
let latest: number[] = [];
/** By side to move: what its clock would show had its last move cost the search's time alone. */
const expected = [Number.NaN, Number.NaN];

/** Learns from the clock (ms) that a search for the side begins with; returns the longest lag of late, in ms. */
export function learnLag(side: number, clock: number): number {
  const seen = expected[side] - clock;
  lag *= FADE;
  if (!(seen >= 0 && seen <= LONGEST_REPEATED)) {
    if (!Number.isNaN(seen)) latest = [];
    return lag;
  }
  latest = [...latest.slice(1 - REPEATED), seen];
  // The least of them: the others may be pauses
  const repeated = latest.length === REPEATED ? Math.min(...latest) : 0;
  lag = Math.max(lag, seen <= LONGEST ? seen : repeated);
  return lag;
}

/** Forgets what was seen: a new game has new clocks. */
export function forgetLag(): void {
  lag = 0;
  latest = [];
  expected.fill(Number.NaN);
}

/** Notes what the side's clock should show next, in ms. */
export function expectClock(side: number, clock: number): void {
  expected[side] = clock;
}
