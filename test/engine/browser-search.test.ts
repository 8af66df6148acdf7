import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { searchInBrowser } from '../../engine/browser-search.js';
import { formatLoss } from '../../engine/search/root/flags.js';

type Listener = (event: object) => void;

const kernel = async (): Promise<ArrayBuffer[]> =>
  ['search', 'table', 'trace'].map(
    (name) => new Uint8Array(readFileSync(new URL(`../../dist/engine/kernel/${name}.wasm`, import.meta.url))).buffer,
  );

afterEach(() => {
  vi.unstubAllGlobals();
});

test('an error in a helper is reported as an output line and does not propagate to the page', async () => {
  const posted: unknown[] = [];
  let send: Listener = () => {};
  let fail: Listener | undefined;
  vi.stubGlobal('location', { href: 'worker.js' });
  vi.stubGlobal('postMessage', (batch: unknown) => posted.push(batch));
  vi.stubGlobal('addEventListener', (_: string, listener: Listener) => {
    send = listener;
  });
  vi.stubGlobal(
    'Worker',
    class {
      postMessage(): void {}
      terminate(): void {}
      addEventListener(type: string, listener: Listener): void {
        if (type === 'error') fail = listener;
      }
    },
  );
  searchInBrowser(kernel);
  for (const data of [null, 'setoption name Threads value 2', 'isready']) send({ data });
  await vi.waitFor(() => expect(fail).toBeDefined());
  const preventDefault = vi.fn();
  fail?.({ message: 'no memory', preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(posted.flat()).toContain('readyok'));
  expect(posted.flat()).toContain(formatLoss(1, 'no memory'));
});
