// Plays a run of SPSA. The match runner's pool plays its pairs in parallel. The engines keep running between games and receive new values
// before each game. The journal contains every game and iteration. A continued run replays the journal and therefore reaches the same
// values.

import { resolve } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import type { Counts } from '../../selfplay/common/game-result.js';
import type { Identity } from '../../selfplay/common/run-files.js';
import { openingSource } from '../../selfplay/games/book.js';
import type { PlayedGame, Player } from '../../selfplay/series/game.js';
import type { GameSettings } from '../../selfplay/series/game-settings.js';
import { Journal } from '../../selfplay/series/journal.js';
import { PooledRun, type RunHooks, type ScheduledGame } from '../../selfplay/series/pooled-run.js';
import { type Competitor, seriesIdentity } from '../../selfplay/series/settings.js';
import { KnobWeights } from './knob-weights.js';
import { Spsa, type SpsaSettings } from './spsa.js';
import type { Tunables } from './tunables.js';

export interface RunSettings {
  spsa: SpsaSettings;
  engine: Competitor;
  games: GameSettings;
  tunables: Tunables;
  /** Folder of the run; an existing run is continued. */
  out: string;
}

export interface SpsaHooks extends RunHooks {
  /** Called after every game. */
  onGame?: (run: RunState) => void;
}

/** State of a run. Wins, losses and draws are counted for the plus sides. Without a signal, wins and losses are about equal. */
export interface RunState extends Counts {
  spsa: Spsa;
  games: number;
  /** Games and seconds since the run was last started or continued, and the seconds of the whole run. */
  gamesThisSession: number;
  sessionSeconds: number;
  seconds: number;
  /** Games lost through engine failures. */
  failures: number;
}

/** A finished game with the half points of the plus side, or a finished iteration with the new values. */
type Entry = { game: number; points: number; seconds: number; failed?: true } | Applied;

interface Applied {
  iteration: number;
  score: number;
  values: number[];
}

/** Maximum number of failures reported individually. */
const MAX_REPORTED = 5;

const SIDES = ['plus', 'minus'] as const;

// Returns everything that can change the trajectory. Spall's gains depend on the number of iterations. A run by Kiiski's method can be
// extended
function identityOf({ spsa, engine, games }: RunSettings): Identity {
  const { variables, iterations, method, ...rest } = spsa;
  const series = seriesIdentity({ engines: [engine], ...games });
  const tuned = variables.map((variable, i) => [`variable ${i + 1}`, variable]);
  return { ...series, method, ...(method === 'spall' && { iterations }), ...rest, ...Object.fromEntries(tuned) };
}

/**
 * Plays the run, or continues the run in its folder. No game of an iteration after `until` begins, so the caller must stop the run by the
 * signal. Rejects with a UserError for an invalid setting or engine.
 */
export async function playRun(
  settings: RunSettings,
  hooks: SpsaHooks = {},
  until = Number.POSITIVE_INFINITY,
): Promise<RunState> {
  const { engine, games, tunables, out } = settings;
  const openings = await openingSource(games);
  const journal = new Journal<Entry, object>(out, identityOf(settings), 'tuning run');
  const spsa = new Spsa(settings.spsa);
  const { pairs, seed, iterations, ahead } = settings.spsa;
  const weights = new KnobWeights(tunables, resolve(out, 'weights'), seed);
  const gamesAnIteration = 2 * pairs;
  const counts = { wins: 0, losses: 0, draws: 0, failures: 0 };
  let gamesThisSession = 0;
  /** Wins minus losses of the plus sides in the current iteration. */
  let score = 0;
  /** Applied iterations that have not yet been written to the journal, or compared with it. */
  const unrecorded: Applied[] = [];
  const run = new PooledRun<number>({
    engines: SIDES.map((name) => ({ ...engine, spec: { ...engine.spec, name } })),
    settings: games,
    out,
    hooks,
    games: gamesAnIteration * iterations,
    settled: () => gamesAnIteration * Math.min(spsa.done + ahead, until),
    begin,
    prepare,
    store,
    count,
    onGame: () => {
      record();
      weights.drop(spsa.done);
      hooks.onGame?.(state());
    },
  });

  try {
    journal.resume(() => undefined, recall);
    record();
    if (spsa.done < until) await run.play();
    return state();
  } finally {
    weights.clear();
    journal.close();
  }

  function state(): RunState {
    const { sessionSeconds, seconds } = run;
    const played = counts.wins + counts.losses + counts.draws;
    return { spsa, games: played, gamesThisSession, sessionSeconds, seconds, ...counts };
  }

  // Games are numbered consecutively across iterations. The plus side has White in the first game of a pair
  function begin(index: number): ScheduledGame {
    return { index, white: index % 2, black: 1 - (index % 2), opening: openings(index >> 1) };
  }

  function prepare({ index, white, black }: ScheduledGame, players: Player[]): void {
    const k = 1 + Math.floor(index / gamesAnIteration);
    const pair = (index % gamesAnIteration) >> 1;
    const sides = spsa.sides(k, pair);
    for (const [i, engine] of [white, black].entries()) {
      const side = SIDES[engine];
      const options = tunables.options(sides[side]);
      if (tunables.hasKnobs) options['EvalFile'] = weights.fileOf(k, pair, side, sides[side]);
      for (const [name, value] of Object.entries(options)) players[i].engine.setOption(name, value);
    }
  }

  function store({ index, white }: ScheduledGame, { result, offender, reason }: PlayedGame): number {
    const points = 2 * (white === 0 ? result : 1 - result);
    const seconds = Math.round(100 * run.seconds) / 100;
    journal.append({ game: index, points, seconds, ...(offender !== undefined && { failed: true }) }, {});
    if (offender !== undefined && counts.failures < MAX_REPORTED) {
      hooks.onWarning?.(`game ${index + 1}: ${reason}`);
    }
    gamesThisSession++;
    tally(points, offender !== undefined);
    return points;
  }

  function recall(entry: Entry): void {
    if ('game' in entry) {
      run.secondsBefore = entry.seconds;
      tally(entry.points, entry.failed === true);
      run.add(entry.game, entry.points);
      return;
    }
    if (entry.iteration > iterations) {
      throw new UserError(
        `--games: ${out} holds a longer run, of at least ${entry.iteration} iterations; raise --games, or choose another --out`,
        2,
      );
    }
    const applied = unrecorded.shift();
    if (JSON.stringify(entry) === JSON.stringify(applied)) return;
    throw new UserError(
      `${out}: the games in the journal do not reproduce the values recorded after iteration ${entry.iteration}; choose another --out`,
    );
  }

  function tally(points: number, isFailed: boolean): void {
    counts[points === 2 ? 'wins' : points === 0 ? 'losses' : 'draws']++;
    if (isFailed) counts.failures++;
  }

  // Results are applied in the order of the iterations. None of them ends the run early
  function count(points: number, index: number): boolean {
    score += points - 1;
    if ((index + 1) % gamesAnIteration !== 0) return false;
    spsa.apply(score);
    unrecorded.push({ iteration: spsa.done, score, values: spsa.values });
    score = 0;
    return false;
  }

  function record(): void {
    for (const applied of unrecorded.splice(0)) journal.append(applied, {});
  }
}
