import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { mateClaimProblem } from '../../../selfplay/games/board.js';
import { MATE_SCORE } from '../../../selfplay/records/record.js';

const NOT_GIVEN = 'claims a mate that its line does not deliver';

describe('a claimed mate', () => {
  test.each([
    ['is valid', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 1, 'a1a8', null],
    ['by the losing side is valid', '7k/8/6K1/8/8/8/8/R7 b - - 0 1', 2 - MATE_SCORE, 'h8g8 a1a8', null],
    ['is valid if its line ends early', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 5, 'a1b1 g8f8', null],
    ['is invalid if its line does not mate', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 1, 'a1a7', NOT_GIVEN],
    ['is invalid if its line ends in stalemate', '7k/8/6K1/8/8/8/8/5Q2 w - - 0 1', MATE_SCORE - 3, 'f1f7', NOT_GIVEN],
    ['is invalid if the other side mates', '7k/8/6K1/8/8/8/8/R7 b - - 0 1', MATE_SCORE - 3, 'h8g8 a1a8', NOT_GIVEN],
    [
      'is invalid with an illegal line',
      '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1',
      MATE_SCORE - 3,
      'a1h8',
      'claims a mate with an illegal line',
    ],
    [
      'against the side to move is invalid if it has a legal move',
      '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1',
      -MATE_SCORE,
      'a1a8',
      'claims to be mated but has a legal move',
    ],
    ['is not checked below the mate bound', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', 900, 'a1h8', null],
    ['without a line is not checked', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', MATE_SCORE - 3, '', null],
  ])('a claimed mate %s', (_, fen, score, line, problem) => {
    parseFen(fen);
    expect(mateClaimProblem(score, line)).toBe(problem);
  });
});
