import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { progressOf } from '../../../selfplay/queue/runner.js';
import { QueueStore } from '../../../selfplay/queue/store.js';
import { queuePage } from '../../../selfplay/queue/view.js';

test('the title reports a lost connection until it is restored', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-view-'));
  const [, title, script = ''] =
    /<title>(.*?)<\/title>.*<script>(.*)<\/script>/s.exec(queuePage(new QueueStore(folder))) ?? [];
  rmSync(folder, { recursive: true });
  const stream = new EventTarget();
  const element = new EventTarget();
  const document = Object.assign(new EventTarget(), {
    title,
    getElementById: () => element,
    querySelector: () => element,
  });
  class EventSource {
    addEventListener = stream.addEventListener.bind(stream);
  }
  runInNewContext(script, { document, EventSource });
  const titles = ['open', 'error', 'error', 'open'].map((name) => {
    stream.dispatchEvent(new Event(name));
    return document.title;
  });
  const lost = 'no connection to the queue';
  expect(titles).toEqual(['Heft queue', lost, lost, 'Heft queue']);
});

test('a restarted test has no live page until its new process prints one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-view-'));
  const page = 'http://127.0.0.1:1111/';
  writeFileSync(join(folder, '1.log'), `--- start 1\nLive page: ${page}\n`);
  expect(progressOf(join(folder, '1'))).toEqual({ page });
  appendFileSync(join(folder, '1.log'), '--- start 2\nbuilding\n');
  expect(progressOf(join(folder, '1'))).toEqual({});
  rmSync(folder, { recursive: true });
});
