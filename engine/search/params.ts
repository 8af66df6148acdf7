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
export const ASPIRATION_DELTA = param('aspirationDelta', 26, 5, 60, 4);
export const RFP_DEPTH = param('rfpDepth', 7, 0, 10, 1);
export const RFP_MARGIN = param('rfpMargin', 32, 10, 150, 8);
export const RAZOR_DEPTH = param('razorDepth', 3, 0, 5, 1);
export const RAZOR_MARGIN = param('razorMargin', 211, 100, 450, 25);
export const NMP_DEPTH = param('nmpDepth', 3, 2, 128, 1);
export const NMP_BASE = param('nmpBase', 3, 2, 5, 1);
export const NMP_DIVISOR = param('nmpDivisor', 4, 2, 8, 1);
export const NMP_EVAL_DIVISOR = param('nmpEvalDivisor', 158, 100, 400, 25);
/** Centipawns above beta beyond which passing proves too little. */
export const NMP_MOST = param('nmpMost', 600, 200, 2000, 60);
/** With this depth, or a single piece, a null move's cut-off is verified. */
export const NMP_VERIFY_DEPTH = param('nmpVerifyDepth', 12, 4, 128, 1);
export const PC_DEPTH = param('pcDepth', 5, 4, 128, 1);
export const PC_MARGIN = param('pcMargin', 178, 80, 320, 20);
export const IIR_DEPTH = param('iirDepth', 4, 2, 128, 1);
export const SE_DEPTH = param('seDepth', 7, 5, 128, 1);
/** Eighths of a centipawn a ply. */
export const SE_MARGIN = param('seMargin', 10, 4, 32, 3);
export const SE_DOUBLE_MARGIN = param('seDoubleMargin', 20, 5, 60, 5);
export const LMP_DEPTH = param('lmpDepth', 7, 0, 10, 1);
export const LMP_BASE = param('lmpBase', 4, 1, 8, 1);
/** Hundredths of a move by the square of the depth. */
export const LMP_FACTOR = param('lmpFactor', 435, 50, 800, 20);
export const FP_DEPTH = param('fpDepth', 6, 0, 10, 1);
export const FP_BASE = param('fpBase', 38, 0, 200, 12);
export const FP_MARGIN = param('fpMargin', 25, 10, 160, 10);
/** Futility of captures: 0 switches it off. */
export const CF_DEPTH = param('cfDepth', 5, 0, 10, 1);
export const CF_BASE = param('cfBase', 170, 50, 300, 20);
export const CF_MARGIN = param('cfMargin', 56, 40, 200, 12);
export const HP_DEPTH = param('hpDepth', 5, 0, 8, 1);
export const HP_MARGIN = param('hpMargin', 4103, 1000, 8000, 500);
export const SEE_DEPTH = param('seeDepth', 7, 0, 10, 1);
export const SEE_QUIET_MARGIN = param('seeQuietMargin', 78, 20, 120, 8);
export const SEE_NOISY_MARGIN = param('seeNoisyMargin', 35, 5, 100, 4);
export const LMR_DEPTH = param('lmrDepth', 3, 2, 128, 1);
/** Late-move reduction: hundredths of a ply. */
export const LMR_BASE = param('lmrBase', 29, 0, 150, 12);
export const LMR_DIVISOR = param('lmrDivisor', 275, 150, 350, 20);
export const LMR_HISTORY_DIVISOR = param('lmrHistoryDivisor', 7984, 4096, 16384, 800);
export const LMR_DEEPER_MARGIN = param('lmrDeeperMargin', 50, 20, 120, 8);
export const LMR_SHALLOWER_MARGIN = param('lmrShallowerMargin', 8, 0, 30, 3);
export const HISTORY_MAX = param('historyMax', 1760, 800, 3200, 150);
export const HISTORY_FACTOR = param('historyFactor', 206, 100, 320, 15);
export const HISTORY_OFFSET = param('historyOffset', 60, 0, 100, 10);
/** Correction histories: hundredths of what each has learned. */
export const CORR_PAWNS = param('corrPawns', 57, 0, 200, 15);
export const CORR_PIECES = param('corrPieces', 127, 0, 200, 15);
export const CORR_MOVE = param('corrMove', 122, 0, 200, 15);
/** Time management: hundredths of the time to aim at. */
export const TM_STABILITY_BASE = param('tmStabilityBase', 130, 100, 200, 8);
export const TM_STABILITY_STEP = param('tmStabilityStep', 6, 0, 12, 1);
export const TM_SCORE_DROP = param('tmScoreDrop', 100, 0, 250, 20);
export const TM_NODES_BASE = param('tmNodesBase', 180, 100, 260, 10);
export const TM_NODES_SHARE = param('tmNodesShare', 120, 0, 200, 12);
export const QS_DELTA_MARGIN = param('qsDeltaMargin', 184, 50, 300, 20);

/** Every declared parameter by name, for listings and tuners. */
export const PARAMS: Readonly<Record<string, Param & { readonly index: number }>> = declared;
