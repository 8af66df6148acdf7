// The selectable levels of strength and their Elo range.

import { STRENGTH } from './strength-table.js';

/** Search settings for an Elo: maximum nodes, and the share (0 to 1) of own moves overlooked. */
export interface Level {
  readonly elo: number;
  readonly nodes: number;
  readonly missed: number;
}

export const LEVELS: readonly Level[] = STRENGTH.levels;

/** Range of the measured levels in Elo. */
export const MIN_ELO = LEVELS[0].elo;
export const MAX_ELO = LEVELS[LEVELS.length - 1].elo;
