import { afterEach, describe, expect, test, vi } from 'vitest';
import { UciThread } from '../../../engine/library/uci-thread.js';
import { startThread } from '../../../engine/node-thread.js';
import type { Thread } from '../../../engine/uci/lines.js';
import { declareOptions, identify } from '../../../engine/uci/options.js';

/** A page that uses the worker. */
class Strings {
  readonly lines: string[] = [];
  /** Lines sent to the threads. */
  readonly posted: unknown[] = [];
  started = 0;
  ended = false;
  private readonly threads: Thread[] = [];
  private readonly thread = new UciThread({
    start: () => {
      this.started++;
      const thread = startThread();
      this.threads.push(thread);
      return {
        ...thread,
        post: (message) => {
          this.posted.push(message);
          thread.post(message);
        },
      };
    },
    write: (line) => this.lines.push(line),
    exit: () => {
      this.ended = true;
    },
    identity: identify(declareOptions(1024)),
    fail: (error) => this.lines.push(`failed: ${error.message}`),
  });

  send(...lines: string[]): void {
    for (const line of lines) this.thread.send(line);
  }

  /** Waits for a line, and removes and returns the lines up to it. */
  async until(wanted: RegExp): Promise<string[]> {
    await vi.waitUntil(() => this.lines.some((line) => wanted.test(line)), { timeout: 30_000, interval: 2 });
    return this.lines.splice(0, this.lines.findIndex((line) => wanted.test(line)) + 1);
  }

  close(): void {
    for (const thread of this.threads) thread.terminate();
  }
}

const MATED = 'position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1';

describe.each([
  ['with shared memory', true],
  ['without shared memory', false],
])('UCI strings, %s', (_, isShared) => {
  let page: Strings;
  const open = (): Strings => {
    if (!isShared) vi.stubGlobal('SharedArrayBuffer', undefined);
    page = new Strings();
    return page;
  };
  afterEach(() => {
    page.close();
    vi.unstubAllGlobals();
  });

  test('after stop, a position line with unknown words still sets its start position', async () => {
    open();
    page.send('position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'position startpos e2e4', 'go infinite', 'stop');
    await page.until(/^bestmove /);
    page.send('d');
    expect((await page.until(/^Fen: /)).at(-1)).toContain('rnbqkbnr/pppppppp/');
  });

  test('uci, isready and several searches are answered in order', async () => {
    const { until } = open();
    const wait = until.bind(page);
    page.send(
      'uci',
      'isready',
      'uci',
      'position startpos moves e2e4',
      'go depth 6',
      'go depth 3',
      'position startpos',
      'go nodes 500',
    );
    const greeting = await wait(/^uciok$/);
    expect(greeting[0]).toMatch(/^id name Heft /);
    const threads = greeting.find((line) => line.includes('name Threads'));
    expect(threads).toMatch(isShared ? /max 128$/ : /max 1$/);
    await wait(/^readyok$/);
    expect(await wait(/^uciok$/), 'the answer of the thread').toContain(threads);
    for (const depth of [6, 3]) {
      const answer = await wait(/^bestmove /);
      expect(answer.at(-1)).toMatch(/^bestmove [a-h][78][a-h][56]( |$)/);
      expect(answer.at(-2)).toContain(`depth ${depth} `);
    }
    expect((await wait(/^bestmove /)).at(-1)).toMatch(/^bestmove [a-h][12]/);
  });

  test('an infinite search ends only on stop, within 100 ms, and keeps options and position', async () => {
    open();
    page.send('setoption name MultiPV value 2', 'position startpos moves d2d4', 'go infinite');
    await page.until(/multipv 2 .* pv /);
    page.send('isready');
    await page.until(/^readyok$/);
    const start = process.cpuUsage();
    page.send('stop');
    await page.until(/^bestmove [a-h][78]/);
    // CPU time, because other tests may use the machine at the same time
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(100);
    page.send('go depth 2');
    expect((await page.until(/^bestmove [a-h][78]/)).some((line) => line.includes('multipv 2'))).toBe(true);
    // A search that finishes on its own
    page.send(MATED, 'go infinite', 'isready');
    await page.until(/^readyok$/);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(page.lines.filter((line) => line.startsWith('bestmove'))).toEqual([]);
    page.send('stop');
    await page.until(/^bestmove \(none\)$/);
    expect(page.started).toBe(isShared ? 1 : 2);
  });

  test('debug mode stays on after stop', async () => {
    open();
    page.send('debug on', 'go infinite');
    await page.until(/ pv /);
    page.send('stop', 'go movetime 10');
    await page.until(/^bestmove /);
    expect((await page.until(/^bestmove /))[0]).toMatch(/^info string planned search time/);
  });

  test('stop preserves a flip and the moves before an illegal move', async () => {
    open();
    page.send('position startpos moves d2d4 d2d4', 'flip', 'go infinite');
    await page.until(/ pv /);
    page.send('stop', 'd');
    await page.until(/^bestmove /);
    const shown = await page.until(/^Fen: /);
    expect(shown.at(-1)).toBe('Fen: rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  });

  test('stop preserves the last valid option and position', async () => {
    open();
    page.send('setoption name MultiPV value 2', 'position startpos moves d2d4');
    page.send('setoption name MultiPV value 9999', 'position fen nonsense', 'go infinite');
    await page.until(/multipv 2 .* pv /);
    page.send('stop');
    await page.until(/^bestmove [a-h][78]/);
    page.send('go depth 2');
    const lines = await page.until(/^bestmove /);
    expect(lines.at(-1)).toMatch(/^bestmove [a-h][78]/);
    expect(lines.some((line) => line.includes('multipv 2'))).toBe(true);
  });

  test('an immediate stop, a second go without stop, ponderhit and perft are answered', async () => {
    open();
    page.send('position startpos', 'go infinite', 'stop');
    await page.until(/^bestmove [a-h][12]/);
    page.send('go', 'position startpos moves e2e4', 'go depth 4');
    await page.until(/^bestmove [a-h][12]/);
    await page.until(/^bestmove [a-h][78]/);
    page.send('go ponder wtime 1000 btime 1000');
    await page.until(/ pv /);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(page.lines.filter((line) => line.startsWith('bestmove'))).toEqual([]);
    page.send('ponderhit');
    await page.until(/^bestmove [a-h][78]/);
    page.send('go perft 2');
    await page.until(/^Nodes searched: 600$/);
  });

  test('lines just before a perft that is stopped at once are answered', async () => {
    open();
    page.send('position startpos', 'eval', 'isready', 'go perft 7', 'stop');
    await page.until(/^Evaluation: /);
    await page.until(/^readyok$/);
    page.send('d');
    await page.until(/^Fen: /);
  });

  test.each([['position startpos'], []])(
    'after a ponderhit, the clock runs while a new thread starts',
    async (...lines) => {
      open();
      page.send(...lines, 'go ponder wtime 5000 btime 5000');
      await page.until(/ pv /);
      page.send('ponderhit');
      await page.until(/^bestmove [a-h][12]/);
      const [, wtime = ''] = /^go .*wtime (\d+)/.exec(String(page.posted.at(-1))) ?? [];
      expect(page.started).toBe(isShared ? 1 : 2);
      if (!isShared) expect(Number(wtime)).toBeLessThan(4995);
    },
  );

  test('go ponder without limits ends on ponderhit, and go ponder infinite on stop', async () => {
    open();
    page.send('position fen 7k/8/8/8/8/8/8/K7 w - - 0 1', 'go ponder', 'ponderhit');
    await page.until(/^bestmove a1/);
    page.send('go ponder infinite', 'ponderhit');
    await page.until(/ depth 100 .* pv /);
    page.send('isready');
    await page.until(/^readyok$/);
    expect(page.lines.filter((line) => line.startsWith('bestmove'))).toEqual([]);
    page.send('stop');
    await page.until(/^bestmove a1/);
  });

  test('stop preserves weights set after a reset, and an immediate ponderhit loses no lines', async () => {
    open();
    const weights = (value: number): string =>
      `data:,${JSON.stringify({ terms: { material: Array(5).fill([value, value]), psqt: Array(384).fill([0, 0]), tempo: [[0, 0]] } })}`;
    for (const value of [weights(300), '', weights(200)]) page.send(`setoption name EvalFile value ${value}`);
    page.send('position fen 4k3/8/8/8/8/8/PP6/4K3 w - - 0 1', 'go infinite');
    await page.until(/ pv /);
    page.send('stop', 'eval');
    await page.until(/^bestmove /);
    expect((await page.until(/^Evaluation: /)).at(-1)).toMatch(/^Evaluation: 400 /);
    page.send('position startpos', 'go ponder wtime 300 btime 300', 'ponderhit');
    await page.until(/^bestmove /);
    page.send('position startpos moves e2e4', 'isready', 'go depth 3');
    await page.until(/^readyok$/);
    await page.until(/^bestmove [a-h][78]/);
    page.send('quit');
    await vi.waitUntil(() => page.ended);
  });

  test('Threads and EvalFile errors are reported, and quit exits', async () => {
    open();
    page.send('setoption name Threads value +2', 'setoption name EvalFile value missing.json', 'go depth 5');
    const said = (await page.until(/^bestmove /)).filter((line) => line.startsWith('info string'));
    expect(said.some((line) => line.includes('Threads is limited to 1 on this page'))).toBe(!isShared);
    expect(said.at(-1)).toMatch(/EvalFile missing.json/);
    page.send('quit');
    await vi.waitUntil(() => page.ended);
  });
});
