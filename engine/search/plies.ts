// Working tables of the search: counters, signals between the driver and the search, and root moves. For each ply, they also store the
// principal variation and the state of the search and the move picker.

import { MAX_MOVES } from '../board/workspace.js';
import { fieldsOf, regionOf } from '../kernel/memory.js';
import { MAX_PLY } from './score.js';

const { doubles, int32s } = regionOf('search/plies');

const PLIES = MAX_PLY + 2;

/** Null-move states of a ply besides 0 (allowed). */
export const AFTER_NULL = 1;
export const VERIFYING = 2;

/** State of the search per ply. */
export const stack = {
  /** Centipawns for the side to move; NO_SCORE in check. */
  staticEval: int32s(PLIES),
  /** Whether the side to move is in check, set by stepDown, pass or startAtRoot. */
  isChecked: int32s(PLIES),
  /** 0, AFTER_NULL or VERIFYING. */
  nullMove: int32s(PLIES),
  /** History of the quiet move played; 0 for any other. */
  statScore: int32s(PLIES),
  /** Cut-offs since the parent node was entered. */
  cutoffs: int32s(PLIES),
  /** The excluded move of a singular search. */
  excluded: int32s(PLIES),
  /** Whether the ply's squares in board/workspace.ts are computed: the opponent's attacks, and the squares from which pieces give check. */
  areThreatsKnown: int32s(PLIES),
  areChecksKnown: int32s(PLIES),
};

/** Principal variation from each ply: `pvLength[ply]` moves, starting at `pv[ply * PV_ROW]`. */
export const PV_ROW = PLIES;
export const pv = int32s(PLIES * PV_ROW);
export const pvLength = int32s(PLIES);

/** Nodes searched, deepest ply reached, nodes at the next poll; doubles, because analysis can exceed 32 bits. */
export const counters = fieldsOf(doubles, { nodes: 0, seldepth: 0, nextPoll: 0 });

/** Signals between driver and search: stop flag, depth of the root search in plies, score at the root, MultiPV line (from 0). */
export const signals = fieldsOf(int32s, { stopped: 0, rootDepth: 0, rootScore: 0, rootLine: 0 });

/** Root moves to search, followed by NO_MOVE. Filled by the driver. */
export const rootMoves = int32s(MAX_MOVES + 1);

/** Nodes that this thread has spent on each root move since the search began, indexed by the move. */
export const rootEffort = doubles(1 << 16);

/** The move picker of each ply. */
export const picker = {
  stage: int32s(PLIES),
  ttMove: int32s(PLIES),
  /** Next index and end of the current list, in `moves` or, for losing captures and under-promotions, `bad`; end of the list in `bad`. */
  next: int32s(PLIES),
  end: int32s(PLIES),
  badEnd: int32s(PLIES),
  /** The stages after the table move and after the captures. */
  afterTt: int32s(PLIES),
  afterNoisy: int32s(PLIES),
};
export const values = int32s(PLIES * MAX_MOVES);
export const bad = int32s(PLIES * MAX_MOVES);
