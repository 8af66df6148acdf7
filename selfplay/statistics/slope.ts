// A straight line through points with errors, by weighted least squares.

export interface Point {
  x: number;
  y: number;
  /** Half-width of the 95 % interval of y. */
  error: number;
}

/** Returns the line's growth of y per unit of x and the half-width of its 95 % interval; null for fewer than two different x. Points without an error are left out. */
export function slopeOf(all: readonly Point[]): { slope: number; error: number } | null {
  const points = all.filter(({ error }) => error > 0);
  const weights = points.map(({ error }) => 1 / error ** 2);
  const sum = (value: (point: Point) => number): number =>
    points.reduce((total, point, i) => total + weights[i] * value(point), 0);
  const total = sum(() => 1);
  const meanX = sum(({ x }) => x) / total;
  const spread = sum(({ x }) => (x - meanX) ** 2);
  if (points.length < 2 || spread === 0) return null;
  return { slope: sum(({ x, y }) => (x - meanX) * y) / spread, error: 1 / Math.sqrt(spread) };
}
