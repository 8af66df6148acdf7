// Positions for programs that use the library. Each is set up on demand, because an isolate holds only one position at a time.

import { formatFen, parseFen, STARTPOS } from '../board/fen.js';
import { isInCheck, perft } from '../board/kernel.js';
import { moveToUci, NO_MOVE } from '../board/move.js';
import { setChess960, state } from '../board/position.js';
import { advanceGame, formatSan, gameEnd, legalMoves, MAX_PERFT, parseSan } from '../board/rules.js';
import { WHITE } from '../board/types.js';
import { checkFields, setUpFen, trueOrFalse, wholeNumber } from './requests.js';
import type { Position } from './types.js';

/** Source of a position. */
interface Game {
  start: string;
  chess960: boolean;
  moves: readonly Move[];
}

/** Returns the position of a FEN, or the start position; throws a TypeError if it is invalid. */
export function createPosition(fen: string = STARTPOS, options: { chess960?: boolean } = {}): Position {
  checkFields('options', options, ['chess960']);
  const { chess960 = false } = options;
  setUpFen(fen, trueOrFalse('chess960', chess960));
  return positionOf({ start: fen, chess960, moves: [] });
}

function setUp({ start, chess960, moves }: Game): void {
  setChess960(chess960);
  parseFen(start);
  for (const move of moves) advanceGame(move);
}

function positionOf(game: Game): Position {
  setUp(game);
  const uci = (move: Move): string => moveToUci(move, game.chess960);
  return {
    fen: formatFen(),
    start: game.start,
    turn: state.stm === WHITE ? 'white' : 'black',
    isCheck: isInCheck(),
    end: gameEnd(),
    moves: game.moves.map(uci),
    legalMoves() {
      setUp(game);
      return legalMoves().map((move) => ({ uci: uci(move), san: formatSan(move) }));
    },
    play(text) {
      if (typeof text !== 'string') throw new TypeError(`expected a move as a string, not ${String(text)}`);
      setUp(game);
      const move = parseSan(text);
      if (move === NO_MOVE) throw new TypeError(`'${text}' is not a legal move in ${formatFen()}`);
      return positionOf({ ...game, moves: [...game.moves, move] });
    },
    perft(depth) {
      const plies = wholeNumber('depth', depth, 0, MAX_PERFT);
      setUp(game);
      return perft(plies, true);
    },
  };
}
