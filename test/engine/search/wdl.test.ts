// The WDL model: its properties for any score and material, and the chances that the shipped model gives.

import { describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { MATE, MATE_BOUND } from '../../../engine/search/score.js';
import { materialOnBoard, wdlOf } from '../../../engine/strength/wdl.js';

const SCORES = Array.from({ length: 601 }, (_, i) => 10 * (i - 300));
const MATERIALS = [0, 5, 17, 20, 30, 45, 58, 70, 78, 103];
const grid = MATERIALS.flatMap((material) => SCORES.map((score) => [score, material] as const));

describe('the shipped model', () => {
  test('the chances of the shipped model add up to 1000 and are not negative', () => {
    const wrong = grid.filter(([score, material]) => {
      const { win, draw, loss } = wdlOf(score, material);
      return win + draw + loss !== 1000 || Math.min(win, draw, loss) < 0;
    });
    expect(wrong).toEqual([]);
  });

  test('the shipped model is symmetric for the two sides', () => {
    const wrong = grid.filter(([score, material]) => {
      const [ours, theirs] = [wdlOf(score, material), wdlOf(-score, material)];
      return ours.win !== theirs.loss || ours.loss !== theirs.win || ours.draw !== theirs.draw;
    });
    expect(wrong).toEqual([]);
  });

  test('a higher score never lowers the win chance or raises the loss chance', () => {
    const wrong = grid.filter(([score, material]) => {
      const [below, above] = [wdlOf(score, material), wdlOf(score + 10, material)];
      return above.win < below.win || above.loss > below.loss;
    });
    expect(wrong).toEqual([]);
  });

  // A new fit changes these values
  test.each([
    [0, 78, [298, 404, 298]],
    [100, 78, [600, 292, 108]],
    [0, 58, [247, 506, 247]],
    [100, 58, [554, 366, 80]],
    [200, 17, [436, 560, 4]],
    // Material outside the fitted range counts as its nearest end
    [200, 5, [436, 560, 4]],
    [0, 103, [298, 404, 298]],
  ])(
    'the shipped model gives known chances for a score of %i with %i pawns of material',
    (score, material, chances) => {
      const { win, draw, loss } = wdlOf(score, material);
      expect([win, draw, loss]).toEqual(chances);
    },
  );
});

test.each([
  [MATE - 1, { win: 1000, draw: 0, loss: 0 }],
  [MATE_BOUND, { win: 1000, draw: 0, loss: 0 }],
  [-MATE_BOUND, { win: 0, draw: 0, loss: 1000 }],
  [-MATE, { win: 0, draw: 0, loss: 1000 }],
])('a mate score of %i gives a certain result', (score, chances) => {
  expect(wdlOf(score, 40)).toEqual(chances);
});

test.each([
  [STARTPOS, 78],
  ['4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 1],
  ['4k3/q7/8/8/8/8/8/RN2KB2 w - - 0 1', 20],
])('materialOnBoard counts the pieces of %s', (fen, material) => {
  parseFen(fen);
  expect(materialOnBoard()).toBe(material);
});
