// The loop: generations of self-play, fit, compilation and match. Every stage leaves its result on disk before the next begins
// and continues by itself when it was cut off, so a run can be interrupted anywhere and ends the same.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench } from '../engine/bench.js';
import { createRandom } from '../engine/board/random.js';
import type { WeightSet } from '../engine/eval/weight-set.js';
import { makeFolder, writeFileAtomic } from '../selfplay/cli.js';
import { ownEngine } from '../selfplay/engine-spec.js';
import { runMatch } from '../selfplay/match.js';
import type { MatchResult } from '../selfplay/match-result.js';
import { type MatchSettings, NO_ADJUDICATION } from '../selfplay/match-settings.js';
import { runSelfplay, type SelfplayProgress } from '../selfplay/selfplay.js';
import { programVersion } from '../selfplay/version.js';
import { compileEngine } from './compile.js';
import type { CurvePoint } from './fit.js';
import {
  type GenerationEntry,
  type Ledger,
  type MatchEntry,
  matchEntry,
  matchLine,
  openLedger,
  saveLedger,
} from './ledger.js';
import type { LoopSettings } from './loop-settings.js';
import { type FitReport, type GenerationReport, type ReportData, renderReport } from './report.js';
import { DEFAULTS, type TuneObserver, type TuneSettings, tune } from './tune.js';
import { fitReport, formatCurve } from './tune-output.js';
import { formatWeights, loadWeights, readWeights, weightsHash } from './weights-file.js';

/** Told how the loop goes; `signal` stops it. */
export interface LoopObserver {
  onStage: (text: string) => void;
  onSelfplay: (progress: SelfplayProgress, total: number) => void;
  fitObserver: (epochs: number) => TuneObserver;
  onMatch: (result: MatchResult, settings: MatchSettings) => void;
  onNote: (note: string) => void;
  signal: AbortSignal;
}

export interface LoopResult {
  ledger: Ledger;
  weights: WeightSet;
  report: string;
}

/** Thrown when the signal stopped the loop; the same command continues it. */
export class Interrupted extends Error {}

/** What a fit left in a generation's folder. */
interface FitFile {
  fit: FitReport;
  curve: CurvePoint[];
}

/** Runs the loop, or what is left of it in the folder, to its end. Throws Interrupted when the signal stopped it. */
export async function runLoop(
  folder: string,
  settings: LoopSettings,
  workers: number,
  observer: LoopObserver,
): Promise<LoopResult> {
  makeFolder(folder);
  const ledger = openLedger(folder, settings, programVersion(), bench().nodes);
  const loop = new Loop(folder, settings, workers, observer, ledger);
  return loop.run();
}

class Loop {
  private readonly folder: string;
  private readonly settings: LoopSettings;
  private readonly workers: number;
  private readonly observer: LoopObserver;
  private readonly ledger: Ledger;

  constructor(folder: string, settings: LoopSettings, workers: number, observer: LoopObserver, ledger: Ledger) {
    this.folder = folder;
    this.settings = settings;
    this.workers = workers;
    this.observer = observer;
    this.ledger = ledger;
  }

  async run(): Promise<LoopResult> {
    if (!existsSync(this.weightsFile(0))) {
      writeFileAtomic(this.weightsFile(0), formatWeights(loadWeights(this.settings.from)));
    }
    while (!this.isOver()) {
      const entry = await this.generation(this.ledger.generations.length + 1);
      this.ledger.generations.push(entry);
      saveLedger(this.folder, this.ledger);
      this.observer.onStage(
        `generation ${entry.generation}: ${entry.accepted ? 'accepted' : 'rejected'}: ${entry.line}`,
      );
    }
    if (this.ledger.final === null) {
      this.ledger.final = await this.finalMatch();
      saveLedger(this.folder, this.ledger);
    }
    const report = join(this.folder, 'report.html');
    writeFileAtomic(report, this.report());
    return { ledger: this.ledger, weights: readWeights(this.weightsFile(this.best())), report };
  }

  private isOver(): boolean {
    const { generations, patience } = this.settings;
    const entries = this.ledger.generations;
    const recent = entries.slice(-patience);
    return entries.length >= generations || (recent.length === patience && recent.every(({ accepted }) => !accepted));
  }

  /** The last generation that was accepted; 0 for the start. */
  private best(): number {
    return this.ledger.generations.findLast(({ accepted }) => accepted)?.generation ?? 0;
  }

  private folderOf(generation: number): string {
    return join(this.folder, `generation-${String(generation).padStart(2, '0')}`);
  }

  private weightsFile(generation: number): string {
    return generation === 0 ? join(this.folder, 'start.json') : join(this.folderOf(generation), 'weights.json');
  }

  private async generation(number: number): Promise<GenerationEntry> {
    const best = this.best();
    const played = readWeights(this.weightsFile(best));
    const title = `generation ${number} of ${this.settings.generations}`;
    const seed = createRandom(this.settings.seed, number)() >>> 1;

    this.observer.onStage(`${title}: self-play of ${this.settings.games} games`);
    const games = await this.selfplay(number, played, seed);

    this.observer.onStage(`${title}: fitting the weights`);
    const { fit } = await this.fit(number, best);
    const candidate = readWeights(this.weightsFile(number));

    this.observer.onStage(`${title}: match against the weights before`);
    compileEngine(candidate, join(this.folderOf(number), 'build'));
    if (!existsSync(this.buildOf(best))) compileEngine(played, this.buildOf(best));
    const match = await this.match(join(this.folderOf(number), 'match'), number, best, seed);
    return {
      generation: number,
      seed,
      games: games.games,
      positions: games.positions,
      played: weightsHash(played),
      weights: weightsHash(candidate),
      fit,
      match: matchEntry(match),
      line: matchLine(match),
      accepted: match.verdict === 'H1',
    };
  }

  private buildOf(generation: number): string {
    return join(generation === 0 ? this.folder : this.folderOf(generation), generation === 0 ? 'start-build' : 'build');
  }

  private async selfplay(number: number, weights: WeightSet, seed: number): Promise<SelfplayProgress> {
    const { games, nodes, jitter } = this.settings;
    const progress = await runSelfplay(
      {
        games,
        nodes,
        hardNodes: 8 * nodes,
        clock: null,
        seed,
        out: this.gamesOf(number),
        workers: this.workers,
        hash: 4,
        plies: [8, 9],
        book: [],
        rejectLost: true,
        jitter,
        adjudication: NO_ADJUDICATION,
        weights,
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

  private gamesOf(generation: number): string {
    return join(this.folderOf(generation), 'games');
  }

  private async fit(number: number, best: number): Promise<FitFile> {
    const file = join(this.folderOf(number), 'fit.json');
    if (existsSync(file) && existsSync(this.weightsFile(number))) return readFit(file);
    const { window, perGame, resolve, epochs, l2, seed } = this.settings;
    const first = Math.max(1, number - window + 1);
    const settings: TuneSettings = {
      ...DEFAULTS,
      data: Array.from({ length: number - first + 1 }, (_, i) => this.gamesOf(first + i)),
      start: this.weightsFile(best),
      epochs,
      l2,
      filter: { ...DEFAULTS.filter, perGame, resolve, seed },
      workers: this.workers,
    };
    const result = await tune(settings, {
      ...this.observer.fitObserver(epochs),
      isInterrupted: () => this.observer.signal.aborted,
    });
    if (this.observer.signal.aborted) throw new Interrupted();
    const left: FitFile = { fit: fitReport(result), curve: [...result.fit.curve] };
    writeFileAtomic(join(this.folderOf(number), 'curve.csv'), formatCurve(result.fit.curve));
    writeFileAtomic(this.weightsFile(number), formatWeights(result.weights));
    writeFileAtomic(file, `${JSON.stringify(left)}\n`);
    return left;
  }

  private async match(out: string, candidate: number, baseline: number, seed: number): Promise<MatchResult> {
    const { elo0, elo1, matchGames } = this.settings;
    return this.play({
      ...this.matchSettings(out, seed, matchGames),
      engines: [
        this.competitor(this.buildOf(candidate), `generation ${candidate}`),
        this.competitor(this.buildOf(baseline), baseline === 0 ? 'start' : `generation ${baseline}`),
      ],
      sprt: { elo0, elo1, alpha: 0.05, beta: 0.05, model: 'normalized' },
    });
  }

  private competitor(build: string, name: string): MatchSettings['engines'][number] {
    const limits = { nodes: this.settings.matchNodes, margin: 0, stall: 60_000 };
    return { spec: ownEngine('shipped', { build, name }), limits };
  }

  private matchSettings(out: string, seed: number, games: number): Omit<MatchSettings, 'engines'> {
    const openings = { order: 'sequential' as const, plies: 8 };
    return { openings, chess960: false, adjudication: NO_ADJUDICATION, seed, games, concurrency: this.workers, out };
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

  private async finalMatch(): Promise<NonNullable<Ledger['final']>> {
    const generation = this.best();
    const weights = readWeights(this.weightsFile(generation));
    const hash = weightsHash(weights);
    const shipped = loadWeights('shipped');
    if (hash === weightsHash(shipped)) {
      return { weights: hash, generation, match: null, line: 'the weights are the shipped ones' };
    }
    this.observer.onStage('match against the shipped weights');
    const build = join(this.folder, 'shipped-build');
    if (!existsSync(build)) compileEngine(shipped, build);
    if (!existsSync(this.buildOf(generation))) compileEngine(weights, this.buildOf(generation));
    const seed = createRandom(this.settings.seed, 0)() >>> 1;
    const match = await this.play({
      ...this.matchSettings(join(this.folder, 'final-match'), seed, this.settings.finalGames),
      engines: [
        this.competitor(this.buildOf(generation), generation === 0 ? 'start' : `generation ${generation}`),
        this.competitor(build, 'shipped'),
      ],
      sprt: { elo0: this.settings.elo0, elo1: this.settings.elo1, alpha: 0.05, beta: 0.05, model: 'normalized' },
    });
    return { weights: hash, generation, match: matchEntry(match), line: matchLine(match) };
  }

  private report(): string {
    const { generations, final } = this.ledger;
    const reports = generations.map((entry): GenerationReport => {
      const before = generations.findLast(({ accepted, generation }) => accepted && generation < entry.generation);
      return {
        name: `generation ${entry.generation}`,
        before: readWeights(this.weightsFile(before?.generation ?? 0)),
        after: readWeights(this.weightsFile(entry.generation)),
        curve: readFit(join(this.folderOf(entry.generation), 'fit.json')).curve,
        fit: entry.fit,
        match: entry.match,
        accepted: entry.accepted,
        verdict: entry.accepted ? 'accepted' : 'rejected',
      };
    });
    return renderReport({
      title: 'Heft learning from its own games',
      summary: `${generations.filter(({ accepted }) => accepted).length} of ${generations.length} generations accepted.`,
      settings: { ...this.settings },
      generations: reports,
      ...(final === null || final.match === null ? {} : { finalMatch: finalReport(final.match, final.line) }),
    });
  }
}

function readFit(file: string): FitFile {
  return JSON.parse(readFileSync(file, 'utf8')) as FitFile;
}

function finalReport(match: MatchEntry, line: string): NonNullable<ReportData['finalMatch']> {
  const { verdict: _, ...counts } = match;
  return { ...counts, opponent: 'the shipped weights', verdict: line };
}
