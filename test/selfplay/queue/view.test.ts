import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
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
