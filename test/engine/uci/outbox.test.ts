import { beforeEach, expect, test } from 'vitest';
import { createOutbox, type Outbox, type Parcel } from '../../../engine/uci/outbox.js';

let sent: Parcel[];
let waiting: (() => void)[];
let outbox: Outbox;

beforeEach(() => {
  sent = [];
  waiting = [];
  outbox = createOutbox(
    (parcel) => sent.push(parcel),
    (work) => waiting.push(work),
  );
});

test('lines travel together, and with the end of the line of input they answer', () => {
  outbox.write('info depth 1');
  outbox.write('bestmove e2e4');
  expect(sent).toEqual([]);
  outbox.finish();
  expect(sent).toEqual([['info depth 1', 'bestmove e2e4', null]]);
});

test('an end without a line waits for what comes next, or until there is nothing else to do', () => {
  outbox.finish();
  outbox.write('bestmove e2e4');
  outbox.finish();
  outbox.finish();
  expect(sent).toEqual([[null, 'bestmove e2e4', null]]);
  for (const work of waiting) work();
  expect(sent.slice(1)).toEqual([[null]]);
});

test('a thread that stays busy sends what it has, once', () => {
  outbox.write('info depth 1');
  outbox.flush();
  outbox.flush();
  outbox.write('bestmove e2e4');
  outbox.finish();
  expect(sent).toEqual([['info depth 1'], ['bestmove e2e4', null]]);
});
