// A deadline that is set and cleared at every move and rarely expires. Its timer keeps running and is restarted when it fires too
// early, which is cheaper than a new timer per move.

const LONGEST_TIMER = 0x7fffffff;

export class Deadline {
  private readonly onPassed: () => void;
  private timer: NodeJS.Timeout | undefined;
  /** As performance.now() counts: when it passes, when the timer comes. */
  private at = Number.POSITIVE_INFINITY;
  private timerAt = Number.POSITIVE_INFINITY;

  constructor(onPassed: () => void) {
    this.onPassed = onPassed;
  }

  /** Calls back once in so many milliseconds, unless lifted or set again before. */
  set(milliseconds: number): void {
    this.at = performance.now() + milliseconds;
    if (this.at < this.timerAt) this.startTimer();
  }

  /** Does away with the deadline. */
  lift(): void {
    this.at = Number.POSITIVE_INFINITY;
  }

  private startTimer(): void {
    clearTimeout(this.timer);
    this.timerAt = this.at;
    const wait = Math.min(LONGEST_TIMER, Math.max(0, Math.ceil(this.at - performance.now())));
    // What is waited for keeps the process alive; the deadline alone does not
    this.timer = setTimeout(() => this.look(), wait).unref();
  }

  private look(): void {
    this.timerAt = Number.POSITIVE_INFINITY;
    if (this.at === Number.POSITIVE_INFINITY) return;
    if (performance.now() < this.at) return this.startTimer();
    this.at = Number.POSITIVE_INFINITY;
    this.onPassed();
  }
}
