// LOOP_OPTIONS, Ledger: the declarations of a loop. Each option and each figure of a generation is declared once, here; presets set the options.

import {
  choice,
  defaultSettings,
  pickSettings,
  real,
  type SettingsOf,
  text,
  whole,
  wordLists,
} from '../../selfplay/common/options.js';
import { WEIGHTS_HELP } from '../../selfplay/common/weights.js';
import type { FitReport } from '../fit/result.js';
import { RESOLUTIONS } from '../trace/sample.js';
import type { MatchEntry } from '../weights/shipped-ledger.js';

/** Weights in the pool of every accepted generation, besides the engines of the settings. */
export const POOL_WEIGHTS = ['material', 'shipped'];

const SCHEDULED = 'from the last fit';

/** The options of a loop; all except those for its end are part of the run's identity. */
export const LOOP_OPTIONS = {
  from: text({ default: 'zero', identity: true, help: `weights to start from: ${WEIGHTS_HELP}` }),
  generations: whole({
    min: 1,
    default: 5,
    help: 'maximum number of generations; a larger number continues a finished run',
  }),
  patience: whole({ min: 1, default: 2, help: 'generations without a gain before the loop ends' }),
  games: whole({ min: 1, identity: true, defaultText: SCHEDULED, help: 'self-play games per generation' }),
  nodes: whole({ min: 1, identity: true, defaultText: SCHEDULED, help: 'nodes per move in self-play, soft limit' }),
  jitter: whole({
    max: 200,
    default: 15,
    identity: true,
    help: 'random centipawns added to the tables in each game of self-play',
  }),
  window: whole({
    min: 1,
    default: 3,
    identity: true,
    help: 'number of generations whose games a fit without labels uses',
  }),
  'per-game': whole({ min: 1, default: 30, identity: true, help: 'maximum number of positions from a game' }),
  resolve: choice(RESOLUTIONS, {
    default: 'qsearch' as const,
    identity: true,
    help: 'fit to positions as played, or to their quiet ends',
  }),
  'label-share': real({
    min: 0,
    max: 0.9,
    default: 0.5,
    identity: true,
    help: 'share of the nodes of a generation that is spent on labels for the fit; 0: no labels',
  }),
  'label-nodes': whole({
    min: 1,
    identity: true,
    defaultText: 'ten times the nodes per move',
    help: 'nodes per label (soft limit)',
  }),
  blend: real({
    min: 0,
    max: 1,
    default: 0.8,
    identity: true,
    help: 'share of the scores, of labels or of the moves played, in the target of the fit; the rest is the result of the game',
  }),
  epochs: whole({ min: 1, default: 400, identity: true, help: 'maximum number of epochs of a fit' }),
  'match-games': whole({
    min: 2,
    even: true,
    identity: true,
    defaultText: '300, later more',
    help: 'maximum number of games in the match that decides on a generation',
  }),
  'match-nodes': whole({ min: 1, default: 2000, identity: true, help: 'nodes per move in matches' }),
  elo0: real({ default: 0, identity: true, help: 'lower SPRT bound in normalized Elo' }),
  elo1: real({ default: 40, identity: true, help: 'upper SPRT bound in normalized Elo' }),
  'pool-games': whole({
    even: true,
    default: 40,
    identity: true,
    help: 'games of an accepted generation against each of material alone, the shipped weights and every --engine',
  }),
  engine: wordLists({
    default: [],
    identity: true,
    help: 'further opponent of accepted generations, as in npm run match: cmd=PROGRAM nodes=N …',
  }),
  'final-games': whole({
    min: 2,
    even: true,
    default: 200,
    identity: true,
    help: 'maximum number of games against the shipped weights',
  }),
  seed: whole({ default: 1, identity: true, help: 'seed: the same seed gives the same run' }),
};

export type LoopSettings = SettingsOf<typeof LOOP_OPTIONS>;

const BASE: LoopSettings = defaultSettings(LOOP_OPTIONS);

/** Presets: a first run, a quick check, and a long run. */
export const PRESETS: Readonly<Record<string, LoopSettings>> = {
  default: BASE,
  smoke: {
    ...BASE,
    generations: 1,
    games: 120,
    nodes: 150,
    labelShare: 0,
    epochs: 60,
    matchGames: 40,
    matchNodes: 300,
    poolGames: 10,
    finalGames: 20,
  },
  full: { ...BASE, generations: 9 },
};

/** Returns the settings of the preset with the run's own options applied. */
export function settingsOf(preset: string, changes: Partial<LoopSettings>): LoopSettings {
  return pickSettings(LOOP_OPTIONS, { ...PRESETS[preset], ...changes });
}

/** Result of a match against one of the pool, from the generation's side. */
export type PoolEntry = { opponent: string } & Pick<
  MatchEntry,
  'games' | 'wins' | 'losses' | 'draws' | 'penta' | 'elo' | 'eloError'
>;

export interface GenerationEntry {
  generation: number;
  /** Of its self-play games. */
  seed: number;
  games: number;
  nodes: number;
  positions: number;
  /** Labelled positions of the fit's games, and nodes per label; null without labels. */
  labels: { positions: number; nodes: number } | null;
  /** Hashes of the weights that played the games and that the fit made. */
  played: string;
  weights: string;
  fit: FitReport;
  /** The match (null if the fit changed nothing), and its line in the usual notation. */
  match: MatchEntry | null;
  line: string;
  accepted: boolean;
  /** Matches of accepted generations against opponents outside the loop. */
  pool: PoolEntry[];
}

/** The last match: its weights are those at the end, from this generation; 0 for the start. */
export type FinalEntry = Pick<GenerationEntry, 'weights' | 'generation' | 'match' | 'line'>;

/** The settings of a loop and, for each generation, the source of the games, the figures of the fit and the match. */
export interface Ledger {
  settings: LoopSettings;
  /** Engine version and bench at the start of the run. */
  engine: string;
  bench: number;
  generations: GenerationEntry[];
  final: FinalEntry | null;
}
