// The ideas of an explanation, in the words of chess players. Each cell of an evaluation term belongs to one idea.

import { BLACK } from '../board/types.js';
import type { Family, Term } from '../eval/terms.js';

/** The ideas in display order, with their titles. */
export const IDEAS = {
  material: 'Material',
  placement: 'Pieces on good squares',
  activity: 'Mobility',
  kingAttack: 'Attack on the king',
  kingSafety: "King's shelter",
  pawns: 'Pawn structure',
  passedPawns: 'Passed pawns',
  threats: 'Threats',
  space: 'Space',
  move: 'Side to move',
  winnable: 'Winning chances',
  known: 'Known endgame',
} as const;
export type Idea = keyof typeof IDEAS;

const BY_FAMILY: Record<Family, Idea> = {
  mobility: 'activity',
  'pawn structure': 'pawns',
  'passed pawns': 'passedPawns',
  'shelter and storm': 'kingSafety',
  'king attack': 'kingAttack',
  threats: 'threats',
  'posts of pieces': 'placement',
  space: 'space',
  'endgame scale': 'winnable',
  tempo: 'move',
};
const BY_NAME: Readonly<Record<string, Idea>> = { material: 'material', bishopPair: 'material', restriction: 'space' };

/** Idea of each piece-square table: the pawn table belongs to pawn structure, the king table to king safety. */
const BY_PIECE: readonly Idea[] = ['pawns', 'placement', 'placement', 'placement', 'placement', 'kingSafety'];
const SQUARES = 64;

/** Returns the idea of a term's cell. */
export function ideaOf({ name, family }: Term, cell: number): Idea {
  return BY_NAME[name] ?? (family === null ? BY_PIECE[Math.floor(cell / SQUARES)] : BY_FAMILY[family]);
}

/** Returns the side's name. */
export const sideName = (side: Color): string => (side === BLACK ? 'Black' : 'White');
