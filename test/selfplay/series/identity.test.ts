// seriesIdentity(): which engines are the same in a continued run.

import { cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Identity } from '../../../selfplay/common/run-files.js';
import type { EngineSpec } from '../../../selfplay/engines/process.js';
import { ownEngine } from '../../../selfplay/engines/spec.js';
import { DEFAULT_GAMES, DEFAULT_LIMITS } from '../../../selfplay/series/game-settings.js';
import { Journal } from '../../../selfplay/series/journal.js';
import { seriesIdentity } from '../../../selfplay/series/settings.js';
import { slowTest } from '../../support/slow.js';

const root = mkdtempSync(join(tmpdir(), 'heft-identity-'));
afterAll(() => rmSync(root, { recursive: true }));

const identityOf = (spec: EngineSpec): Identity =>
  seriesIdentity({ ...DEFAULT_GAMES, workers: 1, seed: 1, engines: [{ spec, limits: DEFAULT_LIMITS }] });
const own = (folder: string): EngineSpec => ownEngine('shipped', { build: join(root, folder), name: 'heft' });
const main = (folder: string): string => join(root, folder, 'engine/main.js');

mkdirSync(join(root, 'build/engine'), { recursive: true });
writeFileSync(main('build'), 'a program');
cpSync(join(root, 'build'), join(root, 'moved'), { recursive: true });
cpSync(join(root, 'build'), join(root, 'other'), { recursive: true });
writeFileSync(main('other'), 'another program');

let runs = 0;
/** Begins a run with one identity and continues it with another. */
function continueRun(before: Identity, after: Identity): void {
  const folder = join(root, `run-${runs++}`);
  const first = new Journal<object, object>(folder, before);
  first.append({ index: 0 }, {});
  first.close();
  const second = new Journal<object, object>(folder, after);
  try {
    second.resume(
      () => {},
      () => {},
    );
  } finally {
    second.close();
  }
}

test('a run can be continued after its engine folder moves, but not with a different engine', () => {
  expect(() => continueRun(identityOf(own('build')), identityOf(own('moved')))).not.toThrow();
  expect(() => continueRun(identityOf(own('build')), identityOf(own('other')))).toThrow('engine 1.program');
  // The modules of other programs are unknown, so their path is part of the identity
  const foreign = ['build', 'moved'].map((folder) =>
    identityOf({ command: 'node', args: [main(folder)], options: {} }),
  );
  expect(() => continueRun(foreign[0], foreign[1])).toThrow('engine 1.args');
});

slowTest('a book and the weights of an engine may be larger than 2 GiB', () => {
  const openings = join(root, 'large');
  writeFileSync(openings, '');
  truncateSync(openings, 2 ** 31 + 1);
  const spec = { command: 'no-such-program', args: [], options: { EvalFile: openings } };
  const engines = [{ spec, limits: DEFAULT_LIMITS }];
  const identity = seriesIdentity({ ...DEFAULT_GAMES, workers: 1, seed: 1, engines, openings });
  expect(identity['book']).toMatch(/^[0-9a-f]{16}$/);
  expect(identity['engine 1']).toMatchObject({ program: identity['book'] });
});

test('arguments that cannot be paths are not read as files', () => {
  const args = ['x'.repeat(300), `${main('build')}/x`];
  expect(identityOf({ command: 'node', args, options: {} })).toMatchObject({ 'engine 1': { args } });
});

test('a run of Heft can be continued with Node in a different folder', () => {
  const { execPath } = process;
  const before = identityOf(own('build'));
  try {
    process.execPath = '/opt/node/bin/node';
    expect(() => continueRun(before, identityOf(own('build')))).not.toThrow();
  } finally {
    process.execPath = execPath;
  }
});
