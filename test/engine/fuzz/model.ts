// Model of the protocol: reads the same bytes as the engine and records the answers that it must give, with their positions.
// The engine's own parsers find the commands and accept the positions; chessops supplies the rules.

import { FenError, formatFen, parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { skipUnknown } from '../../../engine/uci/command.js';
import { type Oracle, oracleAt, oracleFen, oracleMoves, oraclePlay } from '../../support/oracle.js';

/** A requested search. */
export interface Search {
  line: string;
  fen: string;
  isChess960: boolean;
  /** Moves as the engine must write them: castling as `e1g1`, or as `e1h1` in Chess960. */
  legal: readonly string[];
  /** The permitted moves; empty if the line lists none or lists them ambiguously. */
  searchMoves: readonly string[];
}

const GO_WORDS = [
  'ponder',
  'infinite',
  'depth',
  'nodes',
  'movetime',
  'mate',
  'movestogo',
  'wtime',
  'btime',
  'winc',
  'binc',
];

/** Returns the engine's notation of a move of the oracle. */
export function notation(oracle: Oracle, move: string, isChess960: boolean): string {
  const [file, rank, rook] = [move[0], move[1], move[2]];
  const isCastling =
    oracle.board.king.has(square(move.slice(0, 2))) && oracle.board[oracle.turn].has(square(move.slice(2, 4)));
  const target = rook > file ? 'g' : 'c';
  const isShort = Math.abs(target.charCodeAt(0) - file.charCodeAt(0)) < 2;
  return isCastling && !isChess960 && !isShort ? `${file}${rank}${target}${rank}` : move;
}

function square(name: string): number {
  return name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
}

/** The requests sent to the engine so far. */
export class Model {
  readonly searches: Search[] = [];
  readyoks = 0;
  ucioks = 0;
  /** True after a command whose output has no fixed form. */
  isTalkative = false;
  hasQuit = false;
  private partial = '';
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private oracle = oracleAt(STARTPOS);
  private isChess960 = false;

  /** Reads sent bytes. */
  read(bytes: Uint8Array): void {
    const lines = (this.partial + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.partial = lines.pop() as string;
    for (const line of lines) this.carryOut(line);
  }

  /** Reads the end of the input. */
  end(): void {
    const rest = this.partial + this.decoder.decode();
    this.partial = '';
    if (rest !== '') this.carryOut(rest);
    this.hasQuit = true;
  }

  private carryOut(text: string): void {
    if (this.hasQuit) return;
    const line = skipUnknown(text);
    const words = line.trim().split(/\s+/);
    const command = words[0].toLowerCase();
    if (command === 'quit') this.hasQuit = true;
    else if (command === 'uci') this.ucioks++;
    else if (command === 'isready') this.readyoks++;
    else if (['d', 'eval', 'bench'].includes(command)) this.isTalkative = true;
    else if (command === 'setoption') this.setOption(line);
    else if (command === 'position') this.position(words);
    else if (command === 'go' && words.some((word) => word.toLowerCase() === 'perft')) this.isTalkative = true;
    else if (command === 'go') this.go(line.trim(), words);
  }

  private setOption(line: string): void {
    const value = /^\s*setoption\s+name\s+uci_chess960\s+value\s+(true|false)\s*$/i.exec(line)?.[1];
    if (value !== undefined) this.isChess960 = value.toLowerCase() === 'true';
  }

  private position(words: readonly string[]): void {
    const movesAt = words.indexOf('moves');
    const end = movesAt < 0 ? words.length : movesAt;
    try {
      parseFen(words[1] === 'startpos' ? STARTPOS : words.slice(words[1] === 'fen' ? 2 : 1, end).join(' '));
    } catch (error) {
      if (error instanceof FenError) return;
      throw error;
    }
    // Clocks do not affect legality, and chessops accepts only small values
    this.oracle = oracleAt(formatFen().replace(/ \d+ \d+$/, ' 0 1'));
    for (const word of words.slice(end + 1)) {
      const move = this.named(word);
      if (move === undefined) return;
      oraclePlay(this.oracle, move);
    }
  }

  /** Returns the legal move that the word denotes, with castling in either notation. */
  private named(word: string): string | undefined {
    const text = word.toLowerCase();
    const moves = oracleMoves(this.oracle);
    if (moves.includes(text)) return text;
    return moves.find((move) => notation(this.oracle, move, false) === text);
  }

  /** Returns the moves that start at this word, or null if a later word is neither a move nor a keyword of `go`. */
  private moveList(words: readonly string[], start: number): string[] | null {
    const list = words.slice(start).map((word) => this.named(word));
    const end = list.indexOf(undefined);
    if (end >= 0 && !GO_WORDS.includes(words[start + end].toLowerCase())) return null;
    return list.slice(0, end < 0 ? list.length : end).filter((move) => move !== undefined);
  }

  private go(line: string, words: readonly string[]): void {
    const moves = oracleMoves(this.oracle);
    const lists = words.flatMap((word, i) =>
      word.toLowerCase() === 'searchmoves' ? [this.moveList(words, i + 1)] : [],
    );
    const named = lists.every((list) => list !== null) ? lists.flat() : [];
    const write = (move: string): string => notation(this.oracle, move, this.isChess960);
    this.searches.push({
      line,
      fen: oracleFen(this.oracle),
      isChess960: this.isChess960,
      legal: moves.map(write),
      searchMoves: named.map(write),
    });
  }
}
