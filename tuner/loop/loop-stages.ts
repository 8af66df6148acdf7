// The stages of a loop: self-play, fit and match of a generation. Each stores its whole result on disk and continues after an
// interruption, so a stage that is run twice does its work once.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../../engine/kernel/random.js';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { defaultSettings } from '../../selfplay/common/options.js';
import { loadWeights, readWeights } from '../../selfplay/common/weights.js';
import { runSelfplay, type SelfplayProgress } from '../../selfplay/datagen/run.js';
import { SELFPLAY_OPTIONS } from '../../selfplay/datagen/settings.js';
import { ownEngine } from '../../selfplay/engines/engine-spec.js';
import { runMatch } from '../../selfplay/match/match.js';
import type { MatchResult } from '../../selfplay/match/match-result.js';
import { DEFAULT_GAMES } from '../../selfplay/series/game-settings.js';
import type { MatchSettings } from '../../selfplay/series/series-settings.js';
import { fitReport, formatCurve } from '../commands/tune-output.js';
import { type TuneResult, tune } from '../fit/tune.js';
import type { TuneObserver } from '../fit/tune-observer.js';
import { DEFAULTS, type TuneSettings } from '../fit/tune-settings.js';
import { compileEngine } from '../weights/compile.js';
import { formatWeights } from '../weights/weights-file.js';
import { bestBefore, type Ledger } from './ledger.js';
import type { FitFile, LoopFolder } from './loop-folder.js';
import type { LoopSettings } from './loop-settings.js';

/** Told how the loop goes; `signal` stops it. */
export interface LoopObserver {
  onStage: (text: string) => void;
  onSelfplay: (progress: SelfplayProgress, total: number) => void;
  fitObserver: (epochs: number) => TuneObserver;
  onMatch: (result: MatchResult, settings: MatchSettings) => void;
  onNote: (note: string) => void;
  signal: AbortSignal;
}

/** Thrown when the signal stopped the loop; the same command continues it. */
export class Interrupted extends Error {}

/** Does the stages of one loop; each throws Interrupted when the signal stopped it. */
export class Stages {
  private readonly folder: LoopFolder;
  private readonly settings: LoopSettings;
  private readonly workers: number;
  private readonly observer: LoopObserver;
  private readonly ledger: Ledger;

  constructor(folder: LoopFolder, workers: number, observer: LoopObserver, ledger: Ledger) {
    this.folder = folder;
    this.settings = ledger.settings;
    this.workers = workers;
    this.observer = observer;
    this.ledger = ledger;
  }

  /** Returns the seed of a generation's games and openings; 0 is the final match. */
  seedOf(generation: number): number {
    return createRandom(this.settings.seed, generation)() >>> 1;
  }

  /** Returns the generation whose weights this one plays and learns with. */
  baseOf(generation: number): number {
    return bestBefore(this.ledger.generations, generation);
  }

  /** Plays the games of a generation, or what is missing or damaged of them. */
  async selfplay(number: number): Promise<SelfplayProgress> {
    const { games, nodes, jitter } = this.settings;
    const progress = await runSelfplay(
      {
        ...defaultSettings(SELFPLAY_OPTIONS),
        ...{ games, softNodes: nodes, nodes: 8 * nodes, jitter, book: [] },
        seed: this.seedOf(number),
        out: this.folder.games(number),
        workers: this.workers,
        weights: readWeights(this.folder.weights(this.baseOf(number))),
        command: `npm run loop, generation ${number}`,
      },
      {
        onProgress: (state) => this.observer.onSelfplay(state, games),
        onNote: this.observer.onNote,
        signal: this.observer.signal,
      },
    );
    if (progress.games < games) throw new Interrupted();
    return progress;
  }

  /** Fits the weights of a generation to the games of the latest ones, unless that has been done. */
  async fit(number: number): Promise<FitFile> {
    const { folder } = this;
    const done = folder.readFit(number);
    if (done !== null) return done;
    const result = await this.tune(number);
    const left: FitFile = { fit: fitReport(result), curve: [...result.fit.curve] };
    rmSync(folder.build(number), { recursive: true, force: true });
    writeFileAtomic(join(folder.of(number), 'curve.csv'), formatCurve(result.fit.curve));
    writeFileAtomic(folder.weights(number), formatWeights(result.weights));
    writeFileAtomic(folder.fit(number), `${JSON.stringify(left)}\n`);
    return left;
  }

  /** Plays the weights of a generation against those it began with. */
  match(candidate: number): Promise<MatchResult> {
    const { elo0, elo1, matchGames } = this.settings;
    return this.play({
      ...this.matchSettings(this.folder.match(candidate), this.seedOf(candidate), matchGames),
      engines: [this.competitor(candidate), this.competitor(this.baseOf(candidate))],
      sprt: { elo0, elo1, alpha: 0.05, beta: 0.05, model: 'normalized' },
    });
  }

  /** Plays the weights of a generation against the shipped ones. */
  finalMatch(generation: number): Promise<MatchResult> {
    const build = join(this.folder.path, 'shipped-build');
    if (!existsSync(build)) compileEngine(loadWeights('shipped'), build);
    const { elo0, elo1, finalGames } = this.settings;
    return this.play({
      ...this.matchSettings(join(this.folder.path, 'final-match'), this.seedOf(0), finalGames),
      engines: [this.competitor(generation), this.engine(build, 'shipped')],
      sprt: { elo0, elo1, alpha: 0.05, beta: 0.05, model: 'normalized' },
    });
  }

  private async tune(number: number): Promise<TuneResult> {
    const { window, perGame, resolve, epochs, l2, seed } = this.settings;
    const first = Math.max(1, number - window + 1);
    // Games that were damaged since they were played are mended
    for (let generation = first; generation <= number; generation++) await this.selfplay(generation);
    const settings: TuneSettings = {
      ...DEFAULTS,
      data: Array.from({ length: number - first + 1 }, (_, i) => this.folder.games(first + i)),
      start: this.folder.weights(this.baseOf(number)),
      ...{ epochs, l2, perGame, resolve, seed },
      workers: this.workers,
    };
    try {
      const result = await tune(settings, { ...this.observer.fitObserver(epochs), signal: this.observer.signal });
      if (result.fit.stopped !== 'interrupted') return result;
    } catch (error) {
      if (!(error instanceof UserError && error.exitCode === 130)) throw error;
    }
    throw new Interrupted();
  }

  /** The engine of a generation, compiled if it is not there yet. */
  private competitor(generation: number): MatchSettings['engines'][number] {
    const build = this.folder.build(generation);
    if (!existsSync(build)) compileEngine(readWeights(this.folder.weights(generation)), build);
    return this.engine(build, generation === 0 ? 'start' : `generation ${generation}`);
  }

  private engine(build: string, name: string): MatchSettings['engines'][number] {
    const limits = { nodes: this.settings.matchNodes, margin: 0, stall: 60_000 };
    return { spec: ownEngine('shipped', { build, name }), limits };
  }

  private matchSettings(out: string, seed: number, games: number): Omit<MatchSettings, 'engines'> {
    return { ...DEFAULT_GAMES, order: 'sequential', seed, games, workers: this.workers, out };
  }

  private async play(settings: MatchSettings): Promise<MatchResult> {
    const result = await runMatch(settings, {
      onProgress: (state) => this.observer.onMatch(state, settings),
      onWarning: this.observer.onNote,
      signal: this.observer.signal,
    });
    if (!result.finished) throw new Interrupted();
    return result;
  }
}
