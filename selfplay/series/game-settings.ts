// The options shared by the commands that play engines against each other (match, spsa): limits, openings, adjudication, hash size and
// number of parallel games.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { UserError } from '../common/errors.js';
import { defaultSettings, flag, parsed, pickSettings, type SettingsOf, whole } from '../common/options.js';
import { ADJUDICATION_OPTIONS } from '../games/adjudication.js';
import { type GameLimits, parseClock } from '../games/clock.js';
import { OPENING_OPTIONS } from '../games/openings.js';

const DEFAULT_NODES = 10_000;
/** Defaults of --plies: random plies from the start position, and the maximum number of plies from a PGN or Polyglot book. */
const DEFAULT_PLIES = { random: 8, book: 1000 };
export const MAX_WORKERS = 512;

const LIMIT_OPTIONS = {
  nodes: whole('nodes per move, hard limit', { min: 1, defaultText: `${DEFAULT_NODES} if there is no other limit` }),
  tc: parsed('time control: 8+0.08, 40/60+0.6 (seconds), inf for none', parseClock),
  movetime: whole('milliseconds per move', { min: 1 }),
  depth: whole('depth limit of every search', { min: 1 }),
  ponder: flag("think on the opponent's time; requires --tc"),
  margin: whole('grace period in ms before a late move loses on time', { default: 100 }),
  stall: whole('without --tc and --movetime: seconds without an answer before an engine counts as stalled', {
    min: 1,
    default: 60,
  }),
};

export const GAME_OPTIONS = {
  ...LIMIT_OPTIONS,
  workers: whole('number of parallel games; can be changed during the run through a file named control in --out', {
    min: 1,
    max: MAX_WORKERS,
    default: availableParallelism(),
    alias: 'concurrency',
  }),
  ...OPENING_OPTIONS,
  hash: whole('hash table size of each engine in MB', { min: 1 }),
  ...ADJUDICATION_OPTIONS,
};

type LimitOptions = SettingsOf<typeof LIMIT_OPTIONS>;
type GameOptions = SettingsOf<typeof GAME_OPTIONS>;

/** Settings of the games, except those of the engines and their limits. */
export type GameSettings = Omit<GameOptions, keyof LimitOptions | 'hash' | 'plies'> & { plies: number };

/** Returns the settings of the games; throws a UserError that names the invalid option. */
export function gameSettings(options: GameOptions): GameSettings {
  const { nodes, tc, movetime, depth, ponder, margin, stall, hash, ...games } = pickSettings(GAME_OPTIONS, options);
  const { openings, plies = openings === undefined ? DEFAULT_PLIES.random : DEFAULT_PLIES.book } = games;
  if (openings !== undefined && !existsSync(openings)) throw new UserError(`--openings: no such file: ${openings}`);
  return { ...games, plies, chess960: games.chess960 || games.dfrc };
}

export const DEFAULT_GAMES: GameSettings = gameSettings(defaultSettings(GAME_OPTIONS));

/** Returns the common limits of all engines, with `stall` in ms. Nodes, depth and time may all be missing. */
export function limitsOf(options: LimitOptions): GameLimits {
  const { ponder, stall, ...limits } = pickSettings(LIMIT_OPTIONS, options);
  return { ...limits, stall: 1000 * stall, ...(ponder && { ponder }) };
}

/** Default limits of an engine: only the margin and the stall timeout. */
export const DEFAULT_LIMITS: GameLimits = limitsOf(defaultSettings(LIMIT_OPTIONS));

/** Returns whether moves are limited by a clock, a time per move, nodes or depth. */
export const isLimited = ({ tc, movetime, nodes, depth }: Partial<GameLimits>): boolean =>
  [tc, movetime, nodes, depth].some((limit) => limit !== undefined);

/**
 * Returns an engine's limits: its own, otherwise the common ones, otherwise the default nodes. Margin, stall and pondering come from the
 * common limits unless the engine sets them. Throws a UserError if `tc=inf` leaves no limit.
 */
export function merged(common: GameLimits, own: Partial<GameLimits>): GameLimits {
  const { margin, stall, ponder } = common;
  if (isLimited(own)) return { margin, stall, ...(ponder && { ponder }), ...own };
  const limits = { ...(isLimited(common) ? {} : { nodes: DEFAULT_NODES }), ...common, ...own };
  if (!isLimited(limits)) throw new UserError('--engine: tc=inf needs nodes=, depth= or st= too', 2);
  return limits;
}
