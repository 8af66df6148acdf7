// Detects pauses of this process, which may be stopped, suspended with its machine or denied CPU time. After a pause, the output of an
// engine is read late, so its time of arrival is unknown. A timer ticks every BEAT_MS; a gap above PAUSE_MS between two ticks is a pause.
// The clock is monotonic, so changes to the system time have no effect.

const BEAT_MS = 100;
/** Above the usual timer delays of a busy machine. */
const PAUSE_MS = 350;

/** Shorter delays of the timer are not recorded. */
const MIN_DELAY_MS = 20;
const MAX_DELAYS = 600;

interface Delay {
  end: number;
  delay: number;
}

/** Watches a timer. The code that reads the pauses also looks at the clock, because it may run before a late tick. */
class PauseWatch {
  readonly delays: Delay[] = [];
  private pauses = 0;
  /** The delay of the timer's next tick, if it is late already. */
  private late: Delay | null = null;
  private lookedAt = performance.now();
  /** Time of the timer's next tick, if nothing delays it. */
  private nextBeat = this.lookedAt + BEAT_MS;

  constructor() {
    setInterval(() => this.beat(), BEAT_MS).unref();
  }

  /** Updates pauses and delays; returns the number of pauses so far. */
  look(): number {
    const now = performance.now();
    if (now - this.lookedAt > PAUSE_MS) this.pauses++;
    this.lookedAt = now;
    const delay = now - this.nextBeat;
    if (delay <= MIN_DELAY_MS) return this.pauses;
    if (this.late === null) {
      this.late = { end: now, delay };
      this.delays.push(this.late);
      if (this.delays.length > MAX_DELAYS) this.delays.shift();
    } else Object.assign(this.late, { end: now, delay });
    return this.pauses;
  }

  private beat(): void {
    this.look();
    this.late = null;
    this.nextBeat = performance.now() + BEAT_MS;
  }
}

/** Started by the first call of pausesSoFar() or longestDelay(). */
let watch: PauseWatch | null = null;

/** Returns the number of process pauses since the first call. A difference between two calls is a pause between them. */
export function pausesSoFar(): number {
  watch ??= new PauseWatch();
  return watch.look();
}

/** Returns the longest delay of this process in ms that ended after `since` (performance.now()). Delays are kept for at least a minute. */
export function longestDelay(since: number): number {
  pausesSoFar();
  const recent = watch?.delays.filter(({ end }) => end > since) ?? [];
  return recent.reduce((longest, { delay }) => Math.max(longest, delay), 0);
}

/** The clock of workingTime(): its last reading, and the total length of all pauses of this thread, in ms. */
const working = { readAt: 0, suspended: 0 };

/** Returns the time in ms without pauses of this thread. Searches must read it every few milliseconds, because a gap counts as a pause. */
export function workingTime(): number {
  const now = performance.now();
  if (now - working.readAt > PAUSE_MS) working.suspended += now - working.readAt;
  working.readAt = now;
  return now - working.suspended;
}
