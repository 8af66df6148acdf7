// Weights files for runs that tune tables: one for each pair and side, loaded by the engines, deleted after the iteration.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../selfplay/common/errors.js';
import { streamOf } from './method.js';
import type { Tunables } from './tunables.js';

export class KnobWeights {
  /** Files written, with their iterations. */
  private readonly files = new Map<string, number>();

  constructor(
    private readonly tunables: Tunables,
    private readonly folder: string,
    private readonly seed: number,
  ) {}

  /**
   * Returns the file of a side of pair `pair` in iteration `k`. Both games of a pair use the same integers and may be played at the same
   * time, so the file is written only once.
   */
  fileOf(k: number, pair: number, side: 'plus' | 'minus', values: number[]): string {
    const file = join(this.folder, `${k}-${pair}-${side}.json`);
    if (this.files.has(file)) return file;
    const random = streamOf('weights', this.seed, k, pair, side === 'plus' ? 0 : 1);
    const { terms } = this.tunables.weights(values, random);
    attempt(`cannot write ${file}`, () => {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(file, JSON.stringify({ terms }));
    });
    this.files.set(file, k);
    return file;
  }

  /** Removes the files of iterations up to `k`. With infinity, it also removes the files of an interrupted run. */
  drop(k: number): void {
    for (const [file, iteration] of this.files) {
      if (iteration > k) continue;
      rmSync(file, { force: true });
      this.files.delete(file);
    }
    if (k === Number.POSITIVE_INFINITY) rmSync(this.folder, { recursive: true, force: true });
  }
}
