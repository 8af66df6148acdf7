// LoopFolder: the paths in a loop's folder. The folder has start.json, the best weights, the report, the film, and for each generation a
// folder with games, labels, fit, weights, compiled engine and matches. Generation 0 is the start.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unsealedJson } from '../../selfplay/common/run-files.js';
import { readWeights } from '../../selfplay/common/weights.js';
import type { CurvePoint } from '../fit/fit.js';
import type { FitReport } from '../fit/result.js';

/** Figures of a fit, with a checksum; written after its weights. */
export interface FitFile {
  fit: FitReport;
  curve: CurvePoint[];
  /** Checksum of the weights file; missing in runs of earlier versions. */
  weights?: string;
}

export type LoopFolder = ReturnType<typeof loopFolder>;

/** Returns the paths in a loop's folder. */
export function loopFolder(path: string) {
  const of = (generation: number): string => join(path, `generation-${String(generation).padStart(2, '0')}`);
  const inEach = (name: string) => (generation: number) => join(of(generation), name);
  const orStart = (start: string, name: string) => (generation: number) =>
    generation === 0 ? join(path, start) : join(of(generation), name);
  const weights = orStart('start.json', 'weights.json');
  const fitted = inEach('fit.json');
  return {
    path,
    of,
    games: inEach('games'),
    /** The labels that the generation is fitted to, from the games of its window. */
    labels: inEach('labels'),
    /** Paths of the labels of a round before the last, and of the weights fitted to them. */
    draft: (generation: number, round: number) => {
      const path = join(of(generation), `draft-${round}`);
      return { labels: join(path, 'labels'), weights: join(path, 'weights.json') };
    },
    weights,
    fit: fitted,
    build: orStart('start-build', 'build'),
    match: inEach('match'),
    /** The match against the shipped weights, if the loop ends with this generation's weights. */
    finalMatch: inEach('final-match'),
    /** The best weights so far, the report and the film. */
    best: join(path, 'weights.json'),
    report: join(path, 'report.html'),
    film: join(path, 'film.html'),
    /** Path of the folder of a run, if the loop has several runs; they are numbered from 1. */
    run: (number: number) => join(path, `run-${number}`),
    /** Returns the figures of the generation's fit, or null if they or its weights are missing or damaged. */
    readFit(generation: number): FitFile | null {
      try {
        readWeights(weights(generation));
        const file = unsealedJson(readFileSync(fitted(generation), 'utf8')) as FitFile | null;
        return file?.fit !== undefined && Array.isArray(file.curve) ? file : null;
      } catch {
        return null;
      }
    },
  };
}
