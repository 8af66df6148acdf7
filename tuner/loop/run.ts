// runLoop(): generations of self-play, labels, fit, compilation and match. The ledger is its state: its entries are complete, and the
// stages do or continue the rest. An interrupted run ends with the same result.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { benchSignature } from '../../selfplay/common/bench-signature.js';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { lockFolder } from '../../selfplay/common/folder-lock.js';
import { programVersion } from '../../selfplay/common/program.js';
import { loadWeights, readWeights, weightsHash } from '../../selfplay/common/weights.js';
import type { Competitor } from '../../selfplay/series/settings.js';
import { LoopFolder } from '../generations/folder.js';
import { hasEnded, openLedger, saveLedger } from '../generations/ledger.js';
import type { FinalEntry, GenerationEntry, Ledger, LoopSettings } from '../generations/settings.js';
import { aboutTime, planLines, poolLines, ratioCourse, verdictOf } from '../generations/story.js';
import { RunTimes } from '../generations/times.js';
import { HEFT } from '../model/heft.js';
import { matchEntry, matchLine } from '../weights/shipped-ledger.js';
import { formatWeights } from '../weights/weights-file.js';
import { Interrupted, LoopContext, type LoopObserver } from './context.js';
import { Learning } from './learning.js';
import { guestsOf, Matches, tryEngines } from './matches.js';
import { type Draft, STAGES, type Workshop } from './stages.js';

/** Displayed digits of the weights' checksum, enough to recognise a repeated run. */
const SHOWN_DIGITS = 16;

export interface LoopResult {
  ledger: Ledger;
  weights: WeightSet;
  /** Hash and provenance of the start weights. */
  start: { hash: string; provenance: WeightSet['provenance'] };
  report: string;
  /** Folder of the engine with the weights. */
  build: string;
}

/** Runs the loop, or the rest of the one in the folder, to its end. Throws Interrupted if the signal stops it. */
export async function runLoop(
  path: string,
  settings: LoopSettings,
  workers: number,
  observer: LoopObserver,
): Promise<LoopResult> {
  const guests = guestsOf(settings);
  const folder = new LoopFolder(path);
  const isNew = !existsSync(folder.weights(0));
  const start = isNew ? loadWeights(settings.from) : null;
  if (isNew && settings.poolGames > 0) await tryEngines(guests, observer.onNote);
  makeFolder(path);
  const unlock = lockFolder(path);
  try {
    const ledger = openLedger(path, settings, programVersion(), benchSignature());
    if (start !== null) writeFileAtomic(folder.weights(0), formatWeights(HEFT, start));
    return await new Loop(new LoopContext(folder, ledger, workers, observer, STAGES), guests).run();
  } finally {
    unlock();
  }
}

class Loop {
  private readonly context: LoopContext;
  private readonly workshop: Workshop;

  constructor(context: LoopContext, guests: readonly Competitor[]) {
    this.context = context;
    this.workshop = { context, learning: new Learning(context), matches: new Matches(context, guests) };
  }

  async run(): Promise<LoopResult> {
    const { ledger, folder, observer } = this.context;
    for (const entry of ledger.generations) await this.check(entry);
    if (ledger.final === null) {
      const left = this.context.pace.left(this.isOver() ? Number.POSITIVE_INFINITY : this.next);
      observer.onStage(planLines(ledger, left).join('\n'));
    }
    try {
      await this.learn();
    } catch (error) {
      if (error instanceof Interrupted) await this.publish();
      throw error;
    }
    const report = await this.publish();
    const first = readWeights(folder.weights(0));
    const start = { hash: weightsHash(first), provenance: first.provenance };
    const best = this.best();
    return {
      ledger,
      weights: readWeights(folder.weights(best)),
      start,
      report,
      build: this.workshop.matches.build(best),
    };
  }

  private async learn(): Promise<void> {
    const { ledger, folder, observer } = this.context;
    const times = new RunTimes(folder.path);
    while (!this.isOver()) {
      const entry = await times.measure(this.next, () => this.generation(this.next));
      ledger.generations.push(entry);
      saveLedger(folder.path, ledger);
      await this.publish();
      // Without a match, the line of a generation gives the reason
      const line = entry.match === null ? entry.line : `${verdictOf(entry)}: ${entry.line}`;
      observer.onStage(`generation ${entry.generation}: ${line}`);
      observer.onStage(`  weights ${entry.weights.slice(0, SHOWN_DIGITS)}`);
      const course = entry.match === null ? '' : ratioCourse(folder.match(entry.generation));
      if (course !== '') observer.onStage(`  course of its LLR: ${course}`);
      for (const line of poolLines(entry)) observer.onStage(line);
    }
    if (ledger.final !== null) return;
    ledger.final = await this.finalMatch();
    saveLedger(folder.path, ledger);
  }

  /** Writes the current report, film and best weights; returns the report's path. */
  private async publish(): Promise<string> {
    const { ledger, folder } = this.context;
    // Loaded late, because the charting library takes longer to load than most errors take to appear
    const { renderLoopReport } = await import('./report.js');
    const { renderFilm } = await import('../film/page.js');
    const report = join(folder.path, 'report.html');
    writeFileAtomic(report, renderLoopReport(ledger, folder));
    writeFileAtomic(join(folder.path, 'film.html'), await renderFilm(ledger, folder));
    writeFileAtomic(folder.best, formatWeights(HEFT, readWeights(folder.weights(this.best()))));
    return report;
  }

  private get next(): number {
    return this.context.ledger.generations.length + 1;
  }

  private tell(text: string, generation: number, stage?: string): void {
    const { observer, pace } = this.context;
    const left = pace.left(generation, stage);
    observer.onStage(`${text} (${aboutTime(left)} left)`);
    observer.onPace(left, pace.left(1));
  }

  // The files of finished generations must exist and match the ledger; damaged ones are made again
  private async check({ generation, played, weights }: GenerationEntry): Promise<void> {
    const base = this.context.folder.weights(this.context.baseOf(generation));
    if (weightsHash(readWeights(base)) !== played)
      throw new UserError(`${base}: hash differs from ledger.json; restore the file`);
    await this.workshop.learning.fit(generation);
    const file = this.context.folder.weights(generation);
    if (weightsHash(readWeights(file)) !== weights)
      throw new UserError(`${file}: hash differs from ledger.json; delete the file`);
  }

  private isOver(): boolean {
    const { settings, generations } = this.context.ledger;
    return hasEnded(settings, generations);
  }

  private best(): number {
    return this.context.baseOf(this.next);
  }

  private async generation(number: number): Promise<GenerationEntry> {
    const title = `generation ${number} of ${this.context.ledger.settings.generations}`;
    const draft: Draft = { generation: number, seed: this.context.seedOf(number) };
    for (const stage of STAGES) {
      const line = stage.announce(this.workshop, draft);
      if (line !== null) this.tell(`${title}: ${line}`, number, stage.name);
      Object.assign(draft, await stage.run(this.workshop, draft));
    }
    return draft as GenerationEntry;
  }

  private async finalMatch(): Promise<FinalEntry> {
    const generation = this.best();
    const weights = weightsHash(readWeights(this.context.folder.weights(generation)));
    if (weights === weightsHash(loadWeights('shipped'))) {
      return { weights, generation, match: null, line: 'the weights are the shipped ones' };
    }
    this.tell('match against the shipped weights', Number.POSITIVE_INFINITY);
    const match = await this.workshop.matches.final(generation);
    return { weights, generation, match: matchEntry(match), line: matchLine(match) };
  }
}
