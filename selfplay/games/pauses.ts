// Notices when this process stood still: stopped, frozen with its machine, or kept from the processor. What an engine sent meanwhile
// was read late, so that the time it took is not known. A timer gives a sign of life every now and then; a gap between two is a pause.
// The clock is monotonic: setting the machine's time is no pause.

const BEAT_MS = 100;
/** Longer than a busy machine delays a timer. */
const PAUSE_MS = 350;

let count = 0;
let lastSign = 0;
let timer: NodeJS.Timeout | undefined;
let lastRead = 0;
let stoodStill = 0;

/** Returns how many pauses there have been since this was first asked: two answers differ if one came between them. */
export function pausesSoFar(): number {
  const now = performance.now();
  if (timer === undefined) timer = setInterval(pausesSoFar, BEAT_MS).unref();
  else if (now - lastSign > PAUSE_MS) count++;
  lastSign = now;
  return count;
}

/** Returns the time in ms less that in which this thread stood still: for searches, which ask for the time every few milliseconds. */
export function workingTime(): number {
  const now = performance.now();
  if (now - lastRead > PAUSE_MS) stoodStill += now - lastRead;
  lastRead = now;
  return now - stoodStill;
}
