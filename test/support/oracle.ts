// chessops as an oracle of the rules, with the engine's names: moves as UCI with castling as "king takes rook".

import { Chess } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSan } from 'chessops/san';
import type { NormalMove, Role } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';

const PROMOTIONS: readonly Role[] = ['queen', 'rook', 'bishop', 'knight'];

/** A position of chessops. */
export type Oracle = Chess;

/** Returns the oracle's position of a FEN; throws if chessops rejects it. */
export function oracleAt(fen: string): Oracle {
  return Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
}

/** Returns all legal moves, sorted. */
export function oracleMoves(oracle: Oracle): string[] {
  const moves: string[] = [];
  for (const [from, targets] of oracle.allDests()) {
    const isPawn = oracle.board.get(from)?.role === 'pawn';
    for (const to of targets) {
      const promotions = isPawn && (to < 8 || to >= 56) ? PROMOTIONS : [undefined];
      for (const promotion of promotions) {
        moves.push(makeUci(promotion === undefined ? { from, to } : { from, to, promotion }));
      }
    }
  }
  return moves.sort();
}

/** Plays a legal move. */
export function oraclePlay(oracle: Oracle, uci: string): void {
  oracle.play(parseUci(uci) as NormalMove);
}

/** Returns the FEN: the en-passant square only if the capture is legal, castling as KQkq where that is unambiguous. */
export function oracleFen(oracle: Oracle): string {
  return makeFen(oracle.toSetup());
}

/** Returns the SAN of a legal move. */
export function oracleSan(oracle: Oracle, uci: string): string {
  return makeSan(oracle, parseUci(uci) as NormalMove);
}

/** Returns the end of the game by the position alone, with the values of gameEnd(); null if the game is not over. */
export function oracleEnd(oracle: Oracle): 'checkmate' | 'stalemate' | 'material' | null {
  if (oracle.isCheckmate()) return 'checkmate';
  if (oracle.isStalemate()) return 'stalemate';
  return oracle.isInsufficientMaterial() ? 'material' : null;
}
