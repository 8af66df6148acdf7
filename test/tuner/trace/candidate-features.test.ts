import { expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { traceEvaluate } from '../../../engine/eval/kernel.js';
import { replay } from '../../../selfplay/records/record.js';
import { CANDIDATES, candidateValue, countCandidates } from '../../../tuner/trace/candidate-features.js';
import { playGames } from '../../support/games.js';

function counted(fen: string, evaluation = 0): Record<string, number> {
  parseFen(fen);
  traceEvaluate();
  const packed: number[] = [];
  countCandidates(packed);
  const values = Int8Array.from(packed);
  const entries = CANDIDATES.map(({ name }, i) => [name, candidateValue(i, values[i], evaluation)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== 0));
}

test.each<[string, string, number, Record<string, number>]>([
  ['pieces that defend each other', '6k1/8/8/8/8/R7/8/R6K w - - 0 1', 0, { 'defended pieces': 2 }],
  [
    'a rook that attacks the other half',
    '6k1/8/8/8/8/R7/8/7K w - - 0 1',
    0,
    { 'squares attacked in the other half': 4, 'squares attacked in the centre': 3 },
  ],
  [
    'an attacked knight',
    '4k3/3n4/3r4/8/1B6/8/3R4/4K3 b - - 0 1',
    0,
    { 'pieces attacked twice and not defended twice': -1 },
  ],
  ['rook pawns', '4k3/8/8/8/7p/8/P6P/3BK3 w - - 0 1', 150, { 'ahead with only rook pawns': 1.5 }],
  ['rook pawns behind', '4k3/8/8/8/7p/8/P6P/3BK3 w - - 0 1', -150, { 'ahead with only rook pawns': -1.5 }],
  ['another pawn', '4k3/8/8/8/7p/8/P5P1/3BK3 w - - 0 1', 150, {}],
])('candidate features are counted in a position with %s', (_, fen, evaluation, wanted) => {
  const found = counted(fen, evaluation);
  const scales = CANDIDATES.filter(({ kind }) => kind === 'scale').map(({ name }) => name);
  for (const name of [...scales, ...Object.keys(wanted)]) expect(found[name] ?? 0, name).toBe(wanted[name] ?? 0);
});

test('candidate features change sign when the colours are exchanged', () => {
  expect(counted('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')).toEqual({});
  for (const game of playGames(3, 4)) {
    replay(game, () => {
      const fen = formatFen();
      const there = counted(fen, 130);
      const back = counted(flipped(fen), -130);
      for (const { name } of CANDIDATES)
        expect(back[name] ?? 0, `${name} in ${fen}`).toBeCloseTo(-(there[name] ?? 0), 12);
      parseFen(fen);
    });
  }
});

function flipped(fen: string): string {
  const [board, side] = fen.split(' ');
  const swap = (text: string): string =>
    text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
  return `${swap(board.split('/').reverse().join('/'))} ${side === 'w' ? 'b' : 'w'} - - 0 1`;
}
