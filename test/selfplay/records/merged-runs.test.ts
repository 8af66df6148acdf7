// checkMergedRuns(): which folders of self-play may be used together in a fit.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Identity } from '../../../selfplay/common/run-files.js';
import { checkMergedRuns, freshManifest, writeManifest } from '../../../selfplay/records/manifest.js';

const root = mkdtempSync(join(tmpdir(), 'heft-merged-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Writes the manifest of a run and returns its folder. */
function runOf(name: string, engineVersion: string, settings: Identity): string {
  const folder = join(root, name);
  mkdirSync(folder);
  const manifest = freshManifest({ command: 'a test', seed: 1 }, { seed: 1, ...settings }, 12, {});
  writeManifest(folder, { ...manifest, engineVersion });
  return folder;
}

test('runs with the same seed are rejected as duplicates if only the version differs, even with --mixed', () => {
  const [one, two] = ['one', 'two'].map((name) => runOf(name, name, { 'soft-nodes': 60, bench: 9 }));
  for (const mixed of [false, true])
    expect(() => checkMergedRuns([one, two], mixed)).toThrow(`${one} and ${two} hold the same games (seed 1); use`);
});

test('runs with the same seed require --mixed if settings or bench differ, or the games are timed', () => {
  const pairs: [string, Identity, Identity][] = [
    ['nodes', { 'soft-nodes': 60, bench: 9 }, { 'soft-nodes': 90, bench: 9 }],
    ['bench', { 'soft-nodes': 60, bench: 9 }, { 'soft-nodes': 60, bench: 8 }],
    ['tc', { tc: '1+0.01', bench: 9 }, { tc: '1+0.01', bench: 9 }],
    // Earlier versions store the settings elsewhere
    ['old', {}, {}],
  ];
  for (const [name, first, second] of pairs) {
    const runs = [runOf(`${name}-1`, 'one', first), runOf(`${name}-2`, 'two', second)];
    expect(() => checkMergedRuns(runs, false)).toThrow(/differ in .*; use --mixed to accept both/);
    expect(() => checkMergedRuns(runs, true)).not.toThrow();
  }
});
