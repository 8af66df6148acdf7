// Settings and results of the pruning audit, which tests a sample of the pruned or reduced nodes and moves and counts the errors.

import { fieldsOf, regionOf } from '../kernel/memory.js';

/** Whether the search is audited. scripts/wasm.mjs compiles audit.wasm, and no other module, with `true`. */
export const AUDITING: boolean = false;

/** A rule, and the unit of its margins, which is empty if margins are not counted. */
interface Rule {
  name: string;
  margin: string;
}

const declared: Rule[] = [];

/** Declares a rule and returns its number. */
function rule(name: string, margin = ''): number {
  return declared.push({ name, margin }) - 1;
}

export const BY_RFP = rule('reverse futility', '16 cp per ply above beta');
export const BY_RAZORING = rule('razoring', '100 cp per ply below alpha');
export const BY_NULL_MOVE = rule('null move', '50 cp above beta');
export const BY_PROBCUT = rule('ProbCut');
export const BY_MULTICUT = rule('multi-cut');
export const BY_LMP = rule('late move pruning', '4,000 of history above -16,000');
export const BY_FUTILITY = rule('futility', '50 cp below alpha, less the base');
export const BY_HISTORY = rule('history pruning', '2,000 of history below zero');
export const BY_SEE_QUIET = rule('SEE pruning of quiet moves');
export const BY_SEE_NOISY = rule('SEE pruning of captures');
export const BY_CAPTURE_FUTILITY = rule('futility of captures');
export const BY_LMR = rule('late move reduction', 'plies of the reduction');

/** The rules by number. */
export const PRUNING_RULES: readonly Rule[] = declared;

/** Numbers of depths and margins in the counts; larger values count as the largest. */
export const DEPTHS = 32;
export const MARGINS = 8;

/** Four counts by rule, depth and margin: uses of the rule, tests, tests that proved it wrong, nodes of the tests. */
export const USES = 0;
export const TESTS = 1;
export const ERRORS = 2;
export const TEST_NODES = 3;
const { doubles, int32s } = regionOf('search/audit-counts');
export const counts = doubles(PRUNING_RULES.length * DEPTHS * MARGINS * 4);

/** State of the random number generator; the sampling interval; the ply of the node under test plus one, or 0. */
export const sampling = fieldsOf(int32s, { sample: 0, every: 0, testedPly: 0 });

/** Nodes of the search before the current test. */
export const nodesBefore = doubles(1);
