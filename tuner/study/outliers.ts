// outliers(): suspicious values and the positions that cause them. A value is suspicious if it differs from its neighbours on the board or
// in its array by more than is usual in its row of the table. (Österlund's tuner once gave a queen on b7 an odd value because of a few
// games.) The standard error and the games with the most influence distinguish noise, the effect of a few games, and missing knowledge.

import type { Dataset } from '../dataset/dataset.js';
import { isBoard, isMaterial, type Model, type Term, termAt, widthOf } from '../model/model.js';
import { pulls, type StandardErrors } from './standard-errors.js';

export interface Outlier {
  /** Null for an untapered value. */
  phase: 'middlegame' | 'endgame' | null;
  term: number;
  value: number;
  error: number;
  /** Mean of the neighbours. */
  neighbours: number;
  positions: number;
  games: number;
  /** Smallest number of games that have half of the squared influence. */
  half: number;
  /** `inherited` if the value differs from its neighbours by about as much in the prior weights. */
  verdict: 'noise' | 'inherited' | 'few games' | 'consistent';
  /** The rows with the most influence in the leap's direction, one per game, and their influence in centipawns. */
  rows: { row: number; pull: number }[];
}

export interface OutlierSettings {
  model: Model;
  weights: Float64Array;
  /** Weights at the centre of the prior. */
  prior: Float64Array;
  standardErrors: StandardErrors;
  occurrences: { positions: Uint32Array; games: Uint32Array };
  free: Uint8Array;
}

const LISTED = 8;
const PER_TABLE = 2;
const ROWS = 3;
/** Minimum leap in centipawns. */
const MIN_LEAP = 8;
const FEW_GAMES = 12;

/**
 * A value that differs from the mean of its neighbours by `leap`, and by `priorLeap` in the prior weights; `oddity` is |leap| / (usual leap
 * of the row + MIN_LEAP / 2).
 */
interface Leap {
  coordinate: number;
  leap: number;
  priorLeap: number;
  neighbours: number;
  oddity: number;
}

/** Returns the most suspicious values, worst first. */
export function outliers(dataset: Dataset, settings: OutlierSettings): Outlier[] {
  const found: Leap[] = [];
  for (const term of settings.model.terms) {
    // Material values are not comparable with each other
    if (isMaterial(term) || widthOf(term) < 3) continue;
    for (let from = 0; from < term.size; from += widthOf(term)) {
      for (const phase of term.isUntapered === true ? [0] : [0, settings.weights.length / 2]) {
        found.push(...leapsOf(term, phase + term.offset + from, settings));
      }
    }
  }
  return oddest(found, LISTED).map((leap) => describe(dataset, settings, leap));
}

const oddest = (leaps: Leap[], most: number): Leap[] =>
  leaps.sort((a, b) => b.oddity - a.oddity || a.coordinate - b.coordinate).slice(0, most);

/** Returns the largest leaps within the row of a table whose first value has the coordinate `first`. */
function leapsOf(term: Term, first: number, { weights, prior, free }: OutlierSettings): Leap[] {
  const width = widthOf(term);
  const leaps: Omit<Leap, 'oddity'>[] = [];
  for (let column = 0; column < width; column++) {
    const around = isBoard(term)
      ? aroundSquare(column)
      : [column - 1, column + 1].filter((at) => at >= 0 && at < width);
    const near = around.filter((at) => free[first + at] === 1);
    if (free[first + column] === 0 || near.length < (isBoard(term) ? 3 : 2)) continue;
    const meanOf = (values: Float64Array): number =>
      near.reduce((sum, at) => sum + values[first + at], 0) / near.length;
    const coordinate = first + column;
    const neighbours = meanOf(weights);
    const priorLeap = prior[coordinate] - meanOf(prior);
    leaps.push({ coordinate, leap: weights[coordinate] - neighbours, priorLeap, neighbours });
  }
  const usual = median(leaps.map(({ leap }) => Math.abs(leap)));
  const large = leaps.filter(({ leap }) => Math.abs(leap) >= MIN_LEAP);
  const rated = large.map((entry) => ({ ...entry, oddity: Math.abs(entry.leap) / (usual + MIN_LEAP / 2) }));
  return oddest(rated, PER_TABLE);
}

function aroundSquare(square: number): number[] {
  const distanceTo = (other: number): number =>
    Math.max(Math.abs((other & 7) - (square & 7)), Math.abs((other >> 3) - (square >> 3)));
  return Array.from({ length: 64 }, (_, other) => other).filter((other) => distanceTo(other) === 1);
}

function describe(
  dataset: Dataset,
  { model, weights, standardErrors, occurrences }: OutlierSettings,
  { coordinate, leap, priorLeap, neighbours }: Leap,
): Outlier {
  const terms = weights.length / 2;
  const term = coordinate % terms;
  const drawn = pulls(standardErrors, coordinate);
  const games = new Map<number, { sum: number; row: number; best: number }>();
  const sign = Math.sign(leap);
  drawn.forEach((pull, row) => {
    if (pull === 0) return;
    const entry = games.get(dataset.game[row]) ?? { sum: 0, row, best: Number.NEGATIVE_INFINITY };
    entry.sum += pull;
    if (sign * pull > entry.best) {
      entry.best = sign * pull;
      entry.row = row;
    }
    games.set(dataset.game[row], entry);
  });
  const squares = [...games.values()].map(({ sum }) => sum * sum).sort((a, b) => b - a);
  const total = squares.reduce((sum, square) => sum + square, 0);
  let half = 0;
  for (let sum = 0; half < squares.length && sum < total / 2; half++) sum += squares[half];
  const strongest = [...games.values()].sort((a, b) => b.best - a.best).slice(0, ROWS);
  const error = standardErrors.errors[coordinate];
  const isUntapered = termAt(model, term)?.isUntapered === true;
  const verdictOfGames = half <= FEW_GAMES ? 'few games' : 'consistent';
  return {
    phase: isUntapered ? null : coordinate < terms ? 'middlegame' : 'endgame',
    term,
    value: weights[coordinate],
    error,
    neighbours,
    positions: occurrences.positions[term],
    games: occurrences.games[term],
    half,
    // The prior counts as an observation, so a value that only repeats the prior may have a small standard error
    verdict:
      Math.abs(leap) < 2 * error ? 'noise' : Math.abs(leap - priorLeap) < 2 * error ? 'inherited' : verdictOfGames,
    rows: strongest.map(({ row, best }) => ({ row, pull: sign * best })),
  };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
