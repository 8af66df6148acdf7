// Search parameters, each with default, minimum, maximum and step size for tuners, and the table of late move reductions.

import { fieldsOf, regionOf } from '../kernel/memory.js';

/** A declared search parameter: a whole number and its range. */
interface Param {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const param = (value: number, min: number, max: number, step: number): Param => ({ value, min, max, step });

// Depths are in plies, margins in centipawns; a depth of 0 or 128 switches a feature off
const DECLARED = {
  ASPIRATION_DEPTH: param(5, 2, 128, 1),
  ASPIRATION_DELTA: param(16, 5, 60, 4),
  RFP_DEPTH: param(8, 0, 10, 1),
  RFP_MARGIN: param(50, 10, 150, 8),
  RFP_IMPROVING: param(27, 10, 150, 8),
  /** Subtracted from the margin if the opponent's last move worsened the opponent's position. */
  RFP_WORSENING: param(14, 0, 60, 5),
  /** History of the opponent's last move per centipawn of margin. */
  RFP_HISTORY: param(400, 200, 100000, 40),
  /**
   * Score of a decided position. Reverse futility and null move are off if beta is at or below its negative, and razoring if alpha is at or
   * above it, so the search finds the mate.
   */
  DECIDED: param(1000, 500, 32000, 250),
  RAZOR_DEPTH: param(3, 0, 5, 1),
  RAZOR_MARGIN: param(211, 100, 450, 25),
  NMP_DEPTH: param(3, 2, 128, 1),
  NMP_BASE: param(4, 2, 6, 1),
  NMP_DIVISOR: param(3, 2, 8, 1),
  NMP_EVAL_DIVISOR: param(200, 100, 400, 25),
  /** Margins above beta required of the static evaluation (decreasing with depth), and of the evaluation refined by the table score. */
  NMP_STATIC_BASE: param(125, 50, 350, 25),
  NMP_STATIC_SLOPE: param(16, 4, 40, 3),
  NMP_EVAL_MARGIN: param(25, 0, 80, 8),
  /** A null-move cut-off is verified from this depth on, and at any depth with a single piece. */
  NMP_VERIFY_DEPTH: param(12, 4, 128, 1),
  PC_DEPTH: param(5, 4, 128, 1),
  PC_MARGIN: param(178, 80, 320, 20),
  IIR_DEPTH: param(4, 2, 128, 1),
  /** A table entry more than this many plies shallower than the search counts as missing. */
  IIR_SHALLOW: param(4, 2, 128, 1),
  SE_DEPTH: param(7, 5, 128, 1),
  /** Eighths of a centipawn per ply. */
  SE_MARGIN: param(10, 4, 32, 3),
  SE_DOUBLE_MARGIN: param(20, 5, 60, 5),
  SE_TRIPLE_MARGIN: param(100, 20, 1000, 10),
  LMP_DEPTH: param(7, 0, 10, 1),
  LMP_BASE: param(4, 1, 8, 1),
  /** Hundredths of a move, multiplied by the square of the depth. */
  LMP_FACTOR: param(145, 40, 400, 15),
  /** History that raises the limit by one move. */
  LMP_HISTORY: param(5000, 2000, 100000, 500),
  FP_DEPTH: param(6, 0, 10, 1),
  FP_BASE: param(78, 0, 250, 15),
  FP_MARGIN: param(65, 10, 160, 10),
  /** History per centipawn of margin. */
  FP_HISTORY: param(500, 100, 1000, 50),
  /** Futility of captures: 0 switches it off. */
  CF_DEPTH: param(5, 0, 10, 1),
  CF_BASE: param(170, 50, 300, 20),
  CF_MARGIN: param(56, 40, 200, 12),
  HP_DEPTH: param(5, 0, 8, 1),
  HP_MARGIN: param(3100, 500, 8000, 250),
  SEE_DEPTH: param(7, 0, 10, 1),
  SEE_QUIET_MARGIN: param(78, 20, 120, 8),
  SEE_NOISY_MARGIN: param(35, 5, 100, 4),
  LMR_DEPTH: param(3, 2, 128, 1),
  /** Base and divisor of the late move reduction, in hundredths. */
  LMR_BASE: param(60, 0, 150, 12),
  LMR_DIVISOR: param(240, 150, 350, 15),
  /** Adjustments to the reduction, in 1/1024 plies. */
  LMR_PV: param(1300, 0, 2048, 128),
  LMR_TT_PV: param(640, 0, 2048, 128),
  LMR_CUT_NODE: param(1800, 0, 3072, 128),
  LMR_NOT_IMPROVING: param(1024, 0, 2048, 128),
  LMR_TT_NOISY: param(1024, 0, 2048, 128),
  LMR_CHECK: param(1024, 0, 2048, 128),
  /** After more than two cut-offs at the next ply. */
  LMR_FAIL_HIGHS: param(1500, 0, 2048, 128),
  /** Per centipawn of correction. */
  LMR_CORRECTION: param(8, 0, 40, 3),
  /** Subtracted for captures and promotions. */
  LMR_NOISY: param(780, 0, 3072, 128),
  LMR_HISTORY_DIVISOR: param(10200, 4096, 20000, 800),
  LMR_DEEPER_MARGIN: param(50, 20, 120, 8),
  LMR_SHALLOWER_MARGIN: param(8, 0, 30, 3),
  HISTORY_MAX: param(2200, 800, 3200, 150),
  HISTORY_FACTOR: param(180, 100, 320, 15),
  HISTORY_OFFSET: param(60, 0, 100, 10),
  MALUS_MAX: param(2400, 600, 3200, 150),
  MALUS_FACTOR: param(260, 100, 400, 15),
  MALUS_OFFSET: param(60, 0, 100, 10),
  /** A score more than this above beta earns the history bonus of one more ply. */
  HISTORY_SURPRISE: param(40, 10, 120, 8),
  /** Move ordering: history bonus for a safe direct check, and per centipawn of a piece that escapes the attack of a less valuable one. */
  ORDER_CHECK: param(8000, 0, 20000, 800),
  ORDER_ESCAPE: param(5, 0, 20, 1),
  /** Weights of the correction histories, in hundredths. */
  CORR_PAWNS: param(110, 0, 200, 15),
  CORR_PIECES: param(110, 0, 200, 15),
  CORR_MINORS: param(74, 0, 200, 15),
  CORR_MAJORS: param(74, 0, 200, 15),
  CORR_MOVE: param(97, 0, 200, 15),
  CORR_MOVES: param(97, 0, 200, 15),
  /** Time management: divisor of the clock, and the share of the increment that is spent at once, in hundredths. */
  TM_SHARE: param(25, 10, 60, 2),
  TM_INCREMENT: param(75, 0, 100, 8),
  /** Soft and hard limit, in hundredths of a move's share. */
  TM_SOFT: param(70, 30, 150, 6),
  TM_HARD: param(400, 150, 800, 40),
  /** Adjustments to the soft limit, in hundredths of it. */
  TM_STABILITY_BASE: param(130, 100, 200, 8),
  TM_STABILITY_STEP: param(6, 0, 12, 1),
  TM_SCORE_DROP: param(100, 0, 250, 20),
  TM_SCORE_MOST: param(160, 100, 250, 10),
  TM_NODES_BASE: param(180, 100, 260, 10),
  TM_NODES_SHARE: param(120, 0, 200, 12),
  /** Maximum number of captures that quiescence tries at a non-PV node. */
  QS_MOVES: param(3, 1, 64, 1),
  /** Plies of quiescence that try quiet checks as well. */
  QS_CHECKS: param(1, 0, 4, 1),
  QS_DELTA_MARGIN: param(184, 50, 300, 20),
};

const { int32s } = regionOf('search/params');
type Name = keyof typeof DECLARED;
const defaults = Object.entries(DECLARED).map(([name, { value }]) => [name, value]);
const values = fieldsOf(int32s, Object.fromEntries(defaults) as Record<Name, number>);
/** The values as the search reads them: `P.RFP_DEPTH`. */
export const P: Readonly<typeof values> = values;

/** Returns the name in options and tuners: `rfpDepth` for RFP_DEPTH. */
const optionName = (name: string): string =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Every declared parameter by the name of its option, for listings and tuners. */
export const PARAMS: Readonly<Record<string, Param & { readonly name: string }>> = Object.fromEntries(
  Object.entries(DECLARED).map(([name, declared]) => [optionName(name), { ...declared, name }]),
);

/** Reduction of late moves in 1/1024 plies: entry `min(depth, 63) << 6 | min(moves, 63)`. */
export const reductions = int32s(64 * 64);

// Reductions grow with the product of the logarithms of depth and move number
function fillReductions(): void {
  for (let depth = 1; depth < 64; depth++) {
    for (let moves = 1; moves < 64; moves++) {
      const product = Math.log(depth) * Math.log(moves);
      reductions[(depth << 6) | moves] = 1024 * (P.LMR_BASE / 100 + (product * 100) / P.LMR_DIVISOR);
    }
  }
}
fillReductions();

/** Sets a declared search parameter by the name of its option and rebuilds the table of reductions. */
export function setParam(name: string, value: number): void {
  values[PARAMS[name].name as Name] = value;
  fillReductions();
}

/** Parts of the search, and the values of the search parameters that switch them off. */
export const SEARCH_PARTS: Readonly<Record<string, Record<string, number>>> = {
  'aspiration windows': { aspirationDepth: 128 },
  'reverse futility': { rfpDepth: 0 },
  razoring: { razorDepth: 0 },
  'null move': { nmpDepth: 128 },
  'null move verification': { nmpVerifyDepth: 128 },
  ProbCut: { pcDepth: 128 },
  'internal iterative reduction': { iirDepth: 128 },
  'singular extensions': { seDepth: 128 },
  'triple extensions': { seTripleMargin: 1000 },
  'late move pruning': { lmpDepth: 0 },
  futility: { fpDepth: 0 },
  'futility of captures': { cfDepth: 0 },
  'history pruning': { hpDepth: 0 },
  'histories in reverse futility and late move pruning': { rfpHistory: 100_000, lmpHistory: 100_000 },
  'SEE pruning': { seeDepth: 0 },
  'late move reduction': { lmrDepth: 128 },
  'correction histories': { corrPawns: 0, corrPieces: 0, corrMinors: 0, corrMajors: 0, corrMove: 0, corrMoves: 0 },
  'limit of captures in quiescence': { qsMoves: 64 },
  'quiet checks in quiescence': { qsChecks: 0 },
  'time management': { tmStabilityBase: 100, tmStabilityStep: 0, tmScoreDrop: 0, tmNodesBase: 100, tmNodesShare: 0 },
};
