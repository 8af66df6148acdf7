// Matches of a loop. A match between the new weights of a generation and the previous best weights decides whether the generation is
// accepted. An accepted generation also plays against a pool of fixed opponents, because a gain against earlier generations is not always a
// gain in strength. At the end, the best weights play against the shipped weights. Each match has its own folder and continues after an
// interruption. The functions that play throw Interrupted if the signal stops them.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { foldAlike } from '../../selfplay/common/progress.js';
import { loadWeights, readWeights } from '../../selfplay/common/weights.js';
import { ownEngine, parseEngine } from '../../selfplay/engines/spec.js';
import { type MatchResult, type MatchSettings, runMatch } from '../../selfplay/match/match.js';
import { DEFAULT_GAMES, DEFAULT_LIMITS, merged } from '../../selfplay/series/game-settings.js';
import { GameSlot } from '../../selfplay/series/game-slot.js';
import { type Competitor, uniqueNames } from '../../selfplay/series/settings.js';
import { sprtOf } from '../generations/acceptance.js';
import { type LoopSettings, POOL_WEIGHTS, type PoolEntry } from '../generations/settings.js';
import { checkEngine, compileEngine } from '../weights/compile.js';
import { Interrupted, type LoopContext } from './context.js';

/** Returns the engines of `--engine`, with names that are unique in the pool. Throws a UserError for an invalid engine. */
export function guestsOf({ engine, matchNodes }: LoopSettings): Competitor[] {
  const guests = engine.map((words) => parseEngine(words));
  const names = guests.map(({ spec }) => spec.name ?? basename(spec.command));
  const unique = uniqueNames([...POOL_WEIGHTS, ...names]).slice(POOL_WEIGHTS.length);
  return guests.map(({ spec, limits }, i) => ({
    spec: { ...spec, name: unique[i] },
    limits: merged({ ...DEFAULT_LIMITS, nodes: matchNodes }, limits),
  }));
}

/**
 * Starts and stops each engine so that a missing engine is detected before hours of work. Rejects with a UserError if an engine does not
 * start.
 */
export async function tryEngines(engines: readonly Competitor[], onWarning: (message: string) => void): Promise<void> {
  const slot = new GameSlot([...engines], new Set(), { onEngine: () => {}, onWarning });
  try {
    await slot.take(engines.map((_, index) => index));
  } finally {
    await slot.quit(() => true);
  }
}

function compiled(build: string, weights: () => WeightSet): string {
  if (existsSync(build)) checkEngine(build);
  else compileEngine(weights(), build);
  return build;
}

/** Plays the new weights of a generation against the weights that it started from. */
export function playPrevious(context: LoopContext, generation: number): Promise<MatchResult> {
  const engines = [competitor(context, generation), competitor(context, context.baseOf(generation))];
  const { matchGames: games, elo0, elo1 } = context.effort(generation);
  const seed = context.seedOf(generation);
  const sprt = sprtOf({ elo0, elo1 });
  return playStage(context, { out: context.folder.match(generation), engines, seed, games, sprt });
}

/** Plays a generation against each opponent of the pool. Returns the results from the generation's point of view. */
export async function playPool(context: LoopContext, generation: number): Promise<PoolEntry[]> {
  const { poolGames } = context.ledger.settings;
  const entries: PoolEntry[] = [];
  if (poolGames === 0) return entries;
  const opponents = [...POOL_WEIGHTS.map((name) => named(context, name)), ...context.guests];
  for (const [i, opponent] of opponents.entries()) {
    const out = join(context.folder.of(generation), `pool-${i + 1}`);
    const engines = [competitor(context, generation), opponent];
    const result = await playStage(context, { out, engines, seed: context.seedOf(generation), games: poolGames });
    const { games, wins, losses, draws, penta, elo, eloError } = result;
    entries.push({ opponent: opponent.spec.name ?? '', games, wins, losses, draws, penta, elo, eloError });
  }
  return entries;
}

/** Plays the weights of a generation, or of the start (0), against the shipped ones. */
export function playFinal(context: LoopContext, generation: number): Promise<MatchResult> {
  const engines = [competitor(context, generation), named(context, 'shipped')];
  const { settings } = context.ledger;
  return playStage(context, {
    out: context.folder.finalMatch(generation),
    engines,
    seed: context.seedOf(0),
    games: settings.finalGames,
    sprt: sprtOf(settings),
  });
}

/** Returns the folder of a generation's engine, which is compiled if missing. Throws a UserError if its files have changed. */
export const buildOf = ({ folder }: LoopContext, generation: number): string =>
  compiled(folder.build(generation), () => readWeights(folder.weights(generation)));

const competitor = (context: LoopContext, generation: number): Competitor =>
  own(context, buildOf(context, generation), generation === 0 ? 'start' : `generation ${generation}`);

// The engine is compiled once per run so that the opponents stay the same if other weights are installed during the run
function named(context: LoopContext, weights: string): Competitor {
  const build = compiled(join(context.folder.path, `${weights}-build`), () => loadWeights(weights));
  return own(context, build, weights);
}

const own = ({ ledger }: LoopContext, build: string, name: string): Competitor => ({
  spec: ownEngine('shipped', { build, name }),
  limits: { nodes: ledger.settings.matchNodes, margin: 0, stall: 60_000 },
});

/** Plays or continues a match in its folder. */
async function playStage(
  { workers, observer }: LoopContext,
  match: Required<Pick<MatchSettings, 'out' | 'engines' | 'seed' | 'games'>> & Pick<MatchSettings, 'sprt'>,
): Promise<MatchResult> {
  const settings: MatchSettings = { ...DEFAULT_GAMES, order: 'sequential', workers, ...match };
  const result = await runMatch(settings, {
    onProgress: (state) => observer.onMatch(state(), settings),
    onWarning: foldAlike(observer.onNote),
    signal: observer.signal,
  });
  if (!result.finished) throw new Interrupted();
  return result;
}
