// The levels of strength that can be chosen, and the range of Elo they cover.

import { STRENGTH } from './strength-table.js';

/** What an Elo means for a search: its greatest number of nodes, and the share (0 to 1) of own moves it overlooks. */
export interface Level {
  readonly elo: number;
  readonly nodes: number;
  readonly missed: number;
}

export const LEVELS: readonly Level[] = STRENGTH.levels;

/** The range in which the Elo of a level is measured. */
export const MIN_ELO = LEVELS[0].elo;
export const MAX_ELO = LEVELS[LEVELS.length - 1].elo;
