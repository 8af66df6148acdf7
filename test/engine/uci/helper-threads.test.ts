import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { control, newGame, STOP, search, setHashSize } from '../../../engine/engine.js';
import { totalNodes } from '../../../engine/search/root/control.js';
import { deepestFinished, shareRecord } from '../../../engine/search/root/deepest-line.js';
import { countDone, markGone } from '../../../engine/search/root/flags.js';
import { table } from '../../../engine/search/tt/memory.js';
import { createHelper } from '../../../engine/uci/helper-thread.js';
import { SearchThreads, type ThreadMemory, type ThreadMessage } from '../../../engine/uci/threads.js';

interface FakeHelper {
  memory: ThreadMemory;
  heard: ThreadMessage[];
  terminated: boolean;
}

/** Returns threads whose helpers record messages and acknowledge them at once. */
function fakeThreads(): { threads: SearchThreads; helpers: FakeHelper[] } {
  const helpers: FakeHelper[] = [];
  const threads = new SearchThreads((memory) => {
    const helper: FakeHelper = { memory, heard: [], terminated: false };
    helpers.push(helper);
    return {
      post: (message) => {
        helper.heard.push(message);
        countDone(memory);
      },
      terminate: () => {
        helper.terminated = true;
      },
    };
  });
  return { threads, helpers };
}

beforeEach(() => parseFen(STARTPOS));
afterEach(() => {
  control.threadNodes = new Float64Array(1);
  control.thread = 0;
  shareRecord(null);
  setHashSize(16);
});

test('a helper that joins late receives the last message of each topic', () => {
  const { threads, helpers } = fakeThreads();
  threads.tell('position', { kind: 'line', line: 'position startpos' });
  threads.tell('table', { kind: 'table', memory: table.memory });
  threads.tell('position', { kind: 'line', line: 'position startpos moves e2e4' });
  threads.resize(2);
  expect(helpers).toHaveLength(1);
  expect(helpers[0].heard).toEqual([
    { kind: 'line', line: 'position startpos moves e2e4' },
    { kind: 'table', memory: table.memory },
  ]);
});

test('all helpers join a search, count nodes in their own slots, and are stopped after it', () => {
  const { threads, helpers } = fakeThreads();
  threads.resize(3);
  threads.start(['depth', '5']);
  expect(helpers.map(({ memory }) => memory.thread)).toEqual([1, 2]);
  expect(helpers.map(({ heard }) => heard.at(-1)?.kind)).toEqual(['go', 'go']);
  const flags = new Int32Array(helpers[0].memory.flags);
  expect(flags[STOP]).toBe(0);
  threads.stop();
  expect(flags[STOP]).toBe(1);
});

test('the nodes of all threads are added up and count towards the node limit', () => {
  const { threads, helpers } = fakeThreads();
  threads.resize(2);
  threads.start(['nodes', '3000']);
  new Float64Array(helpers[0].memory.nodes)[helpers[0].memory.thread] = 2000;
  newGame();
  const { nodes } = search({ nodes: 3000 });
  expect(nodes).toBe(totalNodes());
  expect(nodes).toBeGreaterThanOrEqual(3000);
  expect(nodes).toBeLessThan(3000 + 256);
});

test('reducing the number of threads terminates helpers, and a single thread counts only its own nodes', () => {
  const { threads, helpers } = fakeThreads();
  threads.resize(4);
  threads.resize(2);
  expect(helpers.map(({ terminated }) => terminated)).toEqual([false, true, true]);
  threads.resize(1);
  newGame();
  expect(search({ nodes: 2000 }).nodes).toBe(2000);
});

test('a helper joins a search, counts its nodes in its own slot and shares its finished line', () => {
  const memories: ThreadMemory[] = [];
  const threads = new SearchThreads((memory) => {
    memories.push(memory);
    return { post: () => countDone(memory), terminate: () => {} };
  });
  threads.resize(2);
  const receive = createHelper(memories[0], { follow: () => {}, collect: () => {} });
  receive({ kind: 'go', words: ['depth', '4'], age: 1 });
  expect(new Float64Array(memories[0].nodes)[1]).toBeGreaterThan(20);
  expect(deepestFinished()?.depth).toBe(4);
});

test('the leader does not wait for a helper that failed on a message', () => {
  const memories: ThreadMemory[] = [];
  const threads = new SearchThreads((memory) => {
    memories.push(memory);
    return { post: () => {}, terminate: () => {} };
  });
  threads.resize(2);
  threads.tell('position', { kind: 'line', line: 'position startpos' });
  const port = {
    follow: (): void => {
      throw new Error('out of memory');
    },
    collect: (): void => undefined,
  };
  const receive = createHelper(memories[0], port);
  expect(() => receive({ kind: 'line', line: 'position startpos' })).toThrow('out of memory');
  threads.settle();
});

test('the leader does not wait for failed helpers and reuses their numbers', () => {
  const living: FakeHelper[] = [];
  const threads = new SearchThreads((memory) => {
    const helper: FakeHelper = { memory, heard: [], terminated: false };
    living.push(helper);
    // The first two never start
    if (living.length <= 2) markGone(memory);
    return {
      post: (message) => {
        helper.heard.push(message);
        if (living.indexOf(helper) >= 2) countDone(memory);
      },
      terminate: () => {
        helper.terminated = true;
      },
    };
  });
  threads.tell('position', { kind: 'line', line: 'position startpos' });
  threads.resize(4);
  threads.settle();
  expect(living.map(({ terminated }) => terminated)).toEqual([true, true, false]);
  threads.start(['depth', '3']);
  expect(living.map(({ heard }) => heard.at(-1)?.kind)).toEqual(['line', 'line', 'go']);
  threads.resize(3);
  expect(living.map(({ memory }) => memory.thread)).toEqual([1, 2, 3, 1]);
  expect(control.threadNodes).toHaveLength(4);
});

test('with no helpers left, a search counts only its own nodes', () => {
  const memories: ThreadMemory[] = [];
  const threads = new SearchThreads((memory) => {
    memories.push(memory);
    return { post: () => {}, terminate: () => {} };
  });
  threads.resize(3);
  for (const memory of memories) {
    new Float64Array(memory.nodes)[memory.thread] = 5000;
    markGone(memory);
  }
  threads.start(['nodes', '2000']);
  newGame();
  expect(search({ nodes: 2000 }).nodes).toBe(2000);
});
