// Encodes and decodes viriformat, as Viridithas writes it and bullet reads it. A game consists of a 32-byte packed start position with the
// result, a two-byte move and a two-byte score for each ply, and four zero bytes. Numbers are little-endian. Games follow one another
// without gaps. In a byte with two pieces, the piece on the lower square is in the low nibble, as in the format's README.

import { KING, NO_PIECE, NO_SQUARE, ROOK } from '../../engine/board/types.js';
import { type Counts, NO_GAMES, withGame } from '../common/game-result.js';
import { type GameRecord, RecordError, replay } from './record.js';

/** Bytes of the packed start position. */
export const HEADER = 32;
const PIECES_AT = 8;
const SIDE_AND_EP_AT = 24;
const HALFMOVE_AT = 25;
const FULLMOVE_AT = 26;
const RESULT_AT = 30;
const ENTRY = 4;
const MAX_PIECES = 32;
/** Nibble of a rook with castling rights. */
const CASTLING_ROOK = 6;
const NO_EP = 64;
/** Size of a game without moves: header and terminator. */
const EMPTY_GAME = HEADER + ENTRY;

/** Returns the size in bytes of shards with this many games and positions. */
export const sizeOf = (games: number, positions: number): number => games * EMPTY_GAME + positions * ENTRY;

/** Returns the game as bytes; throws a RecordError if the format cannot represent the start position. */
export function encodeGame(game: GameRecord): Uint8Array {
  const { moves, scores, result } = game;
  const bytes = new Uint8Array(sizeOf(1, moves.length));
  const view = new DataView(bytes.buffer);
  encodeStart(game.start, bytes, view);
  bytes[RESULT_AT] = result;
  for (let i = 0, at = HEADER; i < moves.length; i++, at += ENTRY) {
    view.setUint16(at, moves[i], true);
    view.setInt16(at + 2, scores[i], true);
  }
  return bytes;
}

function encodeStart(start: GameRecord['start'], bytes: Uint8Array, view: DataView): void {
  let pieces = 0;
  for (let square = 0; square < 64; square++) {
    const piece = start.board[square];
    if (piece === NO_PIECE) continue;
    if (pieces === MAX_PIECES) throw new RecordError(`more than ${MAX_PIECES} pieces`);
    const nibble = start.castlingRooks.includes(square) ? CASTLING_ROOK | (piece & 8) : piece;
    bytes[square >> 3] |= 1 << (square & 7);
    bytes[PIECES_AT + (pieces >> 1)] |= nibble << (4 * (pieces & 1));
    pieces++;
  }
  bytes[SIDE_AND_EP_AT] = (start.epSquare === NO_SQUARE ? NO_EP : start.epSquare) | (start.sideToMove << 7);
  bytes[HALFMOVE_AT] = Math.min(255, start.halfmove);
  view.setUint16(FULLMOVE_AT, Math.min(65535, start.fullmove), true);
}

/** Returns the end of the game at `at`, or -1 if it is incomplete. */
export function endOfGame(bytes: Uint8Array, at: number): number {
  for (let end = at + HEADER; end + ENTRY <= bytes.length; end += ENTRY) {
    if ((bytes[end] | bytes[end + 1] | bytes[end + 2] | bytes[end + 3]) === 0) return end + ENTRY;
  }
  return -1;
}

/**
 * Returns the game at `at` and the start of the next one; throws a RecordError if it is truncated or contradictory. Does not check the
 * legality of moves.
 */
export function decodeGame(bytes: Uint8Array, at: number): { game: GameRecord; next: number } {
  const next = endOfGame(bytes, at);
  if (next < 0) throw new RecordError('the game is truncated');
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, next - at);
  const result = view.getUint8(RESULT_AT);
  if (result !== 0 && result !== 1 && result !== 2) throw new RecordError(`result ${result} is not 0, 1 or 2`);
  const start = decodeStart(view);
  const count = (next - at - EMPTY_GAME) / ENTRY;
  const moves = new Uint16Array(count);
  const scores = new Int16Array(count);
  for (let i = 0; i < count; i++) {
    moves[i] = view.getUint16(HEADER + ENTRY * i, true);
    scores[i] = view.getInt16(HEADER + ENTRY * i + 2, true);
  }
  return { game: { start, result, moves, scores }, next };
}

function decodeStart(view: DataView): GameRecord['start'] {
  const board: number[] = new Array(64).fill(NO_PIECE);
  const castlingRooks: number[] = [];
  const kings = [0, 0];
  let pieces = 0;
  for (let square = 0; square < 64; square++) {
    if (((view.getUint8(square >> 3) >> (square & 7)) & 1) === 0) continue;
    if (pieces === MAX_PIECES) throw new RecordError(`more than ${MAX_PIECES} pieces`);
    const nibble = nibbleOf(view, pieces++);
    const type = nibble & 7;
    if (type === CASTLING_ROOK) castlingRooks.push(square);
    else if (type > KING) throw new RecordError(`${nibble} is not a piece`);
    if (type === KING) kings[nibble >> 3]++;
    board[square] = type === CASTLING_ROOK ? ROOK | (nibble & 8) : nibble;
  }
  for (let i = pieces; i < MAX_PIECES; i++) {
    if (nibbleOf(view, i) !== 0) throw new RecordError('more pieces than occupied squares');
  }
  if (kings[0] !== 1 || kings[1] !== 1) throw new RecordError(`${kings[0]} white and ${kings[1]} black kings`);
  const sideAndEp = view.getUint8(SIDE_AND_EP_AT);
  const ep = sideAndEp & 127;
  if (ep > NO_EP) throw new RecordError(`${ep} is not an en-passant square`);
  return {
    board,
    sideToMove: sideAndEp >> 7,
    epSquare: ep === NO_EP ? NO_SQUARE : ep,
    castlingRooks,
    halfmove: view.getUint8(HALFMOVE_AT),
    // Writers may set both counters to 0, but moves are numbered from 1
    fullmove: Math.max(1, view.getUint16(FULLMOVE_AT, true)),
  };
}

function nibbleOf(view: DataView, index: number): number {
  return (view.getUint8(PIECES_AT + (index >> 1)) >> (4 * (index & 1))) & 15;
}

/** Returns the result of decodeGame(). Its error messages begin with `place`. */
export function decodeGameAt(bytes: Uint8Array, at: number, place: string): { game: GameRecord; next: number } {
  try {
    return decodeGame(bytes, at);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new RecordError(`${place}: ${error.message}`);
  }
}

/** Returns the fault of the start position at the beginning of the bytes, or null. */
export function headerFault(bytes: Uint8Array): string | null {
  try {
    decodeGame(new Uint8Array([...bytes.subarray(0, HEADER), 0, 0, 0, 0]), 0);
    return null;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return error.message;
  }
}

/** Counts of the complete games at the start of the data. */
export interface WholeGames {
  games: number;
  positions: number;
  /** From White's side. */
  results: Counts;
  /** End of the last complete game in bytes. */
  length: number;
  /** Fault of the bytes after it, or null. */
  fault: string | null;
}

/** Counts the games before the first truncated, contradictory or illegal one. Overwrites the engine's position. */
export function lastWholeGame(bytes: Uint8Array): WholeGames {
  const whole: WholeGames = { games: 0, positions: 0, results: NO_GAMES, length: 0, fault: null };
  try {
    while (whole.length < bytes.length) {
      const { game, next } = decodeGameAt(bytes, whole.length, `game ${whole.games + 1} at byte ${whole.length}`);
      replay(game, () => {}, whole.games);
      whole.games++;
      whole.positions += game.moves.length;
      whole.results = withGame(whole.results, game.result);
      whole.length = next;
    }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    whole.fault = error.message;
  }
  return whole;
}
