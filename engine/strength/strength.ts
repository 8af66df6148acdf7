// Play at a chosen Elo: the engine sees less. A node limit takes its depth away, the same under every clock; below what that
// can do, it also overlooks a share of its own quiet moves, except those of the queen. Position and move number alone decide which, so that
// games at fixed nodes are reproducible.

import { highBits, lowBits } from '../board/bitboards/bitboard.js';
import { CASTLING, EN_PASSANT, type Move, moveFrom, moveKind, moveTo } from '../board/move.js';
import { board, keys, state } from '../board/position.js';
import { legalMoves } from '../board/rules.js';
import { NO_PIECE, QUEEN } from '../board/types.js';
import { createRandom } from '../kernel/random.js';
import type { Limits } from '../search/root/limits.js';
import { LEVELS, type Level } from './levels.js';

/** Returns the level for an Elo, between two measured ones by interpolation: Elo grows about evenly with the logarithm of the nodes. */
export function levelOf(elo: number, levels: readonly Level[] = LEVELS): Level {
  const found = levels.findIndex((level) => level.elo >= elo);
  const above = found < 0 ? levels.length - 1 : Math.max(1, found);
  const [low, high] = [levels[above - 1], levels[above]];
  const share = Math.max(0, Math.min(1, (elo - low.elo) / (high.elo - low.elo)));
  const nodes = Math.round(low.nodes * (high.nodes / low.nodes) ** share);
  return { elo, nodes, missed: low.missed + share * (high.missed - low.missed) };
}

/** Returns the limits within which a search of the present position plays at the Elo; clocks and all else stay as they are. */
export function weakened(limits: Limits, elo: number): Limits {
  const { nodes, missed } = levelOf(elo);
  const weak = { ...limits, nodes: Math.min(nodes, limits.nodes ?? nodes) };
  if (missed === 0) return weak;
  const asked = limits.searchMoves ?? [];
  return { ...weak, searchMoves: seenMoves(asked.length > 0 ? asked : legalMoves(), missed) };
}

// The last move standing is always seen
function seenMoves(moves: readonly Move[], missed: number): Move[] {
  const seeds = [lowBits(keys.position), highBits(keys.position), state.fullmove];
  const draws = moves.map((move) => createRandom(...seeds, move)() / 2 ** 32);
  const best = Math.max(...draws);
  return moves.filter((move, i) => draws[i] >= missed || draws[i] === best || isPlainToSee(move));
}

function isPlainToSee(move: Move): boolean {
  const kind = moveKind(move);
  const isCapture = kind === EN_PASSANT || (kind !== CASTLING && board[moveTo(move)] !== NO_PIECE);
  return isCapture || (board[moveFrom(move)] & 7) === QUEEN;
}
