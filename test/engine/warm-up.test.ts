import { afterAll, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../engine/board/fen.js';
import { control, newGame, search } from '../../engine/engine.js';
import { tableMemory } from '../../engine/search/tt.js';
import { warmUp } from '../../engine/warm-up.js';

const now = control.now;
control.now = () => performance.now();
afterAll(() => {
  control.now = now;
});

test('a warm-up leaves no trace: position, table and the next search are as without it', () => {
  const fen = 'r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1B3N2/PP2NPPP/R1BQR1K1 b - - 3 13';
  const memory = tableMemory();
  newGame();
  parseFen(fen);
  const cold = search({ depth: 9 });
  newGame();
  warmUp();
  expect(formatFen()).toBe(fen);
  expect(tableMemory()).toBe(memory);
  expect(search({ depth: 9 })).toEqual(cold);
});
