// Matches of a loop: a generation against the one before, which decides on it, against the pool, and against the shipped weights at the
// end. Each is a folder, and continues after an interruption. The pool consists of fixed opponents, because a gain against earlier
// generations need not be a gain in strength.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { foldAlike } from '../../selfplay/common/progress.js';
import { loadWeights, readWeights } from '../../selfplay/common/weights.js';
import { ownEngine, parseEngine } from '../../selfplay/engines/spec.js';
import { type MatchResult, runMatch } from '../../selfplay/match/match.js';
import { DEFAULT_GAMES, DEFAULT_LIMITS, merged } from '../../selfplay/series/game-settings.js';
import { GameSlot } from '../../selfplay/series/game-slot.js';
import { type Competitor, type MatchSettings, uniqueNames } from '../../selfplay/series/settings.js';
import { sprtOf } from '../generations/acceptance.js';
import { type LoopSettings, POOL_WEIGHTS, type PoolEntry } from '../generations/settings.js';
import { checkEngine, compileEngine } from '../weights/compile.js';
import { Interrupted, type LoopContext } from './context.js';

/** Returns the engines of the settings, with unique names in the pool; throws a UserError for an invalid one. */
export function guestsOf({ engine, matchNodes }: LoopSettings): Competitor[] {
  const guests = engine.map((words) => parseEngine(words));
  const names = guests.map(({ spec }) => spec.name ?? basename(spec.command));
  const unique = uniqueNames([...POOL_WEIGHTS, ...names]).slice(POOL_WEIGHTS.length);
  return guests.map(({ spec, limits }, i) => ({
    spec: { ...spec, name: unique[i] },
    limits: merged({ ...DEFAULT_LIMITS, nodes: matchNodes }, limits),
  }));
}

/** Starts and stops each engine once, to detect a missing one before hours of work; rejects with a UserError. */
export async function tryEngines(engines: readonly Competitor[], onWarning: (message: string) => void): Promise<void> {
  const slot = new GameSlot([...engines], new Set(), { onEngine: () => {}, onWarning });
  try {
    await slot.take(engines.map((_, index) => index));
  } finally {
    await slot.leave(() => true);
  }
}

function compiled(build: string, weights: () => WeightSet): string {
  if (existsSync(build)) checkEngine(build);
  else compileEngine(weights(), build);
  return build;
}

/** The matches of one loop; each method throws Interrupted if the signal stops it. */
export class Matches {
  private readonly context: LoopContext;
  private readonly guests: readonly Competitor[];

  constructor(context: LoopContext, guests: readonly Competitor[]) {
    this.context = context;
    this.guests = guests;
  }

  /** Plays the weights of a generation against its initial weights. */
  decide(generation: number): Promise<MatchResult> {
    const { matchGames } = this.context.effort(generation);
    const engines = [this.competitor(generation), this.competitor(this.context.baseOf(generation))];
    return this.play(this.context.folder.match(generation), engines, this.context.seedOf(generation), matchGames);
  }

  /** Plays a generation against each opponent of the pool. */
  async measure(generation: number): Promise<PoolEntry[]> {
    const { poolGames } = this.context.ledger.settings;
    const entries: PoolEntry[] = [];
    if (poolGames === 0) return entries;
    const opponents = [...POOL_WEIGHTS.map((name) => this.named(name)), ...this.guests];
    for (const [i, opponent] of opponents.entries()) {
      const out = join(this.context.folder.of(generation), `pool-${i + 1}`);
      const seed = this.context.seedOf(generation);
      const result = await this.play(out, [this.competitor(generation), opponent], seed, poolGames, false);
      const { games, wins, losses, draws, penta, elo, eloError } = result;
      entries.push({ opponent: opponent.spec.name ?? '', games, wins, losses, draws, penta, elo, eloError });
    }
    return entries;
  }

  /** Plays the weights of a generation against the shipped ones. */
  final(generation: number): Promise<MatchResult> {
    const { folder, ledger } = this.context;
    const engines = [this.competitor(generation), this.named('shipped')];
    return this.play(folder.finalMatch(generation), engines, this.context.seedOf(0), ledger.settings.finalGames);
  }

  /** Returns the folder of a generation's engine, compiled if missing; throws a UserError if it has changed. */
  build(generation: number): string {
    const { folder } = this.context;
    return compiled(folder.build(generation), () => readWeights(folder.weights(generation)));
  }

  private competitor(generation: number): Competitor {
    return this.own(this.build(generation), generation === 0 ? 'start' : `generation ${generation}`);
  }

  // Compiled once, so that a later installation does not change the opponents
  private named(weights: string): Competitor {
    return this.own(
      compiled(join(this.context.folder.path, `${weights}-build`), () => loadWeights(weights)),
      weights,
    );
  }

  private own(build: string, name: string): Competitor {
    const limits = { nodes: this.context.ledger.settings.matchNodes, margin: 0, stall: 60_000 };
    return { spec: ownEngine('shipped', { build, name }), limits };
  }

  private async play(
    out: string,
    engines: Competitor[],
    seed: number,
    games: number,
    isDeciding = true,
  ): Promise<MatchResult> {
    const { ledger, workers, observer, pace } = this.context;
    const settings: MatchSettings = {
      ...DEFAULT_GAMES,
      order: 'sequential',
      seed,
      games,
      workers,
      out,
      engines,
      ...(isDeciding && { sprt: sprtOf(ledger.settings) }),
    };
    const result = await runMatch(settings, {
      onProgress: (state) => observer.onMatch(state, settings),
      onWarning: foldAlike(observer.onNote),
      signal: observer.signal,
    });
    pace.measured('match', result.seconds, result.games);
    if (!result.finished) throw new Interrupted();
    return result;
  }
}
