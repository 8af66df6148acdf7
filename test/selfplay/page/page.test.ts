// The live page over HTTP, as a browser asks for it.

import { get } from 'node:http';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { parseUciMove } from '../../../engine/board/rules.js';
import { statisticsOf } from '../../../selfplay/match/match-result.js';
import { pageDocument } from '../../../selfplay/page/page-document.js';
import { PageServer } from '../../../selfplay/page/page-server.js';
import type { BoardView, RunView } from '../../../selfplay/page/views.js';
import type { PlayedGame } from '../../../selfplay/series/game.js';
import type { CountedGame, SeriesEvent } from '../../../selfplay/series/series-events.js';
import { addPair, EMPTY_TALLY } from '../../../selfplay/statistics/tally.js';

const DESCRIPTION = {
  title: '4 games',
  engines: ['fast', 'slow'],
  gamesToPlay: 4,
  folder: 'runs/x',
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
  return server.listen(0);
}

/** Reads the stream of the page's events until one is as wanted. */
class Viewer {
  readonly received: string[] = [];
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private text = '';

  constructor(response: Response) {
    this.reader = response.body!.getReader();
  }

  async until<T>(event: string, isWanted: (data: T) => boolean): Promise<T> {
    for (;;) {
      for (let end = this.text.indexOf('\n\n'); end >= 0; end = this.text.indexOf('\n\n')) {
        const [, name, json] = /^event: (\w+)\ndata: (.*)$/.exec(this.text.slice(0, end)) ?? ['', '', ''];
        this.text = this.text.slice(end + 2);
        this.received.push(name);
        const data = JSON.parse(json);
        if (name === event && isWanted(data)) return data;
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
  const clocks: [number, number] = [9000.4, 8000];
  return { type: 'move', index, move: text, side, score, depth: 7, nodes: 2000, milliseconds: 10, clocks };
}

function counted(index: number, white: string, black: string): CountedGame {
  parseFen(STARTPOS);
  const game: PlayedGame = {
    ...{ start: STARTPOS, chess960: false, moves: [parseUciMove('e2e4')], bookPlies: 0, scores: [30], depths: [7] },
    ...{ times: [10], nodes: [2000, 0], result: 0, reason: 'White disconnects', termination: 'abandoned', offender: 0 },
  };
  return { index, pairing: { white: 0, black: 1, opening: 0, round: 1 }, white, black, game, seconds: 1 };
}

/** As much of an element as the page's script asks for. */
class FakeElement {
  private children: unknown[] = [];
  readonly classList = { toggle: () => {} };

  get textContent(): string {
    return this.children.map((child) => (child instanceof FakeElement ? child.textContent : child)).join(' ');
  }

  set textContent(text: string) {
    this.children = [text];
  }

  append(...children: unknown[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: unknown[]): void {
    this.children = children;
  }

  setAttribute(): void {}

  querySelector(): FakeElement {
    const found = new FakeElement();
    this.append(found);
    return found;
  }
}

/** Runs the document's script and returns the texts it leaves in the elements of the page, by id. */
function drawnBy(text: string): Record<string, string> {
  const script = /<script type="module">([\s\S]*)<\/script>/.exec(text)?.[1] ?? '';
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const elements = new Map(ids.map((id) => [id, new FakeElement()]));
  const document = {
    getElementById: (id: string) => elements.get(id) ?? null,
    createElement: () => new FakeElement(),
    createElementNS: () => new FakeElement(),
  };
  // A strict block, like a module, takes no name twice
  runInNewContext(`'use strict'; {${script}}`, { document, performance, addEventListener: () => {} });
  return Object.fromEntries([...elements].map(([id, { textContent }]) => [id, textContent]));
}

describe('the live page', () => {
  test('the live page shows boards moving, the figures after a pair, and the end', async () => {
    const address = await started();
    const page = await viewer(address);
    expect(await page.until<RunView>('run', () => true)).toMatchObject({ ...DESCRIPTION, figures: null, end: null });
    expect(await page.until<BoardView[]>('boards', () => true)).toEqual([]);

    server?.take({ type: 'engines', engines: ['A', 'B'], ids: ['A 1', 'B 2'], date: '2026.01.01' });
    server?.take(begin(0, 'A', 'B'));
    server?.take(move(0, 'e2e4', 0, 30));
    const [first] = await page.until<BoardView[]>('boards', (boards) => boards[0]?.moves.length === 1);
    expect(first).toMatchObject({
      ...{ game: 1, players: ['A', 'B'], moves: ['e4'], last: [12, 28], scores: [30], depth: [7, 0], end: null },
      ...{ speed: [200_000, 0], clocks: [9000, 8000] },
      fen: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
    });
    server?.take(move(0, 'e7e5', 1, 20));
    server?.take(begin(1, 'B', 'A'));
    const boards = await page.until<BoardView[]>('boards', ({ length }) => length === 2);
    expect(boards.map(({ moves }) => moves)).toEqual([['e4', 'e5'], []]);

    server?.take({ type: 'end', index: 0, result: 0, reason: 'White disconnects' });
    server?.take({ type: 'game', ...counted(0, 'A', 'B') });
    server?.take({ type: 'game', ...counted(1, 'B', 'A') });
    const figures = statisticsOf(addPair(EMPTY_TALLY, 0, 2), undefined);
    server?.take({ type: 'pair', games: [counted(0, 'A', 'B'), counted(1, 'B', 'A')], figures });
    const run = await page.until<RunView>('run', (now) => now.figures !== null);
    expect(run).toMatchObject({ names: ['A', 'B'], gamesPlayed: 2, figures: { penta: [0, 0, 1, 0, 0] } });
    expect(run.path).toEqual([{ games: 2, llr: figures.llr, elo: [0], error: [figures.eloError] }]);
    expect(run.recent.map(({ game }) => game)).toEqual([2, 1]);
    expect(run.failures.map(({ what, times }) => [what, times])).toEqual([
      ['A: abandoned', 1],
      ['B: abandoned', 1],
    ]);

    // A new game takes the board of the one that is over
    server?.take(begin(2, 'A', 'B'));
    await page.until<BoardView[]>('boards', ([board]) => board.game === 3);

    // Who comes late sees the whole
    const late = await viewer(address);
    expect((await late.until<RunView>('run', () => true)).path).toHaveLength(1);

    const report = server?.close('Finished');
    expect((await page.until<RunView>('run', ({ end }) => end !== null)).end).toBe('Finished');
    const drawn = drawnBy((await report)!);
    expect(drawn).toMatchObject({ title: 'A – B', status: 'Finished' });
    expect(drawn['tiles']).toContain('2  of 4');
    expect(drawn['llr-figure']).toContain('H1');
    expect(drawn['boards']).toContain('Game 3, round 1');
    expect(drawn['failures']).toContain('B: abandoned 1× last in game 2');
    expect(drawn['recent']).toContain('1 A B 0-1 1 White disconnects');
    server = null;
  });

  test('the live page keeps a long way short', async () => {
    const address = await started();
    const games: [CountedGame, CountedGame] = [counted(0, 'A', 'B'), counted(1, 'B', 'A')];
    let tally = EMPTY_TALLY;
    for (let pair = 0; pair < 5000; pair++) {
      tally = addPair(tally, 1, 1);
      server?.take({ type: 'pair', games, figures: { ...statisticsOf(EMPTY_TALLY, undefined), games: tally.draws } });
    }
    const { path } = await (await viewer(address)).until<RunView>('run', () => true);
    expect(path.length).toBeGreaterThan(250);
    expect(path.length).toBeLessThanOrEqual(600);
    expect(new Set(path.slice(1).map((point, i) => point.games - path[i].games)).size).toBe(1);
  });

  test('the live page is one document that needs nothing else', async () => {
    const response = await fetch(await started());
    const text = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\bsrc=|@import|\burl\(/);
    expect(text).not.toMatch(/\/\* (page\.css|script|state) \*\//);
  });

  test('the live page can be saved with what it shows', () => {
    const text = pageDocument({ run: { title: '</script><b>' }, boards: {} });
    expect(text).toContain('const SAVED = {"run":{"title":"\\u003c/script>\\u003cb>"}');
  });

  test('the live page is for this machine: other names and paths are refused', async () => {
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

  test('the live page says when its port is taken, unless any will do', async () => {
    const port = Number(new URL(await started()).port);
    const second = new PageServer(DESCRIPTION);
    await expect(second.listen(port)).rejects.toThrow(`--page: cannot listen on port ${port}`);
    expect(await second.listen(port, true)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    await second.close('over');
  });
});
