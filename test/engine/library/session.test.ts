import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEngineOn } from '../../../engine/library/engine.js';
import { replacedThread } from '../../../engine/library/script-thread.js';
import { startThread } from '../../../engine/node-thread.js';
import type { Batch, ScriptWorker, Thread } from '../../../engine/uci/lines.js';

/** Number of threads started. */
let started = 0;

function startCounted(): Thread {
  started++;
  return startThread();
}

describe('without shared memory, as in a page without COOP and COEP headers', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('stop returns the last line at once, and the next thread keeps the options', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined);
    const terms = { material: Array(5).fill([100, 100]), psqt: Array(384).fill([0, 0]), tempo: [[7, 7]] };
    const engine = await createEngineOn(startCounted, { weights: { terms } });
    try {
      const before = started;
      let atStop: NodeJS.CpuUsage | undefined;
      const { bestMove, lines } = await engine.search(
        {},
        {
          onInfo: ({ depth }) => {
            if (depth < 4 || atStop !== undefined) return;
            atStop = process.cpuUsage();
            engine.stop();
          },
        },
      );
      // CPU time, because other tests may use the machine at the same time; it includes the start of the next thread
      const { user, system } = process.cpuUsage(atStop);
      expect((user + system) / 1000).toBeLessThan(250);
      expect(bestMove).toBe(lines[0].pv[0]);
      expect(started).toBe(before + 1);
      expect((await engine.evaluate({ fen: '4k3/8/8/8/8/8/PP6/4K3 w - - 0 1' })).score).toBe(207);
      const early = engine.search();
      engine.stop();
      expect((await early).bestMove).toMatch(/^[a-h][1-8]/);
      expect((await engine.search({ depth: 3 })).lines[0].depth).toBe(3);
    } finally {
      engine.close();
    }
  });

  test('several threads require shared memory', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined);
    await expect(createEngineOn(startCounted, { threads: 2 })).rejects.toThrow(/COOP and COEP/);
  });
});

test("the error for a worker missing from Vite's dev server includes the required setting", async () => {
  const { createBrowserEngine } = await import('../../../engine/library/browser-engine.js');
  const created = (folder: string) =>
    createBrowserEngine(
      {},
      () => `http://localhost:5173/node_modules/${folder}/../uci.js`,
      () => {
        throw new Error('not found');
      },
    );
  await expect(created('.vite/deps')).rejects.toThrow(
    "uci.js: not found; add optimizeDeps: { exclude: ['heft-chess'] } to Vite's configuration, or import 'heft-chess/inline'",
  );
  await expect(created('heft-chess/dist')).rejects.toThrow("uci.js: not found; import 'heft-chess/inline'");
});

test('createEngine rejects if its thread fails', async () => {
  let fail: (error: Error) => void = () => {};
  const thread: Thread = {
    post: () => {},
    terminate: () => {},
    listen: (_, onError) => {
      fail = onError;
    },
  };
  const engine = createEngineOn(() => thread, {});
  fail(new Error('out of memory'));
  await expect(engine).rejects.toThrow('out of memory');
});

test('createEngine continues without helper threads that failed to start', async () => {
  const loss =
    'info string error: 7 helper threads failed: not enough memory; the search continues on the other threads';
  let answer: (batch: Batch) => void = () => {};
  const thread: Thread = {
    post: (message) => {
      const lines = [message === 'setoption name Threads value 8' && loss, message === 'isready' && 'readyok'];
      if (typeof message === 'string') queueMicrotask(() => answer([...lines.filter((line) => line !== false), null]));
    },
    terminate: () => {},
    listen: (onBatch) => {
      answer = onBatch;
    },
  };
  const engine = await createEngineOn(() => thread, { threads: 8 });
  engine.close();
});

test('createEngine accepts weights that cause an engine warning', async () => {
  const terms = {
    material: [600, 300, 300, 500, 900].map((value) => [value, value]),
    psqt: Array(384).fill([0, 0]),
    tempo: [[0, 0]],
  };
  const engine = await createEngineOn(startCounted, { weights: { terms } });
  expect((await engine.evaluate({ fen: '4k3/8/8/8/8/8/PP6/4K3 w - - 0 1' })).score).toBe(1200);
  engine.close();
});

test('an error is reported if every worker fails before the listener is attached', () => {
  const refuse = (): never => {
    throw new Error('no workers here');
  };
  const errors: string[] = [];
  const thread = replacedThread([refuse, refuse]);
  thread.listen(
    () => {},
    (error) => errors.push(error.message),
  );
  expect(errors).toEqual(['the search thread failed: no workers here']);
});

test('repeated errors start only one replacement worker, and repeated errors of the last worker are reported once', () => {
  const started: { fail: (message: string) => void; isEnded: boolean }[] = [];
  const start = (): ScriptWorker => {
    let fail: (message: string) => void = () => {};
    const worker = { fail: (message: string) => fail(message), isEnded: false };
    started.push(worker);
    return {
      postMessage: () => {},
      addEventListener: (type, listener) => {
        if (type === 'error') fail = (message) => listener({ data: null, message, preventDefault: () => {} });
      },
      terminate: () => {
        worker.isEnded = true;
      },
    };
  };
  const errors: string[] = [];
  const thread = replacedThread([start, start, start]);
  thread.listen(
    () => {},
    (error) => errors.push(error.message),
  );
  for (const message of ['no kernel', 'no search']) started[0].fail(message);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  started[1].fail('no kernel');
  for (const message of ['no kernel', 'no search']) started[2].fail(message);
  expect(errors).toEqual(['the search thread failed: no kernel']);
});
