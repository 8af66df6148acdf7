// Levels by name. Their Elo is that of UCI_Elo; full strength has none.

import { MAX_ELO, MIN_ELO } from '../../engine/strength/levels.js';

const NAMES: readonly (readonly [string, number])[] = [
  ['First steps', MIN_ELO],
  ['Beginner', 700],
  ['Casual player', 1000],
  ['Club player', 1400],
  ['Strong club player', 1700],
  ['Expert', 2000],
  ['Master', 2300],
  ['Strong master', MAX_ELO],
];

/** Fills the choice of levels, full strength last and chosen. */
export function offerLevels(choice: HTMLSelectElement): void {
  const options = NAMES.map(([name, elo]) => new Option(`${name} (Elo ${elo})`, `${elo}`));
  choice.replaceChildren(...options, new Option('Full strength', '', true, true));
}
