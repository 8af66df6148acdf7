// The drop-in worker in a browser. The tests are skipped without Chromium (HEFT_CHROMIUM sets its path).

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { STARTPOS } from '../../engine/board/fen.js';
import { BrowserPage, CHROMIUM } from '../support/chromium.js';
import { servedFolder } from '../support/file-server.js';
import { oracleAt, oracleEnd, oracleMoves, oraclePlay } from '../support/oracle.js';

// Other tests may leave the browser only a tenth of the CPU
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const MAX_BYTES = 200_000;

const BUNDLER = '../../scripts/bundle.mjs';
/** Castling in the oracle's notation. */
const CASTLINGS: Record<string, string> = { e1g1: 'e1h1', e1c1: 'e1a1', e8g8: 'e8h8', e8c8: 'e8a8' };

const folder = mkdtempSync(join(tmpdir(), 'heft-drop-in-'));
let code = '';
beforeAll(async () => {
  const { dropIn } = (await import(BUNDLER)) as { dropIn: () => Promise<string> };
  code = await dropIn();
  writeFileSync(join(folder, 'uci.js'), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the worker is one small classic script', () => {
  expect(Buffer.byteLength(code)).toBeLessThan(MAX_BYTES);
  expect(() => new Function(code)).not.toThrow();
});

/**
 * Script of a page that drives the worker: `engine.until(pattern)` resolves to the lines up to the match, and throws with the lines after
 * an error of the worker and after 100 s.
 */
const driver = (start: string): string => `(() => {
  const worker = ${start};
  const lines = [], waiting = [];
  const look = () => {
    const at = waiting.length === 0 ? -1 : lines.findIndex((line) => waiting[0].wanted.test(line));
    if (at >= 0) { waiting.shift().resolve(lines.splice(0, at + 1)); look(); }
    else if (lines.some((line) => line.startsWith('error: '))) fail();
  };
  const fail = () => {
    for (const { wanted, reject } of waiting.splice(0)) reject(new Error('no ' + wanted + ' in: ' + lines.join(' | ')));
  };
  worker.onmessage = ({ data }) => { lines.push(typeof data === 'string' ? data : 'not a string'); look(); };
  worker.onerror = ({ message }) => { lines.push('error: ' + message); look(); };
  window.engine = {
    send: (text) => worker.postMessage(text),
    until: (wanted) => new Promise((resolve, reject) => {
      const item = { wanted, resolve, reject };
      waiting.push(item);
      setTimeout(() => { if (waiting.includes(item)) fail(); }, 100_000);
      look();
    }),
  };
})()`;
const LOCAL = `new Worker('/uci.js')`;

/** Serves the worker, and pages without the headers for shared memory. The worker's own policy forbids blobs. */
async function plainServer(
  policy: Record<string, string>,
): Promise<{ origin: string; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/uci.js') response.writeHead(200, { 'content-type': 'text/javascript', ...policy }).end(code);
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><link rel="icon" href="data:,">');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}

const search = (go: string): string => `(async () => {
  engine.send('uci\\nisready\\nposition startpos');
  const [id] = await engine.until(/^uciok$/);
  engine.send('${go}');
  const answer = await engine.until(/^bestmove/);
  const stopped = [];
  for (const move of ['e2e4', 'd2d4', 'c2c4']) {
    engine.send('position startpos moves ' + move);
    engine.send('go infinite');
    await engine.until(/ depth ([6-9]|\\d\\d) .* pv /);
    const start = performance.now();
    engine.send('stop');
    await engine.until(/^bestmove/);
    stopped.push(performance.now() - start);
  }
  return { id, answer, stopped };
})()`;
interface Searched {
  id: string;
  answer: string[];
  stopped: number[];
}
const expectSearched = async (page: BrowserPage, go: string): Promise<void> => {
  const { id, answer, stopped } = await page.evaluate<Searched>(search(go));
  expect(id).toMatch(/^id name Heft /);
  expect(answer.at(-1)).toMatch(/^bestmove [a-h][12][a-h][34]/);
  expect(Math.min(...stopped)).toBeLessThan(await page.stopLimit());
};

describe.skipIf(CHROMIUM === undefined)('in a browser (needs Chromium)', () => {
  test('a page without COOP and COEP headers loads a single file and plays three complete games', async () => {
    const server = await plainServer({});
    const page = await BrowserPage.open(`${server.origin}/`);
    try {
      await page.evaluate(driver(LOCAL));
      await expectSearched(page, 'go depth 8');
      for (const nodes of [200, 400, 800]) {
        const game = oracleAt(STARTPOS);
        const moves: string[] = [];
        await page.evaluate(`engine.send('ucinewgame')`);
        while (oracleEnd(game) === null && moves.length < 400) {
          const [line] = await page.evaluate<string[]>(
            `(async () => { engine.send('position startpos moves ${moves.join(' ')}'); engine.send('go nodes ${nodes}');
              return (await engine.until(/^bestmove/)).slice(-1); })()`,
          );
          const move = line.split(' ')[1];
          const legal = oracleMoves(game);
          const played = legal.includes(move) ? move : CASTLINGS[move];
          expect(legal).toContain(played);
          oraclePlay(game, played);
          moves.push(move);
        }
        expect(moves.length).toBeGreaterThan(20);
      }
      expect(server.asked).toEqual(['/', '/uci.js']);
      expect(page.messages).toEqual([]);
    } finally {
      await page.close();
      server.close();
    }
  });

  test('the worker loads its own file if the content security policy forbids blobs, as in an extension', async () => {
    const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
    const server = await plainServer({ 'content-security-policy': policy });
    const page = await BrowserPage.open(`${server.origin}/`);
    try {
      await page.evaluate(driver(LOCAL));
      await expectSearched(page, 'go depth 8');
    } finally {
      await page.close();
      server.close();
    }
  });

  test('the worker uses threads if shared memory is available, and loads from another origin through a blob', async () => {
    const [library, own] = [await servedFolder(folder), await servedFolder(folder)];
    const page = await BrowserPage.open(`${own.origin}/page.html`);
    try {
      expect(await page.evaluate('crossOriginIsolated')).toBe(true);
      await page.evaluate(driver(LOCAL));
      await page.evaluate(`engine.send('setoption name Threads value 3')`);
      await expectSearched(page, 'go depth 10');
      const blob = `new Blob(["importScripts('${library.origin}/uci.js')"], { type: 'text/javascript' })`;
      await page.evaluate(driver(`new Worker(URL.createObjectURL(${blob}))`));
      await expectSearched(page, 'go depth 8');
      // The server has no icon for the empty page
      expect(page.messages.filter((text) => !text.includes('404'))).toEqual([]);
    } finally {
      await page.close();
      library.close();
      own.close();
    }
  });

  test('the worker still works after a bundler has renamed its functions', async () => {
    const { output } = await build({
      input: join(folder, 'uci.js'),
      write: false,
      output: { format: 'iife', minify: true },
      logLevel: 'silent',
    });
    expect(output[0].code).not.toContain('function heft(');
    writeFileSync(join(folder, 'bundled.js'), output[0].code);
    const own = await servedFolder(folder);
    const page = await BrowserPage.open(`${own.origin}/page.html`);
    try {
      await page.evaluate(driver(`new Worker('/bundled.js')`));
      await expectSearched(page, 'go depth 8');
      expect(page.messages.filter((text) => !text.includes('404'))).toEqual([]);
    } finally {
      await page.close();
      own.close();
    }
  });
});
