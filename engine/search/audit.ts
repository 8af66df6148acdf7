// The bookkeeping of the audit (audit-counts.ts): which uses of a rule are tested, and what the tests find. Tests do not count as nodes.

import { imul, max, min } from '../kernel/primitives.js';
import {
  AUDIT_DEPTHS,
  AUDIT_MARGINS,
  auditCounts,
  auditedNodes,
  auditState,
  ERRORS,
  TEST_NODES,
  TESTS,
  USES,
} from './audit-counts.js';
import { counters, signals } from './plies.js';

function entryOf(rule: i32, depth: i32, margin: i32): i32 {
  const row = (rule * AUDIT_DEPTHS + max(0, min(depth, AUDIT_DEPTHS - 1))) * AUDIT_MARGINS;
  return 4 * (row + max(0, min(margin, AUDIT_MARGINS - 1)));
}

/** Counts a use of the rule, and returns whether to test it. Uses within a test do not count. */
export function isTestDue(rule: i32, depth: i32, margin: i32): boolean {
  if (auditState.testedPly !== 0) return false;
  auditCounts[entryOf(rule, depth, margin) + USES] += 1;
  // Knuth's linear congruence; its high bits are good
  auditState.sample = imul(auditState.sample, 1664525) + 1013904223;
  return (auditState.sample >>> 8) % auditState.every === 0;
}

/** Begins a test of the node at a ply, at which the rules for whole nodes are then off. */
export function beginTest(ply: i32): void {
  auditState.testedPly = ply + 1;
  auditedNodes[0] = counters.nodes;
}

/** Returns whether the node at the ply is under test. */
export function isUnderTest(ply: i32): boolean {
  return auditState.testedPly === ply + 1;
}

/** Ends the test; a search that was stopped proves nothing. */
export function endTest(rule: i32, depth: i32, margin: i32, isWrong: boolean): void {
  const entry = entryOf(rule, depth, margin);
  auditState.testedPly = 0;
  if (signals.stopped === 0) {
    auditCounts[entry + TESTS] += 1;
    auditCounts[entry + ERRORS] += isWrong ? 1 : 0;
    auditCounts[entry + TEST_NODES] += counters.nodes - auditedNodes[0];
  }
  counters.nodes = auditedNodes[0];
}
