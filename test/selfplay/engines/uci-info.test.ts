import { expect, test } from 'vitest';
import { InfoCollector, type UciInfo } from '../../../selfplay/engines/uci-info.js';

function infoOf(...chunks: string[]): UciInfo {
  const info = new InfoCollector();
  for (const chunk of chunks) info.add(chunk);
  return info.read();
}

test('the last bound is used if there is no exact score, for any chunking of the output', () => {
  const [early, late] = ['info depth 8 score cp 5 lowerbound', 'info depth 9 score cp 30 upperbound'];
  const others = 'info depth 10 currmove e2e4\ninfo string bound';
  for (const chunks of [[`${early}\n${late}\n${others}`], [early, late, others], [early, `${late}\n${others}`]]) {
    expect(infoOf(...chunks)).toMatchObject({ depth: 9, score: 30 });
  }
  expect(infoOf('info depth 7 score cp 1', early, late)).toMatchObject({ depth: 7, score: 1 });
});

test('the text after string in an info line is ignored', () => {
  const line = 'info depth 7 score cp 1 nodes 20 pv e2e4 e7e5 string lowerbound depth 99';
  expect(infoOf(line, 'info depth 6 score cp 9 upperbound')).toEqual({
    score: 1,
    depth: 7,
    nodes: 20,
    line: 'e2e4 e7e5',
    fields: 'info depth 7 score cp 1 nodes 20',
  });
});

test('the score may follow the principal variation', () => {
  const line = 'info depth 7 pv e2e4 e7e5 multipv 1 score cp 12 nodes 20 hashfull 3\r';
  expect(infoOf('info depth 6 score cp 1', line)).toMatchObject({ score: 12, depth: 7, nodes: 20, line: 'e2e4 e7e5' });
  expect(infoOf(line).fields).toContain(' hashfull 3');
  expect(infoOf('info multipv 2 pv e2e4 score cp 9', 'info pv d2d4 score cp 5 lowerbound').score).toBe(5);
});

test('an impossible distance to mate remains a mate for the same side', () => {
  const scores = ['32767', '501', '500', '-500', '-32768'].map((mate) => infoOf(`info score mate ${mate}`).score);
  expect(scores).toEqual([31001, 31001, 31001, -31001, -31001]);
});
