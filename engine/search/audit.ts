// Bookkeeping of the pruning audit (audit-counts.ts): selects uses of a rule to test and counts the results. Nodes searched in tests are
// not added to the search's count.

import { max, min } from '../kernel/primitives.js';
import * as A from './audit-counts.js';
import { counters, signals } from './plies.js';

function entryOf(rule: i32, depth: i32, margin: i32): i32 {
  const row = (rule * A.DEPTHS + max(0, min(depth, A.DEPTHS - 1))) * A.MARGINS;
  return 4 * (row + max(0, min(margin, A.MARGINS - 1)));
}

/** Counts a use of the rule, and returns whether to test it. Uses within a test do not count. */
export function isTestDue(rule: i32, depth: i32, margin: i32): boolean {
  if (A.sampling.testedPly !== 0) return false;
  A.counts[entryOf(rule, depth, margin) + A.USES] += 1;
  // The linear congruential generator of Numerical Recipes; its low bits are not random enough
  A.sampling.sample = A.sampling.sample * 1664525 + 1013904223;
  return (A.sampling.sample >>> 8) % A.sampling.every === 0;
}

/** Begins a test of the node at a ply and disables node-level pruning there. */
export function beginTest(ply: i32): void {
  A.sampling.testedPly = ply + 1;
  A.nodesBefore[0] = counters.nodes;
}

/** Returns whether the node at the ply is under test. */
export function isUnderTest(ply: i32): boolean {
  return A.sampling.testedPly === ply + 1;
}

/** Ends the test; stopped searches are not counted. */
export function endTest(rule: i32, depth: i32, margin: i32, isWrong: boolean): void {
  const entry = entryOf(rule, depth, margin);
  A.sampling.testedPly = 0;
  if (signals.stopped === 0) {
    A.counts[entry + A.TESTS] += 1;
    A.counts[entry + A.ERRORS] += isWrong ? 1 : 0;
    A.counts[entry + A.TEST_NODES] += counters.nodes - A.nodesBefore[0];
  }
  counters.nodes = A.nodesBefore[0];
}
