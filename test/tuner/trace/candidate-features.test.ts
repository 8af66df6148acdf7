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
  ['a rook at the king', '6k1/8/R7/8/8/8/8/7K w - - 0 1', 0, { 'squares attacked on the king flank': 4 }],
  ['opposite bishops', '4k3/3b4/8/8/8/8/P7/2B1K3 w - - 0 1', 150, { 'ahead with opposite bishops': 1.5 }],
  ['bishops on one colour', '4k3/2b5/8/8/8/8/P7/2B1K3 w - - 0 1', 150, {}],
  ['a lead without pawns', '4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1', 230, { 'ahead without pawns': 2.3 }],
  ['a lead with pawns', '4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1', -230, {}],
])('candidate features of a position with %s', (_, fen, evaluation, wanted) => {
  const found = counted(fen, evaluation);
  const scales = CANDIDATES.filter(({ kind }) => kind === 'scale').map(({ name }) => name);
  for (const name of [...scales, ...Object.keys(wanted)]) expect(found[name] ?? 0, name).toBe(wanted[name] ?? 0);
});

test('candidate features change their sign with the colours', () => {
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
