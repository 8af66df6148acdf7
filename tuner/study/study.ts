// What is to be seen in a fit once it is done: how sure each value is, which ones look wrong and why, where the
// evaluation misses, which knowledge it lacks, and whether more games would help. Calibration and residuals come from
// held-out games only, where there are any.

import { TERM_COUNT } from '../../engine/eval/terms.js';
import type { FitResult } from '../fit/fit.js';
import { type FitBench, fitSettings } from '../fit/fit-bench.js';
import { stagesOf } from '../fit/freedom.js';
import type { TuneSettings } from '../fit/tune-settings.js';
import { derivativesAt, gradientOf, type Observations, observe } from '../objective/observations.js';
import { evaluations, expectations } from '../objective/prediction.js';
import { newIntake } from '../trace/chunks.js';
import { addSight, emptySight, type Sight } from '../trace/sight.js';
import { traceChunks } from '../trace/trace-pool.js';
import { toVector } from '../weights/weights-file.js';
import { certaintyOf, occurrencesOf } from './certainty.js';
import { type GamesCurve, gamesCurve } from './games-curve.js';
import { type Missing, missingKnowledge } from './missing.js';
import { type Suspect, suspects } from './suspects.js';

export interface Study {
  /** Standard errors by weight (cp): all mg, then all eg; NaN for what never occurs. */
  errors: Float64Array;
  /** Positions and games by term, training side. */
  positions: Uint32Array;
  games: Uint32Array;
  /** Expected excess of the held-out error over that of the best weights there are for these terms. */
  excess: number;
  suspects: (Suspect & { examples: Example[] })[];
  /** Positions expected to score about `expected`, and what they scored. */
  calibration: CalibrationBin[];
  residuals: ResidualGroup[];
  missing: Missing[];
  gamesCurve: GamesCurve | null;
  /** Where calibration and residuals come from. */
  side: 'held-out' | 'train';
}

/** A position that pulls a value by so many centipawns: what it came to, and what the fit expects (0 to 1, White's). */
export interface Example {
  fen: string;
  pull: number;
  result: number;
  expected: number;
}

export interface CalibrationBin {
  expected: number;
  scored: number;
  /** Standard error of `scored`, by games. */
  error: number;
  positions: number;
}

/** Mean result above expectation over positions of one kind, with its standard error by games. */
export interface ResidualGroup {
  kind: string;
  group: string;
  positions: number;
  mean: number;
  error: number;
}

const BINS = 20;
const LEAST_POSITIONS = 100;

/** Told what is being done, and asked whether to go on. */
export interface StudyObserver {
  onStep?: (text: string) => void;
  isInterrupted?: () => boolean;
}

/** Studies the fit; reads the data a second time. When interrupted it ends with a UserError. */
export async function studyFit(
  bench: FitBench,
  settings: TuneSettings,
  fit: FitResult,
  { onStep = () => {}, isInterrupted = () => false }: StudyObserver = {},
): Promise<Study> {
  const { split, k, loaded } = bench;
  const { dataset } = loaded;
  const { penalty, start, prior, occurrences: used } = fitSettings(bench, settings);
  const frozen = stagesOf(settings.freedom).at(-1)?.frozen;
  const free = Uint8Array.from(fit.weights, (_, i) => {
    return used[i % TERM_COUNT] > 0 && frozen?.[i % TERM_COUNT] !== 1 ? 1 : 0;
  });
  const training = withLabels(observe(dataset, split.heldOut, 0, k, settings.loss), bench);
  const games = split.trainGames;

  onStep('standard errors');
  const certainty = certaintyOf(training, { weights: fit.weights, penalty, games, free });
  const occurrences = occurrencesOf(dataset, training.shares);
  const listed = suspects(dataset, { weights: fit.weights, certainty, occurrences, free });

  onStep('a second look at the data');
  const side = split.heldOutGames > 0 ? 1 : 0;
  const wanted = new Set(listed.flatMap(({ rows }) => rows.map(({ row }) => row)));
  const sight = await lookAgain(bench, settings, { weights: fit.weights, side, wanted, isInterrupted });
  const fens = new Map(sight.fens.map(({ row, fen }) => [row, fen]));

  onStep('fits to fewer games');
  const curve = gamesCurve(dataset, {
    ...{ heldOut: split.heldOut, k, loss: settings.loss, start, prior, free },
    ...{ pull: penalty * games, seed: settings.filter.seed },
  });

  const expected = expectations(evaluations(dataset, fit.weights), k);
  const { slopes, total } = derivativesAt(training, expected);
  const gradient = gradientOf(dataset, slopes, TERM_COUNT);
  gradient.forEach((value, i) => {
    gradient[i] = free[i] === 1 ? value + 2 * penalty * total * (fit.weights[i] - prior[i]) : 0;
  });
  return {
    errors: certainty.errors.map((error, i) => (occurrences.positions[i % TERM_COUNT] > 0 ? error : Number.NaN)),
    ...occurrences,
    excess: certainty.excess,
    suspects: listed.map((suspect) => ({
      ...suspect,
      examples: suspect.rows.map(({ row, pull }) => {
        return { fen: fens.get(row) ?? '', pull, result: training.targets[row], expected: expected[row] };
      }),
    })),
    calibration: calibrationOf(withLabels(observe(dataset, split.heldOut, side, k, settings.loss), bench), fit.weights),
    residuals: residualsOf(sight),
    missing: missingKnowledge(sight.features, certainty, gradient, total),
    gamesCurve: curve,
    side: side === 1 ? 'held-out' : 'train',
  };
}

/** The labels of the fit in place of plain results. */
function withLabels(observations: Observations, { labels }: FitBench): Observations {
  if (labels === undefined) return observations;
  const targets = Float64Array.from(labels.target);
  const shares = observations.shares.map((share, row) => share * labels.weight[row]);
  return { ...observations, targets, shares };
}

async function lookAgain(
  { loaded, split, k, before }: FitBench,
  { data, filter, workers, loss }: TuneSettings,
  {
    weights,
    side,
    wanted,
    isInterrupted,
  }: { weights: Float64Array; side: 0 | 1; wanted: ReadonlySet<number>; isInterrupted: () => boolean },
): Promise<Sight> {
  const starts = [0];
  for (const rows of loaded.chunkRows) starts.push(starts[starts.length - 1] + rows);
  const sum = emptySight(weights.length);
  const waiting = new Map<number, Sight>();
  let next = 0;
  // Positions are resolved as they were for the fit
  await traceChunks(
    { data, filter, weights: toVector(before), workers },
    newIntake(),
    { isInterrupted },
    {
      sightOf: (index) => {
        const [from, to] = [starts[index], starts[index + 1]];
        const rows = [...wanted].filter((row) => row >= from && row < to).map((row) => row - from);
        const heldOut = split.heldOut.slice(from, to);
        return { task: { k, loss, heldOut, side, wanted: rows }, weights };
      },
      onResult: (index, _, { sight }) => {
        if (sight !== null) waiting.set(index, sight);
        for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
          const from = starts[next];
          addSight(sum, { ...ready, fens: ready.fens.map(({ row, fen }) => ({ row: row + from, fen })) });
          waiting.delete(next++);
        }
      },
    },
  );
  return sum;
}

function calibrationOf(observations: Observations, weights: Float64Array): CalibrationBin[] {
  const { dataset, targets, shares, k } = observations;
  const expected = expectations(evaluations(dataset, weights), k);
  const sums = Array.from({ length: BINS }, () => ({ expected: 0, scored: 0, squares: 0, positions: 0, miss: 0 }));
  const close = (): void => {
    for (const bin of sums) {
      bin.squares += bin.miss * bin.miss;
      bin.miss = 0;
    }
  };
  for (let row = 0; row < expected.length; row++) {
    if (row > 0 && dataset.game[row] !== dataset.game[row - 1]) close();
    if (shares[row] === 0) continue;
    const bin = sums[Math.min(BINS - 1, Math.floor(BINS * expected[row]))];
    bin.positions++;
    bin.expected += expected[row];
    bin.scored += targets[row];
    bin.miss += targets[row] - expected[row];
  }
  close();
  return sums
    .filter(({ positions }) => positions > 0)
    .map(({ expected: sum, scored, squares, positions }) => {
      return {
        expected: sum / positions,
        scored: scored / positions,
        error: Math.sqrt(squares) / positions,
        positions,
      };
    });
}

function residualsOf({ residuals }: Sight): ResidualGroup[] {
  return Object.entries(residuals).flatMap(([kind, groups]) =>
    Object.entries(groups)
      .filter(([, [count]]) => count >= LEAST_POSITIONS)
      .map(([group, [positions, sum, squares]]) => {
        return { kind, group, positions, mean: sum / positions, error: Math.sqrt(squares) / positions };
      }),
  );
}
