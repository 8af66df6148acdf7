// The live page over HTTP, as requested by a browser.

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { parseUciMove } from '../../../engine/board/rules.js';
import { NO_GAMES } from '../../../selfplay/common/game-result.js';
import { pageDocument } from '../../../selfplay/live/document.js';
import type { Replay } from '../../../selfplay/live/replay.js';
import { runView } from '../../../selfplay/live/run-view.js';
import { PageServer } from '../../../selfplay/live/server.js';
import { PageState } from '../../../selfplay/live/state.js';
import { statisticsOf } from '../../../selfplay/match/match.js';
import type { CountedGame, SeriesEvent } from '../../../selfplay/series/events.js';
import type { PlayedGame } from '../../../selfplay/series/game.js';
import { DEFAULT_SPRT } from '../../../selfplay/statistics/sprt.js';
import { addPair, EMPTY_TALLY } from '../../../selfplay/statistics/tally.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-page-'));
afterAll(() => rmSync(folder, { recursive: true }));
const DESCRIPTION = {
  title: '4 games',
  engines: ['fast', 'slow'],
  gamesToPlay: 4,
  folder,
  chess960: false,
  workers: 2,
};
let server: PageServer | null = null;
afterEach(async () => {
  await server?.close('over');
  server = null;
});

async function started(): Promise<string> {
  server = new PageServer(DESCRIPTION);
  await server.listen(0);
  return server.address;
}

/** Returns the text of HTML, with tags replaced by spaces. */
const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** Reads the event stream of the page. */
class Viewer {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private text = '';

  constructor(response: Response) {
    this.reader = response.body!.getReader();
  }

  /** Returns the HTML of the first event of this part whose text contains all the words. */
  async until(part: 'title' | 'run' | 'boards' | 'replays' | 'end', ...words: string[]): Promise<string> {
    for (;;) {
      for (let end = this.text.indexOf('\n\n'); end >= 0; end = this.text.indexOf('\n\n')) {
        const [, name, json] = /^event: (\w+)\ndata: ?(.*)$/.exec(this.text.slice(0, end)) ?? ['', '', ''];
        this.text = this.text.slice(end + 2);
        const html = json === '' ? '' : JSON.parse(json);
        if (name === part && words.every((word) => textOf(String(html)).includes(word))) return html;
      }
      const { value, done } = await this.reader.read();
      if (done) throw new Error('the stream has ended');
      this.text += Buffer.from(value).toString();
    }
  }
}

const viewer = async (address: string): Promise<Viewer> => new Viewer(await fetch(`${address}events`));

function begin(index: number, white: string, black: string): SeriesEvent {
  const pairing = { white: index % 2, black: 1 - (index % 2), opening: 0, round: 1 };
  return { type: 'begin', index, pairing, white, black, opening: { start: STARTPOS, moves: [], fen: STARTPOS } };
}

function move(index: number, text: string, side: 0 | 1, score: number): SeriesEvent {
  const clocks: [number, number] = [90_000.4, 80_000];
  return { type: 'move', index, move: text, side, score, depth: 7, nodes: 2000, milliseconds: 10, clocks };
}

function counted(index: number, white: string, black: string): CountedGame {
  parseFen(STARTPOS);
  const game: PlayedGame = {
    start: STARTPOS,
    chess960: false,
    moves: [parseUciMove('e2e4')],
    bookPlies: 0,
    scores: [30],
    depths: [7],
    times: [10],
    nodes: [2000, 0],
    result: 0,
    reason: 'White disconnects',
    termination: 'abandoned',
    offender: 0,
  };
  return { index, pairing: { white: 0, black: 1, opening: 0, round: 1 }, white, black, game, seconds: 1 };
}

describe('the live page', () => {
  test('the live page shows moves on boards, figures after each pair, and the end of the match', async () => {
    const address = await started();
    const page = await viewer(address);
    expect(await page.until('title')).toBe('0/4 · Heft');
    expect(textOf(await page.until('run'))).toContain('fast – slow: running 0 of 4');
    expect(await page.until('boards')).toBe('');

    server?.take({
      type: 'engines',
      engines: ['A', '<B>'],
      ids: ['A 1', 'B 2'],
      options: [{}, {}],
      date: '2026.01.01',
    });
    server?.take(begin(0, 'A', '<B>'));
    server?.take(move(0, 'e2e4', 0, 30));
    const board = await page.until('boards', '1. e4');
    expect(board).toContain('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
    expect(textOf(board)).toMatch(/Game 1, round 1 \+0\.30 ● &lt;B&gt; 1:\d\d [^○]*○ A depth 7, 200 kn\/s, 1:30/);
    server?.take(move(0, 'e7e5', 1, 20));
    server?.take(begin(1, '<B>', 'A'));
    await page.until('boards', '1. e4 e5', 'Game 2, round 1');

    server?.take({ type: 'end', index: 0, result: 0, reason: 'White disconnects' });
    server?.take({ type: 'game', ...counted(0, 'A', '<B>') });
    server?.take({ type: 'game', ...counted(1, '<B>', 'A') });
    const figures = statisticsOf(addPair(EMPTY_TALLY, 0, 2), DEFAULT_SPRT);
    server?.take({ type: 'pair', games: [counted(0, 'A', '<B>'), counted(1, '<B>', 'A')], figures: () => figures });
    const run = await page.until('run', '0 · 0 · 1 · 0 · 0', '2 of 4');
    expect(textOf(run)).toContain('A: abandoned 1× last in game 1 &lt;B&gt;: abandoned 1× last in game 2');
    expect(textOf(run)).toMatch(/2\. &lt;B&gt; – A 0-1 1 moves White disconnects.*1\. A – &lt;B&gt;/);
    expect(run.match(/<svg [^>]*aria-label="[^"]*"/g)?.join()).toMatch(
      /Log-likelihood ratio by games.*Elo with its error/,
    );

    // A new game replaces the board of the finished one
    server?.take(begin(2, 'A', '<B>'));
    expect(await page.until('boards', 'Game 3', 'Game 2')).not.toContain('Game 1');

    // A viewer who connects later gets the complete state
    await (await viewer(address)).until('run', '2 of 4');

    await server?.close('Finished');
    const report = readFileSync(join(folder, 'report.html'), 'utf8');
    await page.until('run', 'A – &lt;B&gt;: Finished');
    await page.until('end');
    for (const text of ['A – &lt;B&gt;: Finished', 'H1', 'Game 3, round 1']) expect(report).toContain(text);
    expect(report).not.toMatch(/<script|<B>/);
    server = null;
  });

  test('the live page shows the standings of a tournament instead of match figures', async () => {
    const page = await viewer(await started());
    const counts = { wins: 1, losses: 0, draws: 1 };
    const standing = { games: 2, ...counts, points: 1.5, white: counts, black: NO_GAMES, elo: 100, eloError: 20 };
    const crosstable = ['A', 'B'].map((row) =>
      ['A', 'B'].map((column) => ({ ...(row === column ? NO_GAMES : counts), penta: [0, 0, 0, 1, 0] })),
    );
    server?.take({ type: 'engines', engines: ['A', '<B>'], ids: [], options: [], date: '' });
    const standings = ['A', '<B>'].map((engine) => ({ engine, ...standing }));
    const figures = { games: 2, standings, crosstable };
    server?.take({ type: 'pair', games: [counted(0, 'A', 'B'), counted(1, 'B', 'A')], figures: () => figures });
    const run = await page.until('run', 'Standings');
    expect(textOf(run)).toContain('1. A 100.0 20.0 1.5 2 75.0 % · 1.5/2 2. &lt;B&gt;');
    // In the legend of the chart
    expect(run).toContain('>&lt;B&gt;</text>');
  });

  test('the live page limits the number of points in its charts', () => {
    const state = new PageState(DESCRIPTION);
    const games: [CountedGame, CountedGame] = [counted(0, 'A', 'B'), counted(1, 'B', 'A')];
    for (let pair = 1; pair <= 5000; pair++) {
      const figures = { ...statisticsOf(EMPTY_TALLY, undefined), games: 2 * pair };
      state.take({ type: 'pair', games, figures: () => figures });
    }
    const { path } = state;
    expect(runView(state)).toContain('Elo with its error');
    expect(runView(state)).not.toMatch(/LLR|likelihood ratio/);
    expect(path.length).toBeGreaterThan(250);
    expect(path.length).toBeLessThanOrEqual(600);
    expect(new Set(path.slice(1).map((point, i) => point.games - path[i].games)).size).toBe(1);
  });

  test('with many engines, the live page computes ratings for fewer chart points', () => {
    const engines = Array.from({ length: 64 }, (_, i) => `engine ${i}`);
    const state = new PageState({ ...DESCRIPTION, engines });
    let computed = 0;
    const figures = () => {
      computed++;
      return { games: 2, standings: [], crosstable: [] };
    };
    for (let pair = 0; pair < 5000; pair++)
      state.take({ type: 'pair', games: [counted(0, 'A', 'B'), counted(1, 'B', 'A')], figures });
    expect(state.path.length).toBeLessThanOrEqual(40);
    expect(computed).toBeLessThan(300);
    expect(state.figures?.games).toBe(2);
  });

  test('the live page of a finished match still shows its games and their PGN', async () => {
    const address = await started();
    const page = await viewer(address);
    server?.take({ type: 'game', ...counted(0, 'A', '<B>') });
    const run = await page.until('run', '1 of 4');
    expect(run).toContain('<button data-game="1">1. A – &lt;B&gt;</button>');
    const replay = (await (await fetch(`${address}game/1`)).json()) as Replay;
    expect(replay).toMatchObject({
      game: 1,
      moves: ['start', '1. e4'],
      title: '1. A – &lt;B&gt;: 0-1 White disconnects',
    });
    expect(replay.boards[1]).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
    expect(replay.pgn).toMatch(/\[White "A"\][\s\S]*1\. e4 .*0-1/);
    expect((await fetch(`${address}game/2`)).status).toBe(404);
    expect((await fetch(`${address}games.pgn`)).status).toBe(404);
    writeFileSync(join(folder, 'games.pgn'), replay.pgn);
    expect(await (await fetch(`${address}games.pgn`)).text()).toBe(replay.pgn);

    await server?.close('Finished');
    server = null;
    expect(await page.until('title', 'finished')).toBe('finished · 1/4 · Heft');
    expect(await page.until('replays')).toEqual([replay]);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).not.toContain('<button');
  });

  test.skipIf(process.platform !== 'linux')('a cancelled download of the games closes the PGN file', async () => {
    const games = join(folder, 'games.pgn');
    writeFileSync(games, Buffer.alloc(1 << 25));
    const isOpen = (): boolean =>
      readdirSync('/proc/self/fd').some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === games;
        } catch {
          return false;
        }
      });
    const cancel = new AbortController();
    const response = await fetch(`${await started()}games.pgn`, { signal: cancel.signal });
    expect(isOpen()).toBe(true);
    cancel.abort();
    await expect.poll(isOpen).toBe(false);
    await response.body?.cancel().catch(() => undefined);
  });

  test("a board shows the engine's principal variation", async () => {
    const page = await viewer(await started());
    server?.take(begin(0, 'A', 'B'));
    server?.take({ ...move(0, 'e2e4', 0, 30), line: 'e2e4 e7e5 g1f3 b8c6 xyz' } as SeriesEvent);
    await page.until('boards', 'expects e5 Nf3 Nc6');
  });

  test('the live page is one self-contained document', async () => {
    const response = await fetch(await started());
    const text = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\bsrc=|@import|\burl\(/);
  });

  test('the live page permits only its own script', async () => {
    const response = await fetch(await started());
    const script = /<script>([\s\S]*)<\/script>/.exec(await response.text())?.[1] ?? '';
    const sum = createHash('sha256').update(script).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`script-src 'sha256-${sum}'`);
    expect(() => new Script(script)).not.toThrow();
    expect(pageDocument(new PageState(DESCRIPTION), false)).not.toContain('<script');
  });

  test('the live page rejects other host names and paths', async () => {
    const address = new URL(await started());
    const status = (path: string, host: string, method = 'GET'): Promise<number | undefined> =>
      new Promise((resolve) => {
        const request = { host: '127.0.0.1', port: address.port, path, method, headers: { host } };
        get(request, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
      });
    expect(await status('/', `localhost:${address.port}`)).toBe(200);
    expect(await status('/', 'evil.example')).toBe(403);
    expect(await status('/../package.json', '127.0.0.1')).toBe(404);
    expect(await status('/', '127.0.0.1', 'POST')).toBe(405);
    expect(address.hostname).toBe('127.0.0.1');
  });

  test('a port in use is an error unless any port is allowed', async () => {
    const port = Number(new URL(await started()).port);
    const second = new PageServer(DESCRIPTION);
    await expect(second.listen(port)).rejects.toThrow(`--page: cannot listen on port ${port}`);
    await second.listen(port, true);
    expect(second.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    await second.close('over');
  });
});
