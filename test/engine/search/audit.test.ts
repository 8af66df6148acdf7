// The audit of pruning: the module that tests the rules, and the command that prints the results.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { POSITIONS } from '../../../engine/commands/bench.js';
import { newGame, type SearchResult, search, setHashSize } from '../../../engine/engine.js';
import * as A from '../../../engine/search/audit-counts.js';
import { useCompiled } from '../../../engine/search/kernel.js';
import { compiled, MODULES } from '../../support/wasm.js';

const FENS = POSITIONS.slice(1, 7);

function clearAudit(): void {
  A.counts.fill(0);
  Object.assign(A.sampling, { sample: 0, every: 0, testedPly: 0 });
}
beforeEach(clearAudit);
afterEach(() => useCompiled(MODULES));

function searchAll(nodes: number): SearchResult[] {
  setHashSize(1);
  return FENS.map((fen) => {
    newGame();
    parseFen(fen);
    return search({ nodes });
  });
}

/** Searches with one in `every` uses of a rule tested. */
function audited(every: number): { results: SearchResult[]; counts: number[] } {
  useCompiled({ ...MODULES, search: compiled('audit') });
  A.sampling.every = every;
  return { results: searchAll(5000), counts: [...A.counts] };
}

const total = (counts: readonly number[], which: number): number =>
  counts.reduce((sum, count, at) => (at % 4 === which ? sum + count : sum), 0);

test('without tests, the audit module returns the same results as the playing module', () => {
  const playing = searchAll(5000);
  expect(total([...A.counts], A.USES)).toBe(0);
  const { results, counts } = audited(2 ** 30);
  expect(results).toEqual(playing);
  expect(total(counts, A.USES)).toBeGreaterThan(10_000);
  expect(total(counts, A.TESTS)).toBe(0);
});

test('one use in eight is tested, tests do not count as nodes, and the counts are reproducible', () => {
  const { results, counts } = audited(8);
  // The limit may be reached within a test
  for (const { nodes } of results) expect(nodes > 4500 && nodes <= 5000, `${nodes}`).toBe(true);
  const [uses, tests, errors] = [A.USES, A.TESTS, A.ERRORS].map((which) => total(counts, which));
  expect(tests / uses).toBeGreaterThan(0.11);
  expect(tests / uses).toBeLessThan(0.14);
  expect(errors).toBeGreaterThan(0);
  expect(errors).toBeLessThan(tests / 10);
  expect(total(counts, A.TEST_NODES)).toBeGreaterThan(tests);
  clearAudit();
  expect(audited(8).counts).toEqual(counts);
});

test('every rule is tested', () => {
  const { counts } = audited(1);
  const size = counts.length / A.PRUNING_RULES.length;
  A.PRUNING_RULES.forEach(({ name }, rule) => {
    expect(total(counts.slice(size * rule, size * (rule + 1)), A.TESTS), name).toBeGreaterThan(0);
  });
});

const program = fileURLToPath(new URL('../../../dist/scripts/pruning-audit.js', import.meta.url));
const audit = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

test('the command prints a table for each node count, by depth or margin', () => {
  const { status, stdout } = audit(
    '--nodes',
    '1000,2000',
    '--count',
    '3',
    '--every',
    '4',
    '--hash',
    '1',
    '--by',
    'margin',
  );
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^1,000 nodes, 3 positions\n\n\| rule \| margin \| uses \| tests \| wrong, % \| nodes per test \|\n/,
  );
  expect(stdout).toMatch(/\n2,000 nodes, 3 positions\n/);
  expect(stdout).toMatch(
    /\| late move reduction \(plies of the reduction\) \| 1 \| \d+ \| \d+ \| \d+\.\d ± \d+\.\d \| \d+ \|/,
  );
  // A few tests without an error do not prove that the rule is never wrong
  expect(stdout).toMatch(/ \| 1 \| 0\.0 ± 42\.9 \| /);
});

test.each([
  [['--nodes', '1m'], "--nodes takes positive whole numbers such as 5000,20000, not '1m'"],
  [['--positions', 'missing.epd'], 'missing.epd'],
  [['--every', '4294967296'], '--every takes a whole number from 1 to 1000000000, not 4294967296'],
  [['--hash', '1000000000'], 'error: not enough memory for a hash of 1000000000 MB; reduce --hash'],
])('%j is rejected', (words, line) => {
  const { status, stderr } = audit(...words);
  expect(status).toBeGreaterThan(0);
  expect(stderr).toContain(line);
});
