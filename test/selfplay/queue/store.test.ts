import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { QueueRunner } from '../../../selfplay/queue/runner.js';
import { QueueStore } from '../../../selfplay/queue/store.js';
import { checkedForm } from '../../../selfplay/queue/test.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a new test does not reuse the number of a run that is no longer listed', () => {
  const path = join(folder, 'moved');
  mkdirSync(join(path, '1'), { recursive: true });
  writeFileSync(join(path, '2.log'), '');
  const store = new QueueStore(path);
  expect([store.add(checkedForm({})).id, store.add(checkedForm({})).id]).toEqual([3, 4]);
});

test('a test with a form that is no longer valid is kept, and fails if not yet played', () => {
  const path = join(folder, 'older');
  const store = new QueueStore(path);
  for (const name of ['played', 'waiting', 'good']) store.add(checkedForm({ name }));
  store.change(1, { state: 'finished' });
  const file = join(path, 'queue.json');
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  for (const at of [0, 1]) saved.tests[at].form.options = '--pgn games.pgn';
  // A field that another version does not have
  for (const at of [0, 1]) delete saved.tests[at].form.tc;
  writeFileSync(file, JSON.stringify(saved));
  expect(new QueueStore(path).tests.map(({ state, problem }) => [state, problem])).toEqual([
    ['finished', undefined],
    ['failed', 'Options (--options): --pgn is not allowed in a test'],
    ['queued', undefined],
  ]);
  expect(existsSync(file)).toBe(true);
  expect(new QueueStore(path).tests[0]!.form.tc).toBe('8+0.08');
});

test('a started test with a form that is no longer valid is kept, and fails without a run to continue', async () => {
  const path = join(folder, 'begun');
  const store = new QueueStore(path);
  for (const name of ['running', 'requeued']) store.add(checkedForm({ name }));
  store.change(1, { state: 'running', size: 0 });
  store.change(2, { size: 0 });
  const file = join(path, 'queue.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"options": ""', '"options": "--pgn games.pgn"'));
  const opened = new QueueStore(path);
  expect(opened.tests.map(({ state }) => state)).toEqual(['running', 'queued']);
  const onEnd = vi.fn();
  const runner = new QueueRunner(opened, { onChange: () => {}, onEnd, onWarning: expect.unreachable });
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledTimes(2), 20_000);
  await runner.close();
  for (const [failed] of onEnd.mock.calls)
    expect(failed).toMatchObject({ state: 'failed', problem: 'Options (--options): --pgn is not allowed in a test' });
});

test('an invalid file in the inbox is renamed and not read again', () => {
  const path = join(folder, 'inbox-of-another-version');
  const store = new QueueStore(path);
  const file = join(path, 'inbox/1.json');
  writeFileSync(file, '{"colour": "red"}');
  expect(store.collect()).toEqual([expect.stringContaining(`${file}.refused: `)]);
  expect([existsSync(file), readFileSync(`${file}.refused`, 'utf8')]).toEqual([false, '{"colour": "red"}']);
  expect([store.collect(), store.tests]).toEqual([[], []]);
});
