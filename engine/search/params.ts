// The only declaration of every search parameter: default, least, greatest and the step that a tuner perturbs it by.

import { regionOf } from '../kernel/memory.js';

const { int32s } = regionOf('search/params');

/** A declared search parameter: a whole number and its range. */
export interface Param {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const declared: Record<string, Param & { readonly index: number }> = {};
let count = 0;

/** Room for parameters. */
const MAX_PARAMS = 128;

/** The values the search reads, at the indices declared below. Depths are in plies, margins in centipawns; the depth 0 or 128 switches a feature off. */
export const params = int32s(MAX_PARAMS);

// Returns the parameter's index
function param(name: string, value: number, min: number, max: number, step: number): number {
  if (count === MAX_PARAMS) throw new Error(`more than ${MAX_PARAMS} search parameters: raise MAX_PARAMS`);
  declared[name] = { value, min, max, step, index: count };
  params[count] = value;
  return count++;
}

export const ASPIRATION_DEPTH = param('aspirationDepth', 5, 2, 128, 1);
export const ASPIRATION_DELTA = param('aspirationDelta', 16, 5, 60, 4);
export const RFP_DEPTH = param('rfpDepth', 8, 0, 10, 1);
export const RFP_MARGIN = param('rfpMargin', 50, 10, 150, 8);
export const RFP_IMPROVING = param('rfpImproving', 27, 10, 150, 8);
/** Taken off where the opponent's last move has made its position worse. */
export const RFP_WORSENING = param('rfpWorsening', 14, 0, 60, 5);
/** History of the opponent's last move that is worth a centipawn to it. */
export const RFP_HISTORY = param('rfpHistory', 400, 200, 100000, 40);
/** A score beyond which a game is decided and only mate matters: no pruning by what the position looks like. */
export const DECIDED = param('decided', 1000, 500, 32000, 250);
export const RAZOR_DEPTH = param('razorDepth', 3, 0, 5, 1);
export const RAZOR_MARGIN = param('razorMargin', 211, 100, 450, 25);
export const NMP_DEPTH = param('nmpDepth', 3, 2, 128, 1);
export const NMP_BASE = param('nmpBase', 4, 2, 6, 1);
export const NMP_DIVISOR = param('nmpDivisor', 3, 2, 8, 1);
export const NMP_EVAL_DIVISOR = param('nmpEvalDivisor', 200, 100, 400, 25);
/** How far the static evaluation must be above beta, falling with the depth, and how far what else is known of the position. */
export const NMP_STATIC_BASE = param('nmpStaticBase', 125, 50, 350, 25);
export const NMP_STATIC_SLOPE = param('nmpStaticSlope', 16, 4, 40, 3);
export const NMP_EVAL_MARGIN = param('nmpEvalMargin', 25, 0, 80, 8);
/** With this depth, or a single piece, a null move's cut-off is verified. */
export const NMP_VERIFY_DEPTH = param('nmpVerifyDepth', 12, 4, 128, 1);
export const PC_DEPTH = param('pcDepth', 5, 4, 128, 1);
export const PC_MARGIN = param('pcMargin', 178, 80, 320, 20);
export const IIR_DEPTH = param('iirDepth', 4, 2, 128, 1);
/** A table entry shallower than the search by more counts as none. */
export const IIR_SHALLOW = param('iirShallow', 4, 2, 128, 1);
export const SE_DEPTH = param('seDepth', 7, 5, 128, 1);
/** Eighths of a centipawn a ply. */
export const SE_MARGIN = param('seMargin', 10, 4, 32, 3);
export const SE_DOUBLE_MARGIN = param('seDoubleMargin', 20, 5, 60, 5);
export const SE_TRIPLE_MARGIN = param('seTripleMargin', 100, 20, 1000, 10);
export const LMP_DEPTH = param('lmpDepth', 7, 0, 10, 1);
export const LMP_BASE = param('lmpBase', 4, 1, 8, 1);
/** Hundredths of a move by the square of the depth. */
export const LMP_FACTOR = param('lmpFactor', 145, 40, 400, 15);
/** History that lets a move come one later. */
export const LMP_HISTORY = param('lmpHistory', 5000, 2000, 100000, 500);
export const FP_DEPTH = param('fpDepth', 6, 0, 10, 1);
export const FP_BASE = param('fpBase', 78, 0, 250, 15);
export const FP_MARGIN = param('fpMargin', 65, 10, 160, 10);
/** History that makes up for a centipawn. */
export const FP_HISTORY = param('fpHistory', 500, 100, 1000, 50);
/** Futility of captures: 0 switches it off. */
export const CF_DEPTH = param('cfDepth', 5, 0, 10, 1);
export const CF_BASE = param('cfBase', 170, 50, 300, 20);
export const CF_MARGIN = param('cfMargin', 56, 40, 200, 12);
export const HP_DEPTH = param('hpDepth', 5, 0, 8, 1);
export const HP_MARGIN = param('hpMargin', 3100, 500, 8000, 250);
export const SEE_DEPTH = param('seeDepth', 7, 0, 10, 1);
export const SEE_QUIET_MARGIN = param('seeQuietMargin', 78, 20, 120, 8);
export const SEE_NOISY_MARGIN = param('seeNoisyMargin', 35, 5, 100, 4);
export const LMR_DEPTH = param('lmrDepth', 3, 2, 128, 1);
/** Late-move reduction: hundredths. */
export const LMR_BASE = param('lmrBase', 60, 0, 150, 12);
export const LMR_DIVISOR = param('lmrDivisor', 240, 150, 350, 15);
/** What changes the reduction, in 1/1024 plies. */
export const LMR_PV = param('lmrPv', 1300, 0, 2048, 128);
export const LMR_TT_PV = param('lmrTtPv', 640, 0, 2048, 128);
export const LMR_CUT_NODE = param('lmrCutNode', 1800, 0, 3072, 128);
export const LMR_NOT_IMPROVING = param('lmrNotImproving', 1024, 0, 2048, 128);
export const LMR_TT_NOISY = param('lmrTtNoisy', 1024, 0, 2048, 128);
export const LMR_CHECK = param('lmrCheck', 1024, 0, 2048, 128);
/** Where the next ply has failed high more than twice. */
export const LMR_FAIL_HIGHS = param('lmrFailHighs', 1500, 0, 2048, 128);
/** For each centipawn of correction. */
export const LMR_CORRECTION = param('lmrCorrection', 8, 0, 40, 3);
/** Captures are reduced less by so much. */
export const LMR_NOISY = param('lmrNoisy', 780, 0, 3072, 128);
export const LMR_HISTORY_DIVISOR = param('lmrHistoryDivisor', 10200, 4096, 20000, 800);
export const LMR_DEEPER_MARGIN = param('lmrDeeperMargin', 50, 20, 120, 8);
export const LMR_SHALLOWER_MARGIN = param('lmrShallowerMargin', 8, 0, 30, 3);
export const HISTORY_MAX = param('historyMax', 2200, 800, 3200, 150);
export const HISTORY_FACTOR = param('historyFactor', 180, 100, 320, 15);
export const HISTORY_OFFSET = param('historyOffset', 60, 0, 100, 10);
export const MALUS_MAX = param('malusMax', 2400, 600, 3200, 150);
export const MALUS_FACTOR = param('malusFactor', 260, 100, 400, 15);
export const MALUS_OFFSET = param('malusOffset', 60, 0, 100, 10);
/** A cut-off so far above beta counts as one of a depth more. */
export const HISTORY_SURPRISE = param('historySurprise', 40, 10, 120, 8);
/** Order of quiet moves: history that a safe direct check counts for, and each centipawn of a piece that leaves a lesser one's attack. */
export const ORDER_CHECK = param('orderCheck', 8000, 0, 20000, 800);
export const ORDER_ESCAPE = param('orderEscape', 5, 0, 20, 1);
/** Correction histories: hundredths of what each has learned. */
export const CORR_PAWNS = param('corrPawns', 110, 0, 200, 15);
export const CORR_PIECES = param('corrPieces', 110, 0, 200, 15);
export const CORR_MINORS = param('corrMinors', 74, 0, 200, 15);
export const CORR_MAJORS = param('corrMajors', 74, 0, 200, 15);
export const CORR_MOVE = param('corrMove', 97, 0, 200, 15);
export const CORR_MOVES = param('corrMoves', 97, 0, 200, 15);
/** Time management: moves that the clock is divided by, and the share of an increment that is spent at once, in hundredths. */
export const TM_SHARE = param('tmShare', 25, 10, 60, 2);
export const TM_INCREMENT = param('tmIncrement', 75, 0, 100, 8);
/** Time to aim at and never to exceed, in hundredths of a move's share. */
export const TM_SOFT = param('tmSoft', 70, 30, 150, 6);
export const TM_HARD = param('tmHard', 400, 150, 800, 40);
/** What changes the time to aim at, in hundredths of it. */
export const TM_STABILITY_BASE = param('tmStabilityBase', 130, 100, 200, 8);
export const TM_STABILITY_STEP = param('tmStabilityStep', 6, 0, 12, 1);
export const TM_SCORE_DROP = param('tmScoreDrop', 100, 0, 250, 20);
export const TM_SCORE_MOST = param('tmScoreMost', 160, 100, 250, 10);
export const TM_NODES_BASE = param('tmNodesBase', 180, 100, 260, 10);
export const TM_NODES_SHARE = param('tmNodesShare', 120, 0, 200, 12);
/** Captures that quiescence tries at a node at most. */
export const QS_MOVES = param('qsMoves', 3, 1, 64, 1);
/** Plies of quiescence that try quiet checks as well. */
export const QS_CHECKS = param('qsChecks', 1, 0, 4, 1);
export const QS_DELTA_MARGIN = param('qsDeltaMargin', 184, 50, 300, 20);

/** Every declared parameter by name, for listings and tuners. */
export const PARAMS: Readonly<Record<string, Param & { readonly index: number }>> = declared;
