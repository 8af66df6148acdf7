// A known objective that replaces the games, so settings can be tested within seconds. Each variable costs Elo in proportion to the square
// of its distance from an optimum. Each result is random, with probabilities that follow from the Elo difference between the two sides. For
// this objective, the expected error of the method can be computed.

import type { Random } from '../../engine/kernel/random.js';
import { gainAt, randomUnit, streamOf } from './method.js';
import type { Spsa, SpsaSettings } from './spsa.js';

export interface SimulationSettings {
  /** Distance of each variable's optimum from its start, in units of c. */
  distance: number;
  /** Elo cost of a variable at a distance of one c from its optimum. */
  elo: number;
  /** Share of draws between equals. */
  draws: number;
}

export interface Forecast {
  /** Root of the expected squared distance from the optimum over all variables, in units of c, with bounds at ±4 standard deviations. */
  distance: number;
  low: number;
  high: number;
}

/**
 * Returns the optimum: each variable's start, shifted by the requested distance in a direction that the seed determines, or in the opposite
 * direction if the first would leave the range, and then limited to the range.
 */
export function optimumOf({ variables, seed }: SpsaSettings, { distance }: SimulationSettings): number[] {
  const random = streamOf('optimum', seed);
  return variables.map(({ start, min, max, cEnd }) => {
    const shift = (random() & 1 ? 1 : -1) * distance * cEnd;
    return Math.min(max, Math.max(min, start + shift > max || start + shift < min ? start - shift : start + shift));
  });
}

/** Returns wins minus losses of the plus sides in the pairs of iteration `k`. */
export function simulatedScore(spsa: Spsa, simulation: SimulationSettings, optimum: number[], k: number): number {
  const { pairs, seed } = spsa.settings;
  const elo = (values: number[]): number => eloOf(spsa.settings, simulation, optimum, values);
  let score = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const { plus, minus } = spsa.sides(k, pair);
    const random = streamOf('simulation', seed, k, pair);
    for (let game = 0; game < 2; game++) score += simulatedGame(elo(plus) - elo(minus), simulation.draws, random);
  }
  return score;
}

/** Returns the distance of the values from the optimum, as in a Forecast. */
export function distanceFrom({ variables }: SpsaSettings, optimum: number[], values: number[]): number {
  return Math.sqrt(values.reduce((sum, value, i) => sum + ((value - optimum[i]) / variables[i].cEnd) ** 2, 0));
}

/**
 * Returns the theoretical distance after all iterations. With u = (θ − optimum) / c_end, ρ = c_k / c_end, n games per iteration, E(wins −
 * losses) = n·g·D for a small difference of D Elo, g = ln 10 / 800, and Var = n·(1 − draws), an iteration with rate R and r = wins − losses
 * adds R·ρᵢ·εᵢ·r to uᵢ, where E(r | ε) = −p·Σ ρⱼ·uⱼ·εⱼ, p = 4·n·g·elo. So the mean of uᵢ is multiplied by 1 − κᵢ with κᵢ = p·R·ρᵢ², and
 * E uᵢ² by 1 − 2κᵢ. The noise adds R²·ρᵢ²·E(r²·εᵢ²) = R²·ρᵢ²·(n·(1 − draws) + p²·Σ ρⱼ²·E uⱼ² (+ 2p²·ρᵢ²·E uᵢ² for Gaussian ε)) to E uᵢ². At
 * the end uᵢ is nearly normal with mean m and variance V, and the variance of Σ uᵢ² is Σ 2·V² + 4·V·m².
 */
export function forecast(settings: SpsaSettings, simulation: SimulationSettings, optimum: number[]): Forecast {
  const { variables, iterations, pairs, method } = settings;
  const games = 2 * pairs;
  const slope = (4 * games * Math.LN10 * simulation.elo) / 800;
  const means = variables.map(({ start, cEnd }, i) => (start - optimum[i]) / cEnd);
  const squares = means.map((mean) => mean ** 2);
  for (let k = 1; k <= iterations; k++) {
    const gains = variables.map((variable) => gainAt(variable, settings, k));
    const ratios = gains.map(({ c }, i) => c / variables[i].cEnd);
    const noise = squares.reduce(
      (sum, square, i) => sum + (slope * ratios[i]) ** 2 * square,
      games * (1 - simulation.draws),
    );
    for (const [i, ratio] of ratios.entries()) {
      const pull = slope * gains[i].rate * ratio ** 2;
      const own = method === 'kiiski' ? 2 * (slope * ratio) ** 2 * squares[i] : 0;
      means[i] *= 1 - pull;
      squares[i] += -2 * pull * squares[i] + (gains[i].rate * ratio) ** 2 * (noise + own);
    }
  }
  const square = squares.reduce((sum, value) => sum + value, 0);
  const variance = means.reduce((sum, mean, i) => {
    const around = Math.max(0, squares[i] - mean ** 2);
    return sum + 2 * around ** 2 + 4 * around * mean ** 2;
  }, 0);
  const error = 4 * Math.sqrt(variance);
  return { distance: Math.sqrt(square), low: Math.sqrt(Math.max(0, square - error)), high: Math.sqrt(square + error) };
}

function eloOf({ variables }: SpsaSettings, { elo }: SimulationSettings, optimum: number[], values: number[]): number {
  return values.reduce((sum, value, i) => sum - elo * ((value - optimum[i]) / variables[i].cEnd) ** 2, 0);
}

// Returns 1 for a win of the plus side, 0 for a draw, −1 for a loss
function simulatedGame(difference: number, draws: number, random: Random): number {
  const expected = 1 / (1 + 10 ** (-difference / 400));
  const drawn = 4 * draws * expected * (1 - expected);
  const win = expected - drawn / 2;
  const draw = randomUnit(random);
  return draw < win ? 1 : draw < win + drawn ? 0 : -1;
}
