// A deadline that is set and cleared at every move and rarely expires. Its timer keeps running and is restarted when it fires too
// early, which is cheaper than a new timer per move.

const LONGEST_TIMER = 0x7fffffff;

export class Deadline {
  private timer: NodeJS.Timeout | undefined;
  /** Times in terms of performance.now(): the deadline, and the timer. */
  private at = Number.POSITIVE_INFINITY;
  private timerAt = Number.POSITIVE_INFINITY;

  constructor(private readonly onPassed: () => void) {}

  /** Calls back once after this many milliseconds, unless cleared or set again. */
  set(milliseconds: number): void {
    this.at = performance.now() + milliseconds;
    if (this.at < this.timerAt) this.startTimer();
  }

  /** Clears the deadline. */
  lift(): void {
    this.at = Number.POSITIVE_INFINITY;
  }

  private startTimer(): void {
    clearTimeout(this.timer);
    this.timerAt = this.at;
    const wait = Math.min(LONGEST_TIMER, Math.max(0, Math.ceil(this.at - performance.now())));
    // The deadline alone must not keep the process alive
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
