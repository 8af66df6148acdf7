// The course of a run: the values after iterations, evenly spaced, and how far a random walk of the same steps would have got.

/** A point of the course. */
export interface Point {
  iteration: number;
  values: number[];
  /** Squared steps up to here, summed, by variable, in units of c. */
  walk: number[];
}

/** Most points kept; from twice as many every other one is dropped. */
const POINTS = 1000;

export class Trajectory {
  private kept: Point[] = [];
  private last: Point;
  private stride = 1;

  constructor(start: number[]) {
    this.last = { iteration: 0, values: start, walk: start.map(() => 0) };
    this.kept.push(this.last);
  }

  /** The points kept and the last one. */
  get points(): Point[] {
    const { kept, last } = this;
    return kept.at(-1) === last ? [...kept] : [...kept, last];
  }

  /** Adds the values after the next iteration and its squared steps in units of c. */
  add(values: number[], squares: number[]): void {
    const walk = this.last.walk.map((sum, i) => sum + squares[i]);
    this.last = { iteration: this.last.iteration + 1, values, walk };
    if (this.last.iteration % this.stride !== 0) return;
    this.kept.push(this.last);
    if (this.kept.length <= 2 * POINTS) return;
    this.stride *= 2;
    this.kept = this.kept.filter(({ iteration }) => iteration % this.stride === 0);
  }
}
