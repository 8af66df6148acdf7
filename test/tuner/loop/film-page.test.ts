// The film of a loop in a browser. These tests are skipped without Chromium (HEFT_CHROMIUM sets its path).

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderFilm } from '../../../tuner/film/page.js';
import { loopFolder } from '../../../tuner/generations/folder.js';
import { BrowserPage, CHROMIUM } from '../../support/chromium.js';
import { writeRun } from '../../support/loop-run.js';

// Other tests may leave the browser only a tenth of the CPU
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const root = mkdtempSync(join(tmpdir(), 'heft-film-page-'));
const file = join(root, 'film.html');
beforeAll(async () => {
  const folder = loopFolder(root);
  writeFileSync(file, await renderFilm(writeRun(folder), folder));
});
afterAll(() => rmSync(root, { recursive: true }));

const NAMES = ['0: the start (material)', '1: accepted', '2: rejected', '3: undecided'].map(
  (name) => `Generation ${name}`,
);

describe.skipIf(CHROMIUM === undefined)('the film in a browser (needs Chromium)', () => {
  let page: BrowserPage;
  beforeEach(async () => {
    page = await BrowserPage.open(pathToFileURL(file).href);
  });
  afterEach(async () => {
    const { messages } = page;
    await page.close();
    expect(messages).toEqual([]);
  });

  const text = (selector: string): Promise<string> =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
  const colours = (): Promise<string> =>
    page.evaluate(`[...document.querySelectorAll('.maps .board b')].map((cell) => cell.style.backgroundColor).join()`);
  const press = async (key: string): Promise<void> => {
    const code = { ArrowLeft: 37, ArrowRight: 39, ' ': 32 }[key];
    for (const type of ['rawKeyDown', 'keyUp'])
      await page.send('Input.dispatchKeyEvent', { type, key, windowsVirtualKeyCode: code });
  };
  /** Makes playback run without delays. */
  const hurry = (): Promise<void> =>
    page.evaluate(`(() => { const { setTimeout } = window; window.setTimeout = (work) => setTimeout(work, 0); })()`);

  test('the film opens at its end and can be stepped through with keys, buttons and slider', async () => {
    expect(await text('#name')).toBe(NAMES[3]);
    await page.click('[data-film="-10000"]');
    const seen = [[await text('#name'), await colours(), await text('#facts')]];
    for (let i = 1; i < NAMES.length; i++) {
      await press('ArrowRight');
      seen.push([await text('#name'), await colours(), await text('#facts')]);
    }
    expect(seen.map(([name]) => name)).toEqual(NAMES);
    for (const part of [1, 2]) expect(new Set(seen.map((frame) => frame[part])).size).toBe(NAMES.length);
    await page.click('[data-film="-1"]');
    expect(await text('#name')).toBe(NAMES[2]);
    await page.evaluate(
      `(() => { const slider = document.getElementById('frame'); slider.value = 1; slider.dispatchEvent(new Event('input', { bubbles: true })); })()`,
    );
    expect(await text('#name')).toBe(NAMES[1]);
    expect(await text('#facts')).toContain('+300 ± 30');
    expect(await text('#facts')).toContain('−40 ± 25');
  });

  test('a game can be stepped through and played to its end', async () => {
    const boardNow = (): Promise<string> => page.evaluate(`document.getElementById('board').innerHTML`);
    const first = await boardNow();
    await page.click('[data-game="1"]');
    expect(await text('#move')).toMatch(/^1\. /);
    await press('ArrowRight');
    expect(await text('#move')).toMatch(/^1… /);
    expect(await text('#name')).toBe(NAMES[3]);
    await page.click('[data-game="-10000"]');
    expect(await boardNow()).toBe(first);
    await hurry();
    await page.click('[data-play="game"]');
    await page.until(`document.getElementById('ply').value === document.getElementById('ply').max`);
    await page.until(`document.querySelector('[data-play="game"]').textContent === 'Play'`);
    expect(await boardNow()).not.toBe(first);
  });

  test('the film plays every generation and game from start to end', async () => {
    await page.evaluate(
      `(() => { window.seen = []; new MutationObserver(() => seen.push(document.getElementById('name').textContent + document.getElementById('move').textContent))
        .observe(document.getElementById('move'), { childList: true }); })()`,
    );
    await hurry();
    await press(' ');
    await page.until(`seen.length > 60 && document.querySelector('[data-play="film"]').textContent === 'Play'`);
    const seen = await page.evaluate<string[]>('seen');
    for (const name of NAMES.slice(1)) {
      expect(seen.filter((step) => step.startsWith(name)).length).toBeGreaterThanOrEqual(20);
    }
  });

  test('the film has no transitions if the user prefers reduced motion', async () => {
    const transition = `getComputedStyle(document.querySelector('.maps .board b')).transitionDuration`;
    expect(await page.evaluate(transition)).toBe('0.6s');
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
    expect(await page.evaluate(transition)).toBe('0s');
  });

  test.each([390, 1280])('no part of the film overflows a screen %i pixels wide', async (width) => {
    await page.resize(width, 900);
    await page.until(`document.documentElement.scrollWidth <= ${width}`);
  });
});
