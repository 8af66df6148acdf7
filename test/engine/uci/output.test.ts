import { beforeEach, expect, test } from 'vitest';
import { type Batch, createOutput, type Output } from '../../../engine/uci/lines.js';

let sent: Batch[];
let waiting: (() => void)[];
let output: Output;

beforeEach(() => {
  sent = [];
  waiting = [];
  output = createOutput(
    (batch) => sent.push(batch),
    (work) => waiting.push(work),
  );
});

test('output lines are sent in one batch, with the end marker of their input line', () => {
  output.write('info depth 1');
  output.write('bestmove e2e4');
  expect(sent).toEqual([]);
  output.finish();
  expect(sent).toEqual([['info depth 1', 'bestmove e2e4', null]]);
});

test('the end marker of an input line without output is sent with later output, or in its own batch', () => {
  output.finish();
  output.write('bestmove e2e4');
  output.finish();
  output.finish();
  expect(sent).toEqual([[null, 'bestmove e2e4', null]]);
  for (const work of waiting) work();
  expect(sent.slice(1)).toEqual([[null]]);
});

test('flush sends pending output once', () => {
  output.write('info depth 1');
  output.flush();
  output.flush();
  output.write('bestmove e2e4');
  output.finish();
  expect(sent).toEqual([['info depth 1'], ['bestmove e2e4', null]]);
});
