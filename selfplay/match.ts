// A match between two engines in pairs: each opening is played twice, colours reversed. Pairs are numbered, and statistics
// are taken over the finished pairs from the first on without a gap: so at fixed nodes the same settings give the same
// games and the same verdict, however many games run at once, and however often the run was interrupted.

import { join } from 'node:path';
import { openingSource } from './book.js';
import { writeSummary } from './cli.js';
import { GamePool, type ScheduledGame } from './game-pool.js';
import { InOrder } from './in-order.js';
import { Journal, type JournalEntry, type RunHead } from './journal.js';
import type { PlayedGame } from './match-game.js';
import { type MatchFailure, type MatchResult, type Statistics, statisticsOf } from './match-result.js';
import { type MatchSettings, matchIdentity } from './match-settings.js';
import type { OpeningSource } from './openings.js';
import { PgnFiles } from './pgn-files.js';
import { addGame, addPair, EMPTY_TALLY, type HalfPoints, type Tally } from './tally.js';
import type { UciEngine } from './uci-engine.js';

export interface MatchHooks {
  /** Called after every finished game. */
  onProgress?: (result: MatchResult) => void;
  /** Called with each problem that does not stop the match, such as an option the engine does not have. */
  onWarning?: (message: string) => void;
  /** Stops the match when aborted; the result is then not `finished`. */
  signal?: AbortSignal;
}

/**
 * Plays the match, or what is left of it in its folder, and returns its result. Throws a UserError when the settings or
 * the folder are wrong, or an engine does not start.
 */
export async function runMatch(settings: MatchSettings, hooks: MatchHooks = {}): Promise<MatchResult> {
  const openings = await openingSource(settings.openings, settings.seed, settings.chess960);
  const journal = settings.out === undefined ? null : new Journal(settings.out, matchIdentity(settings));
  try {
    const result = await new Match(settings, hooks, openings, journal).run();
    if (settings.out !== undefined && result.finished) writeSummary(join(settings.out, 'result.json'), result);
    return result;
  } finally {
    journal?.close();
  }
}

class Match {
  private readonly settings: MatchSettings;
  private readonly hooks: MatchHooks;
  private readonly openings: OpeningSource;
  private readonly journal: Journal | null;
  private readonly pgn: PgnFiles;
  private readonly pool: GamePool;
  private readonly played = new Set<number>();
  private readonly ordered: InOrder<PlayedGame>;
  private readonly failures: MatchFailure[] = [];
  private readonly startedAt = performance.now();
  private date = today();
  private names: string[];
  private tally: Tally = EMPTY_TALLY;
  private statistics: Statistics;
  private firstOfPair: HalfPoints | null = null;
  private isFinished = false;
  private secondsBefore = 0;
  private nodes = 0;
  private nextIndex = 0;

  constructor(settings: MatchSettings, hooks: MatchHooks, openings: OpeningSource, journal: Journal | null) {
    this.settings = settings;
    this.hooks = hooks;
    this.openings = openings;
    this.journal = journal;
    this.names = settings.engines.map(({ spec }) => spec.name ?? '');
    this.pgn = new PgnFiles(pgnFiles(settings));
    this.statistics = statisticsOf(this.tally, settings.sprt);
    this.ordered = new InOrder((game, index) => this.count(game, index));
    this.pool = new GamePool({
      engines: settings.engines,
      slots: Math.min(settings.concurrency, settings.games),
      adjudication: settings.adjudication,
      chess960: settings.chess960,
      next: () => this.next(),
      onGame: (scheduled, game) => this.take(scheduled, game),
      onEngine: (index, engine) => this.meet(index, engine),
    });
  }

  async run(): Promise<MatchResult> {
    const stop = (): void => this.pool.stop();
    try {
      this.journal?.resume(
        (head) => this.recallHead(head),
        (entry) => this.recall(entry),
      );
      this.hooks.signal?.addEventListener('abort', stop);
      if (!this.isFinished && this.hooks.signal?.aborted !== true) await this.pool.run();
    } finally {
      this.hooks.signal?.removeEventListener('abort', stop);
      this.pgn.close();
    }
    return this.result();
  }

  private next(): ScheduledGame | null {
    while (this.played.has(this.nextIndex)) this.nextIndex++;
    const index = this.nextIndex++;
    if (index >= this.settings.games) return null;
    const [white, black] = sidesOf(index);
    return { index, white, black, opening: this.openings.opening(index >> 1) };
  }

  private meet(index: number, engine: UciEngine): void {
    if (this.names[index] === '') this.names[index] = engine.name;
    if (this.names[0] === this.names[1]) this.names[1] = `${this.names[1]} 2`;
    for (const warning of engine.warnings) this.hooks.onWarning?.(`${this.names[index]}: ${warning}`);
    engine.warnings.length = 0;
  }

  private take({ index }: ScheduledGame, game: PlayedGame): void {
    if (this.journal !== null) {
      this.journal.append({ index, seconds: this.seconds(), game }, { names: this.names, date: this.date });
    }
    this.add(index, game);
    this.hooks.onProgress?.(this.result());
  }

  private recallHead({ names, date }: RunHead): void {
    this.names = names;
    this.date = date;
  }

  private recall({ index, seconds, game }: JournalEntry): void {
    this.secondsBefore = seconds;
    this.add(index, game);
  }

  private add(index: number, game: PlayedGame): void {
    if (this.played.has(index)) return;
    this.played.add(index);
    this.ordered.add(index, game);
  }

  // Called with the games in the order of their numbers; what comes after the verdict does not count.
  private count(game: PlayedGame, index: number): void {
    if (this.isFinished) return;
    const points = (2 * (index % 2 === 0 ? game.result : 1 - game.result)) as HalfPoints;
    const isLast = index === this.settings.games - 1;
    if (this.firstOfPair !== null) this.tally = addPair(this.tally, this.firstOfPair, points);
    else if (isLast) this.tally = addGame(this.tally, points);
    this.firstOfPair = this.firstOfPair === null ? points : null;
    this.nodes += game.nodes[0] + game.nodes[1];
    const [white, black] = sidesOf(index);
    if (game.offender !== undefined) {
      const engine = this.names[game.offender === 0 ? white : black];
      this.failures.push({ game: index + 1, engine, termination: game.termination, reason: game.reason });
    }
    this.writePgn(game, index);
    if (this.firstOfPair !== null && !isLast) return;
    this.statistics = statisticsOf(this.tally, this.settings.sprt);
    if (!isLast && this.statistics.verdict === null) return;
    this.isFinished = true;
    this.pool.stop();
  }

  private writePgn(game: PlayedGame, index: number): void {
    const { names, settings, date } = this;
    const [white, black] = sidesOf(index);
    const tags = { date, round: String((index >> 1) + 1), white: names[white], black: names[black] };
    this.pgn.write(game, tags, [settings.engines[white].limits, settings.engines[black].limits]);
  }

  private seconds(): number {
    return this.secondsBefore + (performance.now() - this.startedAt) / 1000;
  }

  private result(): MatchResult {
    const { names, statistics, failures, isFinished, nodes } = this;
    const seconds = Math.round(100 * this.seconds()) / 100;
    return { engines: names, ...statistics, failures, finished: isFinished, seconds, nodes };
  }
}

// The first engine has White in the first game of each pair.
function sidesOf(index: number): [white: number, black: number] {
  return index % 2 === 0 ? [0, 1] : [1, 0];
}

function pgnFiles({ out, pgn }: MatchSettings): string[] {
  return [...(out === undefined ? [] : [join(out, 'games.pgn')]), ...(pgn === undefined ? [] : [pgn])];
}

function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll('-', '.');
}
