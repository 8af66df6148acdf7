// KnobWeights: the weights files of runs that tune tables, one for each pair and side. The engines load them; they are deleted after the
// iteration.

import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../selfplay/common/errors.js';
import { isFolder } from '../../selfplay/common/files.js';
import { streamOf } from './method.js';
import type { Tunables } from './tunables.js';

const NAME = /^\d+-\d+-(?:plus|minus)\.json$/;

export class KnobWeights {
  /** Files written, with their iterations. */
  private readonly files = new Map<string, number>();

  constructor(
    private readonly tunables: Tunables,
    private readonly folder: string,
    private readonly seed: number,
  ) {}

  /**
   * Returns the file of a side of a pair in iteration `k`. Both games of the pair use the same integers and may be played at the same time,
   * so the file is written only once. Throws a UserError if it cannot be written.
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

  /** Removes the files of iterations up to `k`. */
  drop(k: number): void {
    for (const [file, iteration] of this.files) {
      if (iteration > k) continue;
      rmSync(file, { force: true });
      this.files.delete(file);
    }
  }

  /** Removes the files of all iterations, also of an interrupted run, and the folder if it contains nothing else. */
  clear(): void {
    if (!isFolder(this.folder)) return;
    const names = readdirSync(this.folder);
    const own = names.filter((name) => NAME.test(name));
    for (const name of own) rmSync(join(this.folder, name), { force: true });
    if (own.length === names.length) rmdirSync(this.folder);
  }
}
