// LOOP_OPTIONS and Ledger: the options and the state of a loop. Each option, and each figure of a generation, is declared once, here.

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

/** Weights in the pool of fixed opponents, besides the engines of `--engine`. */
export const POOL_WEIGHTS = ['material', 'shipped'];

/** The options of a loop. All except `generations` and `patience` are part of the run's identity. */
export const LOOP_OPTIONS = {
  from: text(`weights to start from: ${WEIGHTS_HELP}`, { default: 'zero', identity: true }),
  generations: whole('maximum number of generations; a larger number continues a finished run', { min: 1, default: 4 }),
  patience: whole('generations without a gain before the loop ends', { min: 1, default: 2 }),
  games: whole('self-play games per generation', {
    min: 1,
    identity: true,
    defaultText: 'increases over the generations',
  }),
  nodes: whole('nodes per move in self-play, soft limit', {
    min: 1,
    identity: true,
    defaultText: '200, but 100 in the first generation from zero; with --games, increases up to 5000',
  }),
  growth: real('factor by which the number of games grows per generation, once it starts to grow', {
    min: 1,
    max: 16,
    default: 4,
    identity: true,
  }),
  jitter: whole('maximum random change to each piece-square entry in a game, in centipawns', {
    max: 200,
    default: 15,
    identity: true,
  }),
  window: whole('number of generations whose games a fit uses', { min: 1, default: 3, identity: true }),
  'per-game': whole('maximum number of positions from a recorded game', { min: 1, default: 30, identity: true }),
  resolve: choice(
    'without labels: fit to positions as played, or to the quiet positions at the end of their lines',
    RESOLUTIONS,
    {
      default: 'qsearch' as const,
      identity: true,
    },
  ),
  'label-share': real("share of a generation's nodes spent on labels for the fit; 0: no labels", {
    min: 0,
    max: 0.9,
    default: 0.6,
    identity: true,
  }),
  'label-nodes': whole('nodes per label (soft limit)', {
    min: 1,
    identity: true,
    defaultText: 'ten times the nodes per move, at most 10000',
  }),
  'label-rounds': whole(
    'labelling rounds; each uses the weights fitted in the previous round, and only the last round labels all positions',
    { min: 1, default: 1, identity: true },
  ),
  blend: real("share of the label's score in the target of the fit; the rest is the game result", {
    min: 0,
    max: 1,
    default: 0.9,
    identity: true,
  }),
  'joint-blend': real('like --blend, but for the joint fit to the labels of several runs', {
    min: 0,
    max: 1,
    default: 0.4,
    identity: true,
  }),
  'leaf-rounds': whole(
    'further fits to the labels; each moves the scores to the weights of the previous fit (see tune)',
    { max: 100, default: 5, identity: true },
  ),
  epochs: whole('maximum number of epochs of a fit', { min: 1, default: 400, identity: true }),
  'match-games': whole('maximum number of games in the match that decides whether a generation is accepted', {
    min: 2,
    even: true,
    identity: true,
    defaultText: '400, more in later generations',
  }),
  'match-nodes': whole('nodes per move in matches', { min: 1, default: 2000, identity: true }),
  elo0: real(
    'lower SPRT bound in normalized Elo; without --match-games, closer to zero for matches of more than 400 games',
    { default: -30, identity: true },
  ),
  elo1: real('upper SPRT bound in normalized Elo; shrinks like --elo0', { default: 30, identity: true }),
  'pool-games': whole(
    'games that an accepted generation plays against each fixed opponent: material alone, the shipped weights and every --engine',
    { even: true, default: 10, identity: true },
  ),
  engine: wordLists('additional opponent for accepted generations, as in match: cmd=PROGRAM nodes=N …', {
    default: [],
    identity: true,
  }),
  'final-games': whole('maximum number of games against the shipped weights; 0: none', {
    min: 0,
    even: true,
    default: 200,
    identity: true,
  }),
  runs: whole('independent runs; the result is a joint fit to the labels of all of them', {
    min: 1,
    max: 99,
    default: 1,
    identity: true,
  }),
  seed: whole('seed: the same seed gives the same run', { default: 1, identity: true }),
};

export type LoopSettings = SettingsOf<typeof LOOP_OPTIONS>;

const BASE: LoopSettings = defaultSettings(LOOP_OPTIONS);

/** Presets: `default` for a first run, `smoke` for a quick check, `full` for a long run. */
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
  full: { ...BASE, generations: 8, growth: 2, labelRounds: 2, blend: 0.8, leafRounds: 0, runs: 4, poolGames: 0 },
};

/** Returns the settings of the preset, with `changes` applied. */
export function settingsOf(preset: string, changes: Partial<LoopSettings>): LoopSettings {
  return pickSettings(LOOP_OPTIONS, { ...PRESETS[preset], ...changes });
}

/** Result of a match against an opponent of the pool, from the generation's point of view. */
export type PoolEntry = { opponent: string } & Pick<
  MatchEntry,
  'games' | 'wins' | 'losses' | 'draws' | 'penta' | 'elo' | 'eloError'
>;

export interface GenerationEntry {
  generation: number;
  /** Seed, number of games, nodes per move and recorded positions of its self-play. */
  seed: number;
  games: number;
  nodes: number;
  positions: number;
  /** Number of labels in the fit, and nodes per label; null without labels. */
  labels: { positions: number; nodes: number } | null;
  /** Hashes of the weights that played the games and of the fitted weights. */
  played: string;
  weights: string;
  fit: FitReport;
  /** The match (null if the fit changed nothing), and a line with its result or the reason why none was played. */
  match: MatchEntry | null;
  line: string;
  accepted: boolean;
  /** Matches of accepted generations against opponents outside the loop. */
  pool: PoolEntry[];
}

/** The match of the final weights against the shipped weights. `generation` is the source of the final weights; 0 for the start. */
export type FinalEntry = Pick<GenerationEntry, 'weights' | 'generation' | 'match' | 'line'>;

/** The stored state of a loop: its settings, and the figures of each generation and of the final match. */
export interface Ledger {
  settings: LoopSettings;
  /** Engine version and bench at the start of the run. */
  engine: string;
  bench: number;
  /** Empty in a loop of several runs. */
  generations: GenerationEntry[];
  /** If the loop has several runs: the finished runs, and the joint fit to all their labels, if there are any. */
  runs?: RunEntry[];
  fit?: FitReport;
  final: FinalEntry | null;
}

/** A finished run of a loop that has several, with its seed and the hash of its best weights. */
export type RunEntry = Pick<Ledger, 'generations'> & { seed: number; weights: string };
