import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { mateClaimProblem } from '../../../selfplay/games/board.js';
import { MATE_SCORE } from '../../../selfplay/records/record.js';

const NOT_GIVEN = 'claims a mate that its line does not deliver';

describe('a claimed mate', () => {
  test.each([
    ['holds', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 1, 'a1a8', null],
    ['holds for the loser too', '7k/8/6K1/8/8/8/8/R7 b - - 0 1', 2 - MATE_SCORE, 'h8g8 a1a8', null],
    ['holds when its line stops early', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 5, 'a1b1 g8f8', null],
    ['is none when its line goes on', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 1, 'a1a7', NOT_GIVEN],
    ['is none in stalemate', '7k/8/6K1/8/8/8/8/5Q2 w - - 0 1', MATE_SCORE - 3, 'f1f7', NOT_GIVEN],
    ['is none when the other side mates', '7k/8/6K1/8/8/8/8/R7 b - - 0 1', MATE_SCORE - 3, 'h8g8 a1a8', NOT_GIVEN],
    [
      'cannot be shown by an illegal move',
      '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1',
      MATE_SCORE - 3,
      'a1h8',
      'claims a mate with an illegal line',
    ],
    [
      'is none of a player who has a move',
      '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1',
      -MATE_SCORE,
      'a1a8',
      'claims to be mated while it has a move',
    ],
    ['is no claim below the bound', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', 900, 'a1h8', null],
    ['without a line proves nothing', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 3, '', null],
  ])('a claimed mate %s', (_, fen, score, line, problem) => {
    parseFen(fen);
    expect(mateClaimProblem(score, line)).toBe(problem);
  });
});
