// LoopFolder: the paths in a loop's folder: start.json, and for each generation a folder with games, fit, weights, compiled engine and
// match. Generation 0 is the start.

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
  /** Checksum of the weights file; runs of earlier versions have none. */
  weights?: string;
}

export class LoopFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  of(generation: number): string {
    return join(this.path, `generation-${String(generation).padStart(2, '0')}`);
  }

  games(generation: number): string {
    return join(this.of(generation), 'games');
  }

  /** Positions of the games of the generation's fit, searched with the weights that the generation began with. */
  labels(generation: number): string {
    return join(this.of(generation), 'labels');
  }

  weights(generation: number): string {
    return generation === 0 ? join(this.path, 'start.json') : join(this.of(generation), 'weights.json');
  }

  /** The best weights so far. */
  get best(): string {
    return join(this.path, 'weights.json');
  }

  fit(generation: number): string {
    return join(this.of(generation), 'fit.json');
  }

  build(generation: number): string {
    return generation === 0 ? join(this.path, 'start-build') : join(this.of(generation), 'build');
  }

  match(generation: number): string {
    return join(this.of(generation), 'match');
  }

  /** The match of the generation's weights against the shipped ones, when the loop ends with them. */
  finalMatch(generation: number): string {
    return join(this.of(generation), 'final-match');
  }

  /** Returns the figures of the generation's fit, or null if they or its weights are missing or damaged. */
  readFit(generation: number): FitFile | null {
    try {
      readWeights(this.weights(generation));
      const left: Partial<FitFile> | null = unsealedJson(readFileSync(this.fit(generation), 'utf8')) as FitFile | null;
      return left?.fit !== undefined && Array.isArray(left.curve) ? (left as FitFile) : null;
    } catch {
      return null;
    }
  }
}
