// Stages: self-play, fit and match of a generation of a loop. Each stores its whole result on disk and continues after an
// interruption, so a stage that is run twice does its work once.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../../engine/kernel/random.js';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { defaultSettings } from '../../selfplay/common/options.js';
import { foldAlike } from '../../selfplay/common/warnings.js';
import { loadWeights, readWeights } from '../../selfplay/common/weights.js';
import { runSelfplay, type SelfplayProgress } from '../../selfplay/datagen/run.js';
import { SELFPLAY_OPTIONS } from '../../selfplay/datagen/settings.js';
import { ownEngine } from '../../selfplay/engines/engine-spec.js';
import { runMatch } from '../../selfplay/match/match.js';
import type { MatchResult } from '../../selfplay/match/match-result.js';
import { DEFAULT_GAMES } from '../../selfplay/series/game-settings.js';
import type { MatchSettings } from '../../selfplay/series/series-settings.js';
import { formatCurve } from '../commands/tune-output.js';
import { fitReport } from '../fit/fit-report.js';
import type { TuneObserver } from '../fit/setup.js';
import { type TuneResult, tune } from '../fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../fit/tune-settings.js';
import { K_UNKNOWN } from '../objective/fit-k.js';
import { compileEngine } from '../weights/compile.js';
import { formatWeights } from '../weights/weights-file.js';
import { bestBefore, type Ledger } from './ledger.js';
import type { FitFile, LoopFolder } from './loop-folder.js';
import { Pace } from './loop-story.js';
import { type Effort, effortOf } from './schedule.js';

/** Told how the loop goes; `signal` stops it. */
export interface LoopObserver {
  onStage: (text: string) => void;
  onSelfplay: (progress: SelfplayProgress, total: number) => void;
  fitObserver: TuneObserver;
  onMatch: (result: MatchResult, settings: MatchSettings) => void;
  onNote: (note: string) => void;
  signal: AbortSignal;
}

/** Thrown when the signal stopped the loop; the same command continues it. */
export class Interrupted extends Error {}

/** What the stages of one loop work on. */
export interface LoopContext {
  folder: LoopFolder;
  ledger: Ledger;
  workers: number;
  observer: LoopObserver;
}

/** Does the stages of one loop; each throws Interrupted when the signal stopped it. */
export class Stages {
  readonly pace: Pace;
  private readonly context: LoopContext;

  constructor(context: LoopContext) {
    this.context = context;
    this.pace = new Pace(context.ledger.settings, context.workers, (number) => this.effort(number));
  }

  /** Returns the seed of a generation's games and openings; 0 is the final match. */
  seedOf(generation: number): number {
    return createRandom(this.context.ledger.settings.seed, generation)() >>> 1;
  }

  /** Returns the generation whose weights this one plays and learns with. */
  baseOf(generation: number): number {
    return bestBefore(this.context.ledger.generations, generation);
  }

  /** Returns how many games a generation plays, and with how many nodes a move. */
  effort(number: number): Effort {
    const { settings, generations } = this.context.ledger;
    return effortOf(settings, generations, number);
  }

  /** Plays the games of a generation, or what is missing or damaged of them. */
  async selfplay(number: number): Promise<SelfplayProgress> {
    const { games, nodes } = this.effort(number);
    const { jitter } = this.context.ledger.settings;
    const progress = await runSelfplay(
      {
        ...defaultSettings(SELFPLAY_OPTIONS),
        ...{ games, softNodes: nodes, nodes: 8 * nodes, jitter, book: [] },
        seed: this.seedOf(number),
        out: this.context.folder.games(number),
        workers: this.context.workers,
        weights: readWeights(this.context.folder.weights(this.baseOf(number))),
        command: `npm run loop, generation ${number}`,
      },
      {
        onProgress: (state) => this.context.observer.onSelfplay(state, games),
        onNote: this.context.observer.onNote,
        signal: this.context.observer.signal,
      },
    );
    this.pace.measured('selfplay', progress.seconds, progress.gamesThisSession * nodes);
    if (progress.games < games) throw new Interrupted();
    return progress;
  }

  /** Fits the weights of a generation to the games of the latest ones, unless that has been done. */
  async fit(number: number): Promise<FitFile> {
    const { folder } = this.context;
    const done = folder.readFit(number);
    if (done !== null) return done;
    const startedAt = performance.now();
    const result = await this.tune(number);
    this.pace.measured('fit', (performance.now() - startedAt) / 1000, result.trainGames + result.heldOutGames);
    const left: FitFile = { fit: fitReport(result), curve: [...result.fit.curve] };
    rmSync(folder.build(number), { recursive: true, force: true });
    writeFileAtomic(join(folder.of(number), 'curve.csv'), formatCurve(result.fit.curve));
    writeFileAtomic(folder.weights(number), formatWeights(result.weights));
    writeFileAtomic(folder.fit(number), `${JSON.stringify(left)}\n`);
    return left;
  }

  /** Plays the weights of a generation against those it began with. */
  match(candidate: number): Promise<MatchResult> {
    const { folder, ledger } = this.context;
    const engines = [this.competitor(candidate), this.competitor(this.baseOf(candidate))];
    return this.play(folder.match(candidate), engines, this.seedOf(candidate), ledger.settings.matchGames);
  }

  /** Plays the weights of a generation against the shipped ones. */
  finalMatch(generation: number): Promise<MatchResult> {
    const { folder, ledger } = this.context;
    const build = join(folder.path, 'shipped-build');
    if (!existsSync(build)) compileEngine(loadWeights('shipped'), build);
    const engines = [this.competitor(generation), this.engine(build, 'shipped')];
    return this.play(join(folder.path, 'final-match'), engines, this.seedOf(0), ledger.settings.finalGames);
  }

  private async tune(number: number): Promise<TuneResult> {
    const { from, window, perGame, resolve, epochs, seed } = this.context.ledger.settings;
    const first = Math.max(1, number - window + 1);
    // Games that were damaged since they were played are mended
    for (let generation = first; generation <= number; generation++) await this.selfplay(generation);
    const settings: TuneSettings = {
      ...DEFAULTS,
      data: Array.from({ length: number - first + 1 }, (_, i) => this.context.folder.games(first + i)),
      start: this.context.folder.weights(this.baseOf(number)),
      ...{ epochs, perGame, resolve, seed },
      // What grew from zeros has no unit yet, and the search's margins are in centipawns
      ...(from === 'zero' && { rescale: K_UNKNOWN }),
      // A match decides
      certainty: 1,
      workers: this.context.workers,
    };
    try {
      const result = await tune(settings, {
        ...this.context.observer.fitObserver,
        signal: this.context.observer.signal,
      });
      if (result.fit.stopped !== 'interrupted') return result;
    } catch (error) {
      if (!(error instanceof UserError && error.exitCode === 130)) throw error;
    }
    throw new Interrupted();
  }

  /** Returns the folder of a generation's engine, compiled if it is not there yet. */
  build(generation: number): string {
    const build = this.context.folder.build(generation);
    if (!existsSync(build)) compileEngine(readWeights(this.context.folder.weights(generation)), build);
    return build;
  }

  private competitor(generation: number): MatchSettings['engines'][number] {
    return this.engine(this.build(generation), generation === 0 ? 'start' : `generation ${generation}`);
  }

  private engine(build: string, name: string): MatchSettings['engines'][number] {
    const limits = { nodes: this.context.ledger.settings.matchNodes, margin: 0, stall: 60_000 };
    return { spec: ownEngine('shipped', { build, name }), limits };
  }

  private async play(
    out: string,
    engines: MatchSettings['engines'],
    seed: number,
    games: number,
  ): Promise<MatchResult> {
    const { ledger, workers, observer } = this.context;
    const { elo0, elo1 } = ledger.settings;
    const settings: MatchSettings = {
      ...DEFAULT_GAMES,
      ...{ order: 'sequential', seed, games, workers, out, engines },
      sprt: { elo0, elo1, alpha: 0.05, beta: 0.05, model: 'normalized' },
    };
    const result = await runMatch(settings, {
      onProgress: (state) => observer.onMatch(state, settings),
      onWarning: foldAlike(observer.onNote),
      signal: observer.signal,
    });
    this.pace.measured('match', result.seconds, result.games);
    if (!result.finished) throw new Interrupted();
    return result;
  }
}
