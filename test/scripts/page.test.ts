// The page and the library in a browser. These tests are skipped without Chromium (HEFT_CHROMIUM sets its path).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPosition } from '../../engine/library/position.js';
import { MAX_ELO } from '../../engine/uci/options.js';
import { BrowserPage, CHROMIUM } from '../support/chromium.js';
import { servedFolder } from '../support/file-server.js';
import { EXAMPLES } from '../support/package-runs.js';

// Other tests may leave the browser only a tenth of the CPU
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-page-'));
const file = join(folder, 'play.html');
const build = (...args: string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'scripts/page.mjs'), ...args], { encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => void build(file));
afterAll(() => rmSync(folder, { recursive: true }));

test('the page is one self-contained file, and the build overwrites only its own output', () => {
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/<(script|img|link)[^>]+(src|href)="(?!data:)/);
  expect(text.length).toBeLessThan(2 ** 20);
  const other = join(folder, 'other.html');
  writeFileSync(other, 'mine');
  expect(() => build(other)).toThrow(/other\.html was not written by this command/);
  expect(() => build(folder)).toThrow(/heft-page-\w+ was not written by this command/);
  expect(build(file)).toContain('open it in a browser');
});

test('the PGN has a Chess960 variant tag only if the castling rights require it', async () => {
  const script = join(folder, 'sharing.mjs');
  const build = `import { inlined } from './scripts/bundle.mjs'; console.log(await inlined('scripts/page/sharing.ts', 'esm'))`;
  writeFileSync(script, execFileSync(process.execPath, ['--input-type=module', '-e', build], { cwd: ROOT }));
  const { gameOfHash, pgnOf } = await import(pathToFileURL(script).href);
  const written = (hash: string): string => pgnOf(gameOfHash(hash), ['a', 'b'], null);
  const moved = written('#fen=1k6/8/8/8/8/8/8/1K4R1_w_G_-_0_1&moves=b1g1');
  expect(moved).toMatch(/\[Variant "Chess960"\]\n[\s\S]*\n\n1\. O-O \*\n/);
  expect(written('#fen=4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1&moves=e1g1')).not.toContain('Variant');
  expect(written('#moves=e2e4')).not.toContain('Variant');
});

test('a page built for a URL has Open Graph tags and an image file next to it', () => {
  const place = join(folder, 'web');
  build(join(place, 'index.html'), 'https://heft.example/play/');
  const text = readFileSync(join(place, 'index.html'), 'utf8');
  const contents = Array.from(text.matchAll(/<meta property="(og:[^"]+)" content="([^"]+)">/g), ([, name, value]) => [
    name,
    value,
  ]);
  const tags: Record<string, string> = Object.fromEntries(contents);
  for (const name of ['title', 'type', 'url', 'image', 'description', 'image:alt'])
    expect(tags).toHaveProperty([`og:${name}`]);
  expect([tags['og:url'], tags['og:image']]).toEqual([
    'https://heft.example/play/',
    'https://heft.example/play/heft.png',
  ]);
  // The first chunk of a PNG has its width and height
  const picture = readFileSync(join(place, 'heft.png'));
  expect([tags['og:image:width'], tags['og:image:height']].map(Number)).toEqual(
    [16, 20].map((at) => picture.readUInt32BE(at)),
  );
  expect(readFileSync(file, 'utf8')).not.toContain('og:image');
  writeFileSync(join(place, 'heft.png'), 'mine');
  expect(() => build(join(place, 'index.html'), 'https://heft.example/play/')).toThrow(
    /heft\.png was not written by this command/,
  );
  expect(() => build(join(place, 'index.html'), 'heft.example')).toThrow(/ADDRESS: expected https:/);
});

/** cm-chessboard warns if a click or a new position arrives while it draws the last move, which is likely on a busy machine. */
const BOARD_WARNING = / without parentNode$|^invalid square |^no piece on /;

const shows = (id: string, part: string): string =>
  `document.getElementById('${id}').textContent.includes(${JSON.stringify(part)})`;

describe.skipIf(CHROMIUM === undefined)('in a browser, opened from disk (needs Chromium)', () => {
  let page: BrowserPage;
  beforeEach(async () => {
    page = await BrowserPage.open(pathToFileURL(file).href);
    await page.until(shows('status', 'Your move'));
  });
  afterEach(async () => {
    const { messages } = page;
    await page.close();
    expect(messages.filter((text) => !BOARD_WARNING.test(text))).toEqual([]);
  });

  const choose = (id: string, value: string | number): Promise<void> =>
    page.evaluate(
      `(() => { const field = document.getElementById('${id}'); field.value = '${value}';
        field.dispatchEvent(new Event('input')); field.dispatchEvent(new Event('change')); })()`,
    );
  const load = async (text: string): Promise<void> => {
    await page.click('#text');
    await page.send('Input.insertText', { text });
    await page.click('#load');
  };
  const text = (id: string): Promise<string> => page.evaluate(`document.getElementById('${id}').textContent`);
  const move = async (from: string, to: string): Promise<void> => {
    // The board accepts no move while it draws the previous one
    const isTaken = `document.querySelector('.marker-dot, .marker-bevel') !== null`;
    for (let tries = 0; tries < 100; tries++) {
      await page.click(`[data-square="${from}"]`);
      if (await page.evaluate<boolean>(isTaken)) return page.click(`[data-square="${to}"]`);
    }
    throw new Error(`the board takes no piece from ${from}`);
  };

  test('a game can be played, taken back, and won with a promotion', async () => {
    await choose('time', 200);
    await move('e2', 'e4');
    await page.until(`/^1\\. e4 \\S+$/.test(document.getElementById('moves').textContent)`);
    expect(await text('status')).toBe('Your move.');
    await page.until(`document.querySelectorAll('#lines li').length === 3`);
    await move('g1', 'g3');
    expect(await text('moves')).toMatch(/^1\. e4 \S+$/);
    await page.click('#back');
    await page.until(shows('moves', 'No moves yet'));

    await load('7k/P7/5K2/8/8/8/8/8 w - - 0 1');
    await move('a7', 'a8');
    await page.until(`document.querySelector('.promotion-dialog-button[data-piece="wq"]')`);
    await page.click('.promotion-dialog-button[data-piece="wq"]');
    await page.until(`${shows('moves', '1. a8=Q+')} && ${shows('status', 'Your move')}`);
    await page.until(shows('terms', 'material'));
    await load('7k/Q7/6K1/8/8/8/8/8 w - - 0 1');
    await move('a7', 'h7');
    await page.until(shows('status', 'Checkmate'));
    await page.until(`document.getElementById('share').style.height === '100%'`);
    const isLight = (): Promise<boolean> => page.evaluate(`document.getElementById('score').matches('.behind')`);
    await load('6k1/5ppp/8/8/8/8/5PPP/5RK1 w - - 0 1');
    expect([await text('score'), await text('lines')]).toEqual(['', expect.stringContaining('appear here')]);
    await move('g2', 'g3');
    await page.until(`${shows('moves', '1. g3 ')} && parseFloat(document.getElementById('share').style.height) < 92`);
    expect(await isLight()).toBe(false);
    await page.click('#flip');
    expect(await isLight()).toBe(true);
  });

  test('in a timed game the clocks run in turn, are restored by a takeback, and end the game at zero', async () => {
    const clocks = (): Promise<string[]> => Promise.all(['clockwhite', 'clockblack'].map(text));
    await choose('time', '1+0');
    expect(await page.evaluate(`document.getElementById('clocks').hidden`)).toBe(false);
    expect(await clocks()).toEqual(['1:00', '1:00']);
    await move('e2', 'e4');
    await page.until(`/^1\\. e4 \\S+$/.test(document.getElementById('moves').textContent)`);
    await page.until(`document.querySelector('.clock.running #clockwhite') && !${shows('clockwhite', '1:00')}`);
    expect(await clocks()).toEqual([expect.stringMatching(/^0:[2-5]\d$/), expect.stringMatching(/^0:[2-5]\d$/)]);
    await page.click('#back');
    await page.until(shows('moves', 'No moves yet'));
    expect(await clocks()).toEqual(['1:00', '1:00']);
    await move('d2', 'd4');
    await page.until(`/^1\\. d4 \\S+$/.test(document.getElementById('moves').textContent)`);
    await page.evaluate(
      `(() => { const start = performance.now.bind(performance); performance.now = () => start() + 61_000; })()`,
    );
    await page.until(shows('status', 'Your time is up: Heft wins.'));
    expect(await text('clockwhite')).toBe('0.0');
    await page.click('#move');
    await page.send('Input.insertText', { text: 'c4' });
    await page.click('#moveform button');
    expect(await text('moveproblem')).toBe('The game is over.');
    await page.click('#pgn');
    const pgn = await page.evaluate<string>(`document.getElementById('text').value`);
    for (const tag of ['TimeControl "60+0"', 'Termination "time forfeit"', 'Result "0-1"']) expect(pgn).toContain(tag);
    await page.click('#back');
    await page.until(shows('status', 'Your move'));
    await load('7k/Q7/6K1/8/8/8/8/8 w - - 0 1');
    await move('a7', 'h7');
    await page.until(shows('status', 'Checkmate'));
    expect(await page.evaluate(`document.querySelector('.clock.running')`)).toBe(null);
    await choose('time', 200);
    expect(await page.evaluate(`document.getElementById('clocks').hidden`)).toBe(true);
  });

  test('analysis stops promptly and continues in the next position', async () => {
    await choose('side', 'nobody');
    const took: number[] = [];
    for (const [start, from, to] of [
      ['1. ', 'd2', 'd4'],
      ['1… ', 'd7', 'd5'],
      ['2. ', 'c2', 'c4'],
    ]) {
      await page.until(
        `!document.getElementById('stop').disabled && ${shows('lines', start)} && document.querySelectorAll('#lines li').length === 3`,
      );
      await page.evaluate(
        `(() => { const status = document.getElementById('status'); const start = performance.now(); globalThis.took = undefined;
          new MutationObserver(() => { if (status.textContent === 'Stopped.') globalThis.took ??= performance.now() - start; }).observe(status, { childList: true }); })()`,
      );
      await page.evaluate(`document.getElementById('stop').click()`);
      await page.until('globalThis.took');
      took.push(await page.evaluate<number>('globalThis.took'));
      await move(from, to);
    }
    await page.until(`${shows('status', 'analysing')} && ${shows('lines', '2… ')}`);
    expect(Math.min(...took)).toBeLessThan(await page.stopLimit());
  });

  test('the page loads games and positions and reports unreadable input', async () => {
    await choose('side', 'nobody');
    await load('[Event "x"]\n[Result "*"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n');
    await page.until(`document.getElementById('moves').textContent === '1. e4 e5 2. Nf3'`);
    await load('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    await move('e1', 'g1');
    await page.until(
      `document.getElementById('moves').textContent === '1. O-O' && document.querySelector('[data-piece="wr"][data-square="f1"]')`,
    );
    // A capture on the square on which the last move is marked
    await load('1. e4 d5');
    await move('e4', 'd5');
    await page.until(`document.getElementById('moves').textContent === '1. e4 d5 2. exd5'`);
    await load('1. e4 e5 2. Ke3');
    expect(await text('problem')).toBe("line 1: 'Ke3' is not a legal move here");
    expect(await text('moves')).toBe('1. e4 e5');
    await load('8/8 w');
    expect(await text('problem')).toContain('not 8 ranks of 8 squares');
    await load('good morning');
    expect(await text('problem')).not.toBe('');
    // The game continues after a draw by repetition
    await load('1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4');
    await page.until(shows('moves', '5. e4'));
    expect(await page.evaluate(`document.getElementById('whyheft').disabled`)).toBe(true);
    await page.click('#new');
    await page.until(`${shows('moves', 'No moves yet')} && document.getElementById('problem').textContent === ''`);
  });

  test('the weakest level searches few nodes, and the levels rise to the maximum Elo', async () => {
    const [least, name] = await page.evaluate<[string, string]>(
      `(() => { const { value, text } = document.getElementById('level').options[0]; return [value, text]; })()`,
    );
    expect(name).toBe(`Novice (Elo ${least})`);
    const values = await page.evaluate<string[]>(
      `Array.from(document.getElementById('level').options, ({ value }) => value)`,
    );
    expect(values.pop()).toBe('');
    expect(Number(values.at(-1))).toBe(MAX_ELO);
    expect(values.map(Number)).toEqual(values.map(Number).toSorted((a, b) => a - b));
    expect(values.length).toBeGreaterThanOrEqual(5);
    await choose('level', least);
    await choose('side', 'white');
    await page.until(`/^1\\. \\S+$/.test(document.getElementById('moves').textContent)`);
    const told = await page.evaluate<string>(`document.querySelector('#lines li').title`);
    expect(Number(/(\d+) nodes/.exec(told)?.[1])).toBeLessThan(3000);
  });

  test("the page explains Heft's move and yours, with arrows and a comparison with the best move", async () => {
    await choose('time', 200);
    await page
      .evaluate(`document.getElementById('whyheft').disabled`)
      .then((isDisabled) => expect(isDisabled).toBe(true));
    await move('h2', 'h4');
    await page.until(`/^1\\. h4 \\S+$/.test(document.getElementById('moves').textContent)`);
    const [, answer] = /^1\. h4 (\S+)$/.exec(await text('moves')) as RegExpExecArray;
    for (const [id, san] of [
      ['whymine', 'h4'],
      ['whyheft', answer],
    ]) {
      await page.click(`#${id}`);
      await page.until(shows('why', `After ${san} `));
      await page.until(`document.querySelector('[data-arrow]')`);
      await page.until(`/Score/.test(document.querySelector('#parts .total').textContent)`);
    }
    expect(await page.evaluate(`document.querySelectorAll('#parts thead th').length`)).toBeGreaterThanOrEqual(2);
  });

  test('the page shows a game as PGN, and its link opens the game in another page', async () => {
    await choose('side', 'nobody');
    await load('1. e4 e5 2. Nf3');
    await page.until(shows('moves', '2. Nf3'));
    await page.click('#pgn');
    const pgn = await page.evaluate<string>(`document.getElementById('text').value`);
    expect(pgn).toMatch(/^\[Event "Game on the Heft page"\]\n[\s\S]*\n\n1\. e4 e5 2\. Nf3 \*\n/);
    const address = await page.evaluate<string>('location.href');
    expect(address).toMatch(/#moves=e2e4,e7e5,g1f3$/);
    const other = await BrowserPage.open(address);
    try {
      await other.until(`document.getElementById('moves').textContent === '1. e4 e5 2. Nf3'`);
      await other.evaluate(`location.hash = '#moves=d2d4,d7d5'`);
      await other.until(`document.getElementById('moves').textContent === '1. d4 d5'`);
    } finally {
      await other.close();
    }
  });

  test('a reload keeps the game and the settings', async () => {
    const values = (): Promise<string[]> =>
      page.evaluate(`['side', 'time', 'level'].map((id) => document.getElementById(id).value)`);
    await choose('time', '3+2');
    await choose('level', 1600);
    await choose('side', 'white');
    await page.until(`/^1\\. \\S+$/.test(document.getElementById('moves').textContent)`);
    const moves = await text('moves');
    await page.reload();
    await page.until(shows('status', 'Your move'));
    expect(await values()).toEqual(['white', '3+2', '1600']);
    expect(await text('moves')).toBe(moves);
    expect(await page.evaluate(`document.getElementById('clocks').hidden`)).toBe(false);
    expect(await page.evaluate(`document.getElementById('bar').className`)).toContain('turned');
  });

  test('text that is being edited is kept when Heft moves', async () => {
    await choose('time', 5000);
    await move('e2', 'e4');
    await page.click('#text');
    await page.send('Input.insertText', { text: '1. d4' });
    await page.until(`/^1\\. e4 \\S+$/.test(document.getElementById('moves').textContent)`);
    expect(await page.evaluate(`document.getElementById('text').value`)).toBe('1. d4');
    await page.click('#load');
    await page.until(shows('moves', '1. d4'));
    expect(await page.evaluate(`document.getElementById('text').value`)).toMatch(/^rnbqkbnr/);
  });

  test('a promotion chosen after the game has changed is not played', async () => {
    await load('7k/P7/5K2/8/8/8/8/8 w - - 0 1');
    await move('a7', 'a8');
    await page.until(`document.querySelector('.promotion-dialog-button[data-piece="wq"]')`);
    await page.evaluate(`document.getElementById('new').click()`);
    await page.click('.promotion-dialog-button[data-piece="wq"]');
    await page.until(`document.querySelector('.promotion-dialog-button') === null`);
    expect(await text('moves')).toContain('No moves yet');
  });

  test('the page reports an engine that has failed or cannot start', async () => {
    const source =
      'globalThis.Worker = class extends Worker { constructor(url) { super(url); globalThis.worker = this; } }';
    const { identifier } = await page.send('Page.addScriptToEvaluateOnNewDocument', { source });
    await page.reload();
    await page.until(shows('status', 'Your move'));
    await page.evaluate(`worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))`);
    await move('e2', 'e4');
    await page.until(shows('status', 'The engine has failed: '));
    expect(await text('status')).toMatch(/out of memory.*; reload the page\.$/);
    await page.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: 'delete globalThis.Worker' });
    await page.reload();
    await page.until(shows('status', 'The engine cannot start: '));
    // The browser also prints the error
    page.messages.length = 0;
  });

  test.each([390, 1280])('nothing overflows a screen %i pixels wide', async (width) => {
    await page.resize(width, 900);
    // The board is resized a moment later
    await page.until(`document.documentElement.scrollWidth <= ${width}`);
  });
});

test.skipIf(CHROMIUM === undefined)('the page works at a URL with a double slash (needs Chromium)', async () => {
  const { origin, close } = await servedFolder(folder);
  try {
    const page = await BrowserPage.open(`${origin}//play.html#moves=e2e4,e7e5`);
    await page.until(`${shows('status', 'Your move')} && ${shows('moves', '1. e4 e5')}`).finally(() => page.close());
  } finally {
    close();
  }
});

interface Node {
  role?: { value: string };
  name?: { value: string };
  value?: { value: string };
}

describe.skipIf(CHROMIUM === undefined)('without a mouse or a screen (needs Chromium)', () => {
  let page: BrowserPage;
  beforeEach(async () => {
    page = await BrowserPage.open(pathToFileURL(file).href);
    await page.until(shows('status', 'Your move'));
  });
  afterEach(() => page.close());

  /** Returns the node with this role and name in the accessibility tree. */
  const find = async (role: string, name: RegExp): Promise<Node> => {
    const { nodes } = (await page.send('Accessibility.getFullAXTree')) as unknown as { nodes: Node[] };
    const found = nodes.find((node) => node.role?.value === role && name.test(node.name?.value ?? ''));
    if (found === undefined) throw new Error(`nothing is a ${role} called ${name}`);
    return found;
  };
  const press = async (key: string, code = 0, text?: string): Promise<void> => {
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(text === undefined ? {} : { text }) };
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  };
  const tabTo = async (label: string): Promise<void> => {
    for (let tries = 0; tries < 40; tries++) {
      if (await page.evaluate<boolean>(`document.activeElement?.labels?.[0]?.textContent === '${label}'`)) return;
      await press('Tab', 9);
    }
    throw new Error(`the field '${label}' is not reached by Tab`);
  };

  test('a game can be played to its end with the keyboard and the accessibility tree', async () => {
    await page.evaluate(`document.getElementById('time').value = '200'`);
    const isOver = (): Promise<boolean> =>
      page.evaluate(`/^(Checkmate|Draw)/.test(document.getElementById('status').textContent)`);
    let plies = 0;
    for (; plies < 120 && !(await isOver()); plies += 2) {
      const fen = (await find('textbox', /^Position \(FEN\)/)).value?.value as string;
      const moves = createPosition(fen).legalMoves();
      await tabTo('Your move');
      await page.send('Input.insertText', { text: moves[(plies * 7) % moves.length].san });
      await press('Enter', 13, '\r');
      // Heft has moved, or the game is over
      await page.until(
        `!${shows('status', 'Heft is thinking')} && document.getElementById('text').value !== ${JSON.stringify(fen)} ||
          document.getElementById('moveproblem').textContent`,
      );
      expect(
        await page.evaluate(`document.getElementById('moveproblem').textContent + '|' + document.activeElement.id`),
      ).toBe('|move');
      if (plies === 0) {
        await page.until(shows('announced', 'Heft: '));
        expect((await find('image', /^White: king e1/)).name?.value).toContain('White to move.');
      }
    }
    expect(await isOver()).toBe(true);
    expect(plies).toBeGreaterThan(4);
    expect(page.messages.filter((text) => !BOARD_WARNING.test(text))).toEqual([]);
  });

  test('an illegal move is reported and stays in the field', async () => {
    await tabTo('Your move');
    await page.send('Input.insertText', { text: 'Ke3' });
    await press('Enter', 13, '\r');
    await page.until(shows('moveproblem', 'Ke3 is not a legal move here'));
    expect(await page.evaluate(`document.getElementById('move').value`)).toBe('Ke3');
  });

  test.each(['light', 'dark'])('axe-core finds no serious violations in the %s colour scheme', async (scheme) => {
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await page.evaluate(
      `(() => { const time = document.getElementById('time'); time.value = '1+0'; time.dispatchEvent(new Event('change')); })()`,
    );
    await tabTo('Your move');
    await page.send('Input.insertText', { text: 'h4' });
    await press('Enter', 13, '\r');
    await page.until(`${shows('announced', 'Heft: ')} && ${shows('status', 'Your move')}`);
    await page.click('#whymine');
    await page.until(shows('why', 'After h4 '));
    await page.evaluate(readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8'));
    const faults = await page.evaluate<string[]>(
      `axe.run(document).then(({ violations }) => violations.filter(({ impact }) => /serious|critical/.test(impact))
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html.slice(0, 120) + ' ' + failureSummary).join(' | ')))`,
    );
    expect(faults).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)('the library in a browser (needs Chromium)', () => {
  const TYPES: Record<string, string> = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };
  const HTML = `<link rel="icon" href="data:,">
    <script type="importmap">{"imports": {"heft-chess": "/engine/library/browser.js"}}</script>`;
  let server: Server;
  let isIsolated = false;
  beforeAll(
    () =>
      new Promise<void>((resolve) => {
        server = createServer(({ url = '' }, response) => {
          const path = url === '/index.html' ? null : join(ROOT, 'dist', url);
          const headers = { 'Content-Type': TYPES[url.split('.').at(-1) ?? ''] ?? 'text/plain' };
          const isolation = {
            'Cross-Origin-Opener-Policy': 'same-origin',
            'Cross-Origin-Embedder-Policy': 'require-corp',
          };
          response.writeHead(200, isIsolated ? { ...headers, ...isolation } : headers);
          response.end(path === null ? HTML : readFileSync(path));
        }).listen(0, '127.0.0.1', resolve);
      }),
  );
  afterAll(() => void server.close());
  const open = (shared: boolean): Promise<BrowserPage> => {
    isIsolated = shared;
    return BrowserPage.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`);
  };

  test.each([
    ['with one thread, in a page without headers', false],
    ['with two threads, in a page with shared memory', true],
  ])('in a browser, the library searches %s (needs Chromium)', async (_, shared) => {
    const page = await open(shared);
    try {
      expect(await page.evaluate('crossOriginIsolated')).toBe(shared);
      const result = await page.evaluate<{
        bestMove: string;
        stopped: number[];
        score: number;
        depth: number;
      }>(`(async () => {
        const { createEngine, createPosition } = await import('/engine/library/browser.js');
        const engine = await createEngine({ threads: ${shared ? 2 : 1} });
        const { bestMove, lines } = await engine.search({ depth: 8 });
        const stopped = [];
        for (const move of ['e2e4', 'd2d4', 'c2c4']) {
          let start = 0;
          await engine.search({ moves: [move] }, { onInfo: ({ depth }) => { if (start === 0 && depth >= 6) { start = performance.now(); engine.stop(); } } });
          stopped.push(performance.now() - start);
        }
        const { score } = await engine.evaluate({ moves: [createPosition().play('e4').moves[0]] });
        engine.close();
        return { bestMove, stopped, score, depth: lines[0].depth };
      })()`);
      expect(result).toEqual({
        bestMove: expect.stringMatching(/^[a-h][1-8][a-h][1-8]$/),
        stopped: expect.any(Array),
        score: expect.any(Number),
        depth: 8,
      });
      expect(Math.min(...result.stopped)).toBeLessThan(await page.stopLimit());
      expect(page.messages).toEqual([]);
    } finally {
      await page.close();
    }
  });

  test('in a browser, the library runs the README examples (needs Chromium)', async () => {
    const page = await open(false);
    try {
      for (const { code, printed } of EXAMPLES) {
        const said = await page.evaluate<unknown[][]>(`(async () => {
          const said = [];
          console.log = (...words) => said.push(words);
          await import(URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' })));
          return said;
        })()`);
        expect(said.map((words) => `${format(...words)}\n`).join('')).toMatch(printed);
      }
      expect(page.messages).toEqual([]);
    } finally {
      await page.close();
    }
  });
});
