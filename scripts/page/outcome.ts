// How a game on the page has ended: on the board, or by the clock.

import type { GameEnd, Position } from '../../engine/library/types.js';

type Side = Position['turn'];

const ENDS: Record<GameEnd, string> = {
  checkmate: 'Checkmate.',
  stalemate: 'Draw by stalemate.',
  repetition: 'Draw by repetition.',
  fifty: 'Draw by the fifty-move rule.',
  material: 'Draw: neither side can mate.',
};

/** The end of a game: its result, and in words. */
export interface Outcome {
  result: '1-0' | '0-1' | '1/2-1/2';
  words: string;
  /** By time, for PGN. */
  termination?: 'time forfeit';
}

const lossOf = (side: Side): '1-0' | '0-1' => (side === 'white' ? '0-1' : '1-0');

/** Returns the end of a game in the position; `flagged` is the side whose time is up, `heft` the one that Heft plays. Null if the game goes on. */
export function outcomeOf({ end, turn, fen }: Position, flagged: Side | null, heft: string): Outcome | null {
  if (end !== null) return { result: end === 'checkmate' ? lossOf(turn) : '1/2-1/2', words: ENDS[end] };
  if (flagged === null) return null;
  const [places] = fen.split(' ');
  const others = places.match(flagged === 'white' ? /[a-z]/g : /[A-Z]/g) ?? [];
  if (others.length === 1)
    return { result: '1/2-1/2', words: 'Draw: time is up, and the other side has only its king.' };
  const words = flagged === heft ? "Heft's time is up: you win." : 'Your time is up: Heft wins.';
  return { result: lossOf(flagged), words, termination: 'time forfeit' };
}
