// Limited strength, by Elo. A node limit reduces the depth independently of the clock. At lower levels the engine also overlooks a share of
// its quiet moves, except queen moves. The choice depends only on the position and the move number, so games at fixed nodes are
// reproducible.

import { highBits, lowBits } from '../board/bitboards/bitboard.js';
import { moveFrom } from '../board/move.js';
import { board, keys, state } from '../board/position.js';
import { isCapture, legalMoves } from '../board/rules.js';
import { QUEEN } from '../board/types.js';
import { createRandom } from '../kernel/random.js';
import type { Limits } from '../search/root/limits.js';
import { STRENGTH } from './levels.js';
import { safestFirst } from './safest-move.js';

/** Search settings for an Elo: maximum nodes, and the share (0 to 1) of its quiet moves that the engine overlooks. */
export interface Level {
  readonly elo: number;
  readonly nodes: number;
  readonly missed: number;
}

/** Returns the level for an Elo, interpolated between measured ones: Elo is about linear in the logarithm of the nodes. */
export function levelOf(elo: number, levels: readonly Level[] = STRENGTH.levels): Level {
  const found = levels.findIndex((level) => level.elo >= elo);
  const above = found < 0 ? levels.length - 1 : Math.max(1, found);
  const [low, high] = [levels[above - 1], levels[above]];
  const share = Math.max(0, Math.min(1, (elo - low.elo) / (high.elo - low.elo)));
  const nodes = Math.round(low.nodes * (high.nodes / low.nodes) ** share);
  return { elo, nodes, missed: low.missed + share * (high.missed - low.missed) };
}

/** Returns the limits for a search of the current position at this Elo; clocks and other limits are unchanged. */
export function weakened(limits: Limits, elo: number): Limits {
  const { nodes, missed } = levelOf(elo);
  const weak = { ...limits, nodes: Math.min(nodes, limits.nodes ?? nodes) };
  const asked = limits.searchMoves ?? [];
  const moves = asked.length > 0 ? asked : legalMoves();
  return { ...weak, searchMoves: safestFirst(missed === 0 ? moves : seenMoves(moves, missed)) };
}

// At least one move is always considered
function seenMoves(moves: readonly Move[], missed: number): Move[] {
  const seeds = [lowBits(keys.position), highBits(keys.position), state.fullmove];
  // The promotions of a pawn are overlooked together; otherwise the engine might find the promotion to a rook but not to a queen
  const draws = moves.map((move) => createRandom(...seeds, move & 0xfff)() / 2 ** 32);
  const best = Math.max(...draws);
  return moves.filter((move, i) => draws[i] >= missed || draws[i] === best || isPlainToSee(move));
}

const isPlainToSee = (move: Move): boolean => isCapture(move) || (board[moveFrom(move)] & 7) === QUEEN;
