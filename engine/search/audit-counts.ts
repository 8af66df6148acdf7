// The audit of pruning: whether the search tests its rules, and the counts of how often they were wrong.

import { regionOf } from '../kernel/memory.js';

/**
 * scripts/wasm.mjs compiles each module with its own value: audit.wasm tests a sample of what the rules cut off, the playing module does
 * not. Nor does the reference.
 */
export const AUDITING: boolean = false;

/** The rules by number, and the unit of their margins. */
export const RULES = [
  { name: 'reverse futility', margin: '16 cp a ply above beta' },
  { name: 'razoring', margin: '100 cp a ply below alpha' },
  { name: 'null move', margin: '50 cp above beta' },
  { name: 'ProbCut', margin: '' },
  { name: 'multi-cut', margin: '' },
  { name: 'late move pruning', margin: '4,000 of history above -16,000' },
  { name: 'futility', margin: '50 cp below alpha, less the base' },
  { name: 'history pruning', margin: '2,000 of history below zero' },
  { name: 'SEE pruning of quiet moves', margin: '' },
  { name: 'SEE pruning of captures', margin: '' },
  { name: 'futility of captures', margin: '' },
  { name: 'late move reduction', margin: 'plies of the reduction' },
] as const;
export const BY_RFP = 0;
export const BY_RAZORING = 1;
export const BY_NULL_MOVE = 2;
export const BY_PROBCUT = 3;
export const BY_MULTICUT = 4;
export const BY_LMP = 5;
export const BY_FUTILITY = 6;
export const BY_HISTORY = 7;
export const BY_SEE_QUIET = 8;
export const BY_SEE_NOISY = 9;
export const BY_CAPTURE_FUTILITY = 10;
export const BY_LMR = 11;

/** Depths and margins are cut to these. */
export const AUDIT_DEPTHS = 32;
export const AUDIT_MARGINS = 8;

/** Four counts by rule, depth and margin: uses of the rule, tests, tests that proved it wrong, nodes of the tests. */
export const USES = 0;
export const TESTS = 1;
export const ERRORS = 2;
export const TEST_NODES = 3;
const { doubles, int32s } = regionOf('search/audit-counts');
export const auditCounts = doubles(RULES.length * AUDIT_DEPTHS * AUDIT_MARGINS * 4);

/** State of the sample's random numbers; one use in so many is tested; the ply whose node is under test, plus one; 0 without a test. */
export const SAMPLE = 0;
export const EVERY = 1;
export const TESTED_PLY = 2;
export const auditState = int32s(3);

/** Nodes of the search before the test under way. */
export const auditedNodes = doubles(1);
