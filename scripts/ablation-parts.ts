// The parts of the search that an ablation switches off.

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
