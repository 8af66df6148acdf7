// The output formats of `npm run data -- convert` for games and labelled positions.

import { type GameResult, resultText } from '../common/game-result.js';
import { needsChess960 } from '../games/board.js';
import { formatLabelled, isBlackToMove, type Labelled, share } from '../positions/labelled.js';
import type { SourcedGame } from '../records/game-kind.js';
import { formatPgn, pgnOfRecord } from '../records/pgn.js';
import { UNSCORED } from '../records/record.js';
import { encodeGame } from '../records/viriformat.js';

/** A position to write. */
export interface LabelledItem extends Labelled {
  /** The move played in the position, in UCI notation, if known. */
  move?: string;
  ply?: number;
}

interface GameFormat {
  endings: readonly string[];
  /** Representation of an unknown score, if the format cannot omit it. */
  unknownScore?: string;
  /** Returns the encoded game; `number` counts the games from 1. */
  game(record: Required<SourcedGame>, number: number): string | Uint8Array;
}

interface PositionFormat {
  endings: readonly string[];
  header?: string;
  /** Whether the format can express only wins, draws and losses, not expected scores in between. */
  hasOnlyResults?: boolean;
  /** Representation of an unknown score, if the format cannot omit it. */
  unknownScore?: string;
  position(item: LabelledItem): string;
}

export const GAME_FORMATS: Readonly<Record<string, GameFormat>> = {
  viriformat: {
    endings: ['.vf', '.viri', '.bin'],
    unknownScore: `score ${UNSCORED}, which only Heft reads as unknown`,
    game: encodeGame,
  },
  pgn: { endings: ['.pgn'], game: pgnGame },
};

export const POSITION_FORMATS: Readonly<Record<string, PositionFormat>> = {
  epd: { endings: ['.epd'], position: epdLine },
  fen: { endings: ['.fen', '.txt'], position: ({ fen, result }) => `${fen} [${share(result)}]\n` },
  bullet: { endings: ['.bullet'], unknownScore: 'score 0', position: (item) => `${formatLabelled(item)}\n` },
  csv: { endings: ['.csv'], header: 'fen,result,score,game,opening\n', position: csvLine },
  plain: { endings: ['.plain'], hasOnlyResults: true, unknownScore: 'score 0', position: plainBlock },
  jsonl: { endings: ['.jsonl', '.json'], position: jsonLine },
};

/** Returns the score in centipawns for the side to move, or null. */
const movers = ({ fen, score }: LabelledItem): number | null =>
  score !== null && score !== 0 && isBlackToMove(fen) ? -score : score;

function pgnGame(record: Required<SourcedGame>, number: number): string {
  const { bookPlies, tags } = record;
  const pgn = pgnOfRecord(record);
  // The start position is still on the board
  const chess960 = !tags.has('Variant') && needsChess960();
  const derived = ['Result', 'SetUp', 'FEN', 'PlyCount'];
  const kept = [...tags].filter(([name]) => !derived.includes(name) && /^[\w-]+$/.test(name));
  return formatPgn({
    ...pgn,
    round: String(number),
    chess960,
    tags: Object.fromEntries(kept),
    bookPlies,
    scores: (pgn.scores ?? []).slice(bookPlies),
  });
}

function epdLine(item: LabelledItem): string {
  const [board, side, castling, square, half, full] = item.fen.split(' ');
  const score = movers(item);
  const evaluation = score === null ? '' : ` ce ${score};`;
  const result = [0, 0.5, 1].includes(item.result) ? resultText(item.result as GameResult) : share(item.result);
  return `${board} ${side} ${castling} ${square} hmvc ${half}; fmvn ${full};${evaluation} c9 "${result}";\n`;
}

function csvLine({ fen, result, score, game, opening }: LabelledItem): string {
  return `${fen},${share(result)},${score ?? ''},${game ?? ''},${opening ?? ''}\n`;
}

function plainBlock(item: LabelledItem): string {
  const result = isBlackToMove(item.fen) ? 1 - item.result : item.result;
  const move = item.move === undefined ? '' : `move ${item.move}\n`;
  const ply = item.ply === undefined ? '' : `ply ${item.ply}\n`;
  return `fen ${item.fen}\n${move}score ${movers(item) ?? 0}\n${ply}result ${2 * result - 1}\ne\n`;
}

function jsonLine({ fen, result, score, move, game, opening }: LabelledItem): string {
  return `${JSON.stringify({ fen, result, score, move, game, opening })}\n`;
}
