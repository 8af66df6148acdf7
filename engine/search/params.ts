// The only declaration of every search parameter: default, least, greatest and the step that a tuner perturbs it by.

/** A declared search parameter: a whole number and its range. */
export interface Param {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const declared: Record<string, Param> = {};

function param(name: string, value: number, min: number, max: number, step: number): number {
  declared[name] = { value, min, max, step };
  return value;
}

/** The values the search reads, under their declared names. Depths are in plies, margins in centipawns; the depth 0 or 128 switches a feature off. */
export const params = {
  aspirationDepth: param('aspirationDepth', 5, 2, 128, 1),
  aspirationDelta: param('aspirationDelta', 26, 5, 60, 4),
  rfpDepth: param('rfpDepth', 7, 0, 10, 1),
  rfpMargin: param('rfpMargin', 32, 10, 150, 8),
  razorDepth: param('razorDepth', 3, 0, 5, 1),
  razorMargin: param('razorMargin', 211, 100, 450, 25),
  nmpDepth: param('nmpDepth', 3, 2, 128, 1),
  nmpBase: param('nmpBase', 3, 2, 5, 1),
  nmpDivisor: param('nmpDivisor', 4, 2, 8, 1),
  nmpEvalDivisor: param('nmpEvalDivisor', 158, 100, 400, 25),
  /** Centipawns above beta beyond which passing proves too little. */
  nmpMost: param('nmpMost', 600, 200, 2000, 60),
  /** With this depth, or a single piece, a null move's cut-off is verified. */
  nmpVerifyDepth: param('nmpVerifyDepth', 12, 4, 128, 1),
  pcDepth: param('pcDepth', 5, 4, 128, 1),
  pcMargin: param('pcMargin', 178, 80, 320, 20),
  iirDepth: param('iirDepth', 4, 2, 128, 1),
  seDepth: param('seDepth', 7, 5, 128, 1),
  /** Eighths of a centipawn a ply. */
  seMargin: param('seMargin', 10, 4, 32, 3),
  seDoubleMargin: param('seDoubleMargin', 20, 5, 60, 5),
  lmpDepth: param('lmpDepth', 7, 0, 10, 1),
  lmpBase: param('lmpBase', 4, 1, 8, 1),
  /** Hundredths of a move by the square of the depth. */
  lmpFactor: param('lmpFactor', 435, 50, 800, 20),
  fpDepth: param('fpDepth', 6, 0, 10, 1),
  fpBase: param('fpBase', 38, 0, 200, 12),
  fpMargin: param('fpMargin', 25, 10, 160, 10),
  /** Futility of captures: 0 switches it off. */
  cfDepth: param('cfDepth', 5, 0, 10, 1),
  cfBase: param('cfBase', 170, 50, 300, 20),
  cfMargin: param('cfMargin', 56, 40, 200, 12),
  hpDepth: param('hpDepth', 5, 0, 8, 1),
  hpMargin: param('hpMargin', 4103, 1000, 8000, 500),
  seeDepth: param('seeDepth', 7, 0, 10, 1),
  seeQuietMargin: param('seeQuietMargin', 78, 20, 120, 8),
  seeNoisyMargin: param('seeNoisyMargin', 35, 5, 100, 4),
  lmrDepth: param('lmrDepth', 3, 2, 128, 1),
  /** Late-move reduction: hundredths of a ply. */
  lmrBase: param('lmrBase', 29, 0, 150, 12),
  lmrDivisor: param('lmrDivisor', 275, 150, 350, 20),
  lmrHistoryDivisor: param('lmrHistoryDivisor', 7984, 4096, 16384, 800),
  lmrDeeperMargin: param('lmrDeeperMargin', 50, 20, 120, 8),
  lmrShallowerMargin: param('lmrShallowerMargin', 8, 0, 30, 3),
  historyMax: param('historyMax', 1760, 800, 3200, 150),
  historyFactor: param('historyFactor', 206, 100, 320, 15),
  historyOffset: param('historyOffset', 60, 0, 100, 10),
  /** Correction histories: hundredths of what each has learned. */
  corrPawns: param('corrPawns', 57, 0, 200, 15),
  corrPieces: param('corrPieces', 127, 0, 200, 15),
  corrMove: param('corrMove', 122, 0, 200, 15),
  /** Time management: hundredths of the time to aim at. */
  tmStabilityBase: param('tmStabilityBase', 130, 100, 200, 8),
  tmStabilityStep: param('tmStabilityStep', 6, 0, 12, 1),
  tmScoreDrop: param('tmScoreDrop', 100, 0, 250, 20),
  tmNodesBase: param('tmNodesBase', 180, 100, 260, 10),
  tmNodesShare: param('tmNodesShare', 120, 0, 200, 12),
  qsDeltaMargin: param('qsDeltaMargin', 184, 50, 300, 20),
};

/** Every declared parameter by name, for listings and tuners. */
export const PARAMS: Readonly<Record<string, Param>> = declared;
