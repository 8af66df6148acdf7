// Reads Polyglot's opening books (hgm.nubati.net/book_format.html). Each 16-byte entry holds a position key, a move and its weight, and the
// entries are sorted by key. An opening is a path through the book in which each move is drawn in proportion to its weight.

import { readFileSync } from 'node:fs';
import { formatFen, parseFen, STARTPOS } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { moveFrom, moveTo, NO_MOVE } from '../../engine/board/move.js';
import { board, castlingRooks, state } from '../../engine/board/position.js';
import { gameEnd, parseUciMove } from '../../engine/board/rules.js';
import { makePiece, NO_PIECE, PAWN, squareName, WHITE } from '../../engine/board/types.js';
import type { Opening } from '../../engine/commands/random-opening.js';
import { createRandom, type Random, randomBelow } from '../../engine/kernel/random.js';
import { attempt, UserError } from '../common/errors.js';
import { POLYGLOT_ENTRY } from '../records/file-kind.js';
import type { OpeningSource } from './openings.js';

/** Offsets of the random numbers for castling, en-passant file and side to move. The first 768 numbers are for 12 pieces on 64 squares. */
const CASTLING = 768;
const EN_PASSANT = 772;
const WHITE_TO_MOVE = 780;
/** Rook squares in the order of the castling numbers. */
const ROOKS = ['h1', 'a1', 'h8', 'a8'];

let numbers: readonly bigint[] = [];

/** Returns Polyglot's key of the engine's position. The last move, `last`, determines the en-passant file. */
export function polyglotKey(last?: Move): bigint {
  if (numbers.length === 0) numbers = isaacNumbers(WHITE_TO_MOVE + 1);
  let key = state.stm === WHITE ? numbers[WHITE_TO_MOVE] : 0n;
  board.forEach((piece, square) => {
    // Kinds are ordered black pawn, white pawn, …, black king, white king
    if (piece !== NO_PIECE) key ^= numbers[64 * (2 * (piece & 7) + (piece < 8 ? 1 : 0)) + square];
  });
  for (const rook of castlingRooks()) key ^= numbers[CASTLING + ROOKS.indexOf(squareName(rook))];
  if (last !== undefined && isBesideEnemyPawn(last)) key ^= numbers[EN_PASSANT + (moveTo(last) & 7)];
  return key;
}

// Returns whether the move was a double step next to an enemy pawn, even if the capture would be illegal
function isBesideEnemyPawn(last: Move): boolean {
  const to = moveTo(last);
  if (Math.abs(to - moveFrom(last)) !== 16 || (board[to] & 7) !== PAWN) return false;
  const enemy = makePiece(state.stm, PAWN);
  return [to - 1, to + 1].some((square) => square >> 3 === to >> 3 && board[square] === enemy);
}

/** Returns the openings of a book: at most `plies` plies from the start position. Throws a UserError for an invalid book. */
export function polyglotOpenings(file: string, plies: number, seed: number): OpeningSource {
  const book = readBook(file);
  parseFen(STARTPOS);
  if (entriesOf(book, polyglotKey()).length === 0) {
    throw new UserError(`${file}: no moves for the start position, or not a Polyglot book`);
  }
  return (pair) => walk(book, plies, createRandom(seed, pair));
}

function readBook(file: string): Buffer {
  const book = attempt(`cannot read the openings ${file}`, () => readFileSync(file));
  if (book.length > 0 && book.length % POLYGLOT_ENTRY === 0) return book;
  throw new UserError(
    `${file}: not a Polyglot book: its size of ${book.length} bytes is not a positive multiple of ${POLYGLOT_ENTRY}`,
  );
}

function walk(book: Buffer, plies: number, random: Random): Opening {
  parseFen(STARTPOS);
  const moves: Move[] = [];
  while (moves.length < plies) {
    const move = draw(entriesOf(book, polyglotKey(moves.at(-1))), random);
    if (move === null) break;
    makeMove(move);
    moves.push(move);
    if (gameEnd() === null) continue;
    moves.pop();
    break;
  }
  parseFen(STARTPOS);
  for (const move of moves) makeMove(move);
  return { start: STARTPOS, moves, fen: formatFen() };
}

interface Entry {
  move: Move;
  weight: number;
}

// Returns the legal book moves of the position, except those with weight 0, by binary search
function entriesOf(book: Buffer, key: bigint): Entry[] {
  let [low, high] = [0, book.length / POLYGLOT_ENTRY];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (book.readBigUInt64BE(middle * POLYGLOT_ENTRY) < key) low = middle + 1;
    else high = middle;
  }
  const entries: Entry[] = [];
  for (let at = low * POLYGLOT_ENTRY; at < book.length && book.readBigUInt64BE(at) === key; at += POLYGLOT_ENTRY) {
    const move = parseUciMove(uciOf(book.readUInt16BE(at + 8)));
    const weight = book.readUInt16BE(at + 10);
    if (move !== NO_MOVE && weight > 0) entries.push({ move, weight });
  }
  return entries;
}

// Bits 0-5 are the to square, 6-11 the from square and 12-14 the promotion; castling is written as king takes rook
function uciOf(code: number): string {
  return squareName((code >> 6) & 63) + squareName(code & 63) + ['', 'n', 'b', 'r', 'q'][(code >> 12) & 7];
}

function draw(entries: readonly Entry[], random: Random): Move | null {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  let left = randomBelow(random, total);
  for (const { move, weight } of entries) {
    left -= weight;
    if (left < 0) return move;
  }
  return null;
}

// ISAAC-64, Bob Jenkins's generator (public domain). Polyglot's 781 random numbers are its first outputs with an empty seed, so they are
// computed instead of listed.

const SIZE = 256;
const GOLDEN = 0x9e3779b97f4a7c13n;
const cut = (value: bigint): bigint => BigInt.asUintN(64, value);

/** Returns the first numbers of the generator with an empty seed. */
export function isaacNumbers(count: number): bigint[] {
  const memory = seeded();
  const numbers: bigint[] = [];
  let [a, b] = [0n, 0n];
  for (let round = 1n; numbers.length < count; round++) {
    b = cut(b + round);
    const batch: bigint[] = [];
    for (let i = 0; i < SIZE; i++) {
      const x = memory[i];
      a = cut(cut(mixed(a, i % 4)) + memory[(i + SIZE / 2) % SIZE]);
      const y = cut(memory[indexOf(x >> 3n)] + a + b);
      memory[i] = y;
      b = cut(memory[indexOf(y >> 11n)] + x);
      batch.push(b);
    }
    // The generator returns each batch in reverse order
    numbers.push(...batch.reverse());
  }
  return numbers.slice(0, count);
}

const indexOf = (value: bigint): number => Number(value & BigInt(SIZE - 1));

function mixed(a: bigint, step: number): bigint {
  if (step === 0) return ~(a ^ (a << 21n));
  if (step === 1) return a ^ (a >> 5n);
  return step === 2 ? a ^ (a << 12n) : a ^ (a >> 33n);
}

/** Shift of the word `next` in each step of `stir`: positive to the right, negative to the left. */
const SHIFTS = [9, -9, 23, -15, 14, -20, 17, -14];

function seeded(): bigint[] {
  const words: bigint[] = new Array(8).fill(GOLDEN);
  const stir = (): void => {
    for (const [i, shift] of SHIFTS.entries()) {
      const [opposite, last, next] = [4, 5, 7].map((offset) => (i + offset) % 8);
      words[i] = cut(words[i] - words[opposite]);
      words[last] ^= shift > 0 ? words[next] >> BigInt(shift) : cut(words[next] << BigInt(-shift));
      words[next] = cut(words[next] + words[i]);
    }
  };
  for (let i = 0; i < 4; i++) stir();
  const memory: bigint[] = new Array(SIZE).fill(0n);
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < SIZE; i += 8) {
      for (let j = 0; j < 8; j++) words[j] = cut(words[j] + (pass === 0 ? 0n : memory[i + j]));
      stir();
      for (let j = 0; j < 8; j++) memory[i + j] = words[j];
    }
  }
  return memory;
}
