// What a loop does, from presets and options, and the identity by which a folder's run is recognised when it is continued.

import type { FilterSettings } from '../trace/sample.js';

export interface LoopSettings {
  /** Weights that learning starts from: material, shipped or a file. */
  from: string;
  generations: number;
  /** Generations without a gain, one after another, that end the loop. */
  patience: number;
  /** Self-play games and soft nodes a move of each generation. */
  games: number;
  nodes: number;
  /** Random centipawns added to the tables anew in each game (see selfplay). */
  jitter: number;
  /** How many of the latest generations' games are learnt from. */
  window: number;
  perGame: number;
  resolve: FilterSettings['resolve'];
  /** Epochs at most, and the pull towards the weights before (see tune). */
  epochs: number;
  l2: number;
  /** The deciding match: most games, nodes a move, SPRT bounds in normalized Elo. */
  matchGames: number;
  matchNodes: number;
  elo0: number;
  elo1: number;
  /** Games against the shipped weights at the end. */
  finalGames: number;
  seed: number;
}

const BASE: LoopSettings = {
  from: 'material',
  generations: 3,
  patience: 2,
  games: 4000,
  nodes: 300,
  jitter: 15,
  window: 3,
  perGame: 20,
  resolve: 'qsearch',
  epochs: 400,
  l2: 20,
  matchGames: 300,
  matchNodes: 2000,
  elo0: 0,
  elo1: 40,
  finalGames: 200,
  seed: 1,
};

/** Named settings: what a newcomer watches in ten minutes, a check in one, and what the shipped weights were made with. */
export const PRESETS: Readonly<Record<string, LoopSettings>> = {
  default: BASE,
  smoke: {
    ...BASE,
    generations: 1,
    games: 120,
    nodes: 150,
    epochs: 60,
    matchGames: 40,
    matchNodes: 300,
    finalGames: 20,
  },
  full: {
    ...BASE,
    generations: 8,
    games: 6000,
    matchGames: 1000,
    matchNodes: 4000,
    elo1: 30,
    seed: 2026,
  },
};

/** Returns the first setting in which two runs differ, or null. */
export function settingsDifference(a: LoopSettings, b: LoopSettings): string | null {
  const names = Object.keys(BASE) as (keyof LoopSettings)[];
  return names.find((name) => a[name] !== b[name]) ?? null;
}
