// What a self-play run is asked to do.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import type { GameSettings } from './training-game.js';

export interface SelfplaySettings extends Omit<GameSettings, 'mg' | 'eg'> {
  games: number;
  out: string;
  workers: number;
  /** Transposition table of each worker in mebibytes. */
  hash: number;
  weights: WeightSet;
  /** The command line, for the manifest. */
  command: string;
}
