import { expect, test } from 'vitest';
import * as library from '../../../engine/library/node.js';
import { misuse } from '../../support/library-misuses.mjs';

test('every misuse of the library raises a typed error and leaves the engine usable', async () => {
  const { count, wrong } = await misuse(library);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(60);
});

test('search copies its arguments when it is called', async () => {
  const engine = await library.createEngine();
  const moves = ['e2e4'];
  const first = engine.search({ depth: 1 });
  const second = engine.search({ depth: 3, moves });
  moves.push('nonsense');
  await first;
  expect((await second).bestMove).toMatch(/^[a-h][78]/);
  engine.close();
});

test('search accepts a class instance as its options', async () => {
  let heard = 0;
  class Listener {
    onInfo(): void {
      heard++;
    }
  }
  const engine = await library.createEngine();
  await engine.search({ depth: 2 }, new Listener());
  expect(heard).toBeGreaterThan(0);
  engine.close();
});

test('onInfo may call close, newGame and search', async () => {
  const engine = await library.createEngine();
  const asked: Promise<unknown>[] = [];
  const onInfo = (): void => {
    if (asked.length === 0) asked.push(engine.newGame(), engine.search({ depth: 1 }), engine.evaluate());
  };
  expect((await engine.search({ depth: 3 }, { onInfo })).bestMove).not.toBeNull();
  expect(await Promise.all(asked)).toHaveLength(3);
  const closing = engine.search({}, { onInfo: () => engine.close() });
  await expect(closing).rejects.toMatchObject({ name: 'EngineError', code: 'closed' });
});
