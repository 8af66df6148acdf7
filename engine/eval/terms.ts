// Declares every tunable term. The order and the shapes of the terms determine their places in the weight vector. The evaluation scores
// each weight in one place, and weight files, traces, gradients, reports and heat maps take their layout from this list.

import { BISHOP, KNIGHT, QUEEN, ROOK } from '../board/types.js';
import { type Axis, danger, FILES, kinds, namedSteps, PIECES, RANKS, SQUARES, steps, subsets } from './axes.js';

/** A named table of weights, each a middlegame and an endgame value. */
export interface Term {
  readonly name: string;
  /** Name for chess players. */
  readonly title: string;
  /** Lengths of the dimensions; the last is the length of a row. */
  readonly shape: readonly number[];
  /** Relation of the entries along each dimension. */
  readonly orders: readonly Axis['order'][];
  /** Names of the entries along each dimension, if any. */
  readonly places: readonly (readonly string[] | undefined)[];
  /** Index of its first weight. */
  readonly offset: number;
  readonly size: number;
  /** Family of related terms, which share their act, prior, ablation and, usually, idea in explanations; null for indispensable terms. */
  readonly family: Family | null;
  /** Sum to which the term contributes. */
  readonly act: Act;
  /** Centring of its rows, if their mean is equivalent to material. */
  readonly gauge: Gauge | null;
}

/**
 * Centring of a table in which each piece of one type counts in exactly one cell of a row: the mean of the row moves into the material
 * value of that piece.
 */
interface Gauge {
  /** The mean of row `r` is added to the weight with index `onto + r`. Rows from `rows` on belong to the king; their means cancel. */
  onto: number;
  rows: number;
  /** Cells of a row that never count and therefore stay zero. */
  isUnused: (row: number, column: number) => boolean;
}

/** Sum to which a term adds count times weight: the score in centipawns, or king danger or the endgame factor (score.ts). */
export type Act = 'sum' | 'danger' | 'factor';

/** Families of related terms, with the act of each. */
export const FAMILIES = {
  mobility: 'sum',
  'pawn structure': 'sum',
  'passed pawns': 'sum',
  'shelter and storm': 'sum',
  'king attack': 'danger',
  threats: 'sum',
  'posts of pieces': 'sum',
  space: 'sum',
  'endgame scale': 'factor',
  tempo: 'sum',
} as const satisfies Record<string, Act>;
export type Family = keyof typeof FAMILIES;

const declared: Term[] = [];
let next = 0;

/**
 * Returns a function that declares a term by its dimensions (a number means unnamed kinds) and returns the index of its first weight. A
 * piece type for `centred` means that exactly one cell counts for each such piece.
 */
const termsOf =
  (family: Family | null) =>
  (name: string, title: string, axes: readonly (number | Axis)[], centred: PieceType | Gauge | null = null): number => {
    const all = axes.map((axis): Axis => (typeof axis === 'number' ? { length: axis, order: 'kinds' } : axis));
    const shape = all.map(({ length }) => length);
    const size = shape.reduce((product, length) => product * length, 1);
    const offset = next;
    const act = family === null ? 'sum' : FAMILIES[family];
    const gauge = typeof centred === 'number' ? { onto: MATERIAL + centred, rows: 1, isUnused: () => false } : centred;
    const [orders, places] = [all.map(({ order }) => order), all.map((axis) => axis.places)];
    declared.push({ name, title, family, act, shape, orders, places, offset, size, gauge });
    next += size;
    return offset;
  };
const indispensable = termsOf(null);
const mobility = termsOf('mobility');
const structure = termsOf('pawn structure');
const passed = termsOf('passed pawns');
const shelter = termsOf('shelter and storm');
const attack = termsOf('king attack');
const threats = termsOf('threats');
const posts = termsOf('posts of pieces');
const space = termsOf('space');
const scale = termsOf('endgame scale');
const tempo = termsOf('tempo');

// Dimensions shared by several terms
const MINORS = kinds(...PIECES.slice(1, 3));
const OFFICERS = kinds(...PIECES.slice(1, 5));
const ATTACKERS = kinds(...PIECES.map((piece) => `by ${piece}`));
const ATTACKED = kinds(...PIECES.slice(0, 5));
const DEFENDED = kinds('on undefended', 'on defended');
const OPPOSED = kinds('opposed', 'unopposed');
const PASSED_RANKS = kinds('up to rank 4', 'on rank 5', 'beyond rank 5');
const KING_FILES = kinds('neighbouring file', "king's file");
const STORMERS = kinds('free', 'blocked');
const MOVES = steps(28, 'squares');
const DISTANCES = steps(8, 'squares');
const AHEAD = steps(8, 'ranks away');
const PAWNS = steps(9, 'pawns');

/** Piece values, pawn to queen. */
export const MATERIAL = indispensable('material', 'material', [kinds(...PIECES.slice(0, 5))]);

/** Piece-square tables, a1 first, from the point of view of the piece's side; a pawn never stands on the first or last rank. */
export const PSQT = indispensable('psqt', '', [kinds(...PIECES), SQUARES], {
  onto: MATERIAL,
  rows: 5,
  isUnused: (row, square) => row === 0 && (square < 8 || square >= 56),
});

/** The side to move. */
export const TEMPO = tempo('tempo', 'side to move', [1]);

/** Squares of the mobility area (findArea in pieces.ts) that a piece attacks; the mean moves into the piece's material value. */
export const KNIGHT_MOBILITY = mobility('knightMobility', 'knight mobility', [steps(9, 'squares')], KNIGHT);
export const BISHOP_MOBILITY = mobility('bishopMobility', 'bishop mobility', [steps(14, 'squares')], BISHOP);
export const ROOK_MOBILITY = mobility('rookMobility', 'rook mobility', [steps(15, 'squares')], ROOK);
export const QUEEN_MOBILITY = mobility('queenMobility', 'queen mobility', [MOVES], QUEEN);

/** Squares of the mobility area that a side's rooks, or its queens, attack and that no less valuable enemy piece attacks. */
export const ROOK_FREEDOM = mobility('rookFreedom', 'rook squares safe from lesser pieces', [MOVES]);
export const QUEEN_FREEDOM = mobility('queenFreedom', 'queen squares safe from lesser pieces', [MOVES]);

/** Bishops on squares of both colours. */
export const BISHOP_PAIR = posts('bishopPair', 'bishop pair', [1]);
/** Each knight and each rook by the number of friendly pawns. */
export const KNIGHT_PAWNS = posts('knightPawns', 'knight and friendly pawns', [PAWNS], KNIGHT);
export const ROOK_PAWNS = posts('rookPawns', 'rook and friendly pawns', [PAWNS], ROOK);

/** Pawns without friendly pawns on the neighbouring files, by file: with an enemy pawn ahead on the same file, or without. */
export const PAWN_ISOLATED = structure('pawnIsolated', 'isolated pawn', [OPPOSED, FILES]);
/** Rear pawns of doubled pawns by file: confined to the file, or able to leave it by a capture. */
export const PAWN_STACKED = structure('pawnStacked', 'stacked pawn', [
  kinds('confined to its file', 'able to leave it'),
  FILES,
]);
/** Pawns directly behind a friendly pawn. */
export const PAWN_DOUBLED = structure('pawnDoubled', 'doubled pawn', [1]);
/** Backward pawns whose stop square an enemy pawn attacks, by rank: opposed, or not. */
export const PAWN_BACKWARD = structure('pawnBackward', 'backward pawn', [OPPOSED, RANKS]);
/** Pawns beside a friendly pawn, by rank. */
export const PAWN_PHALANX = structure('pawnPhalanx', 'pawn beside a friendly pawn', [RANKS]);
/** Defended pawns by rank, counted once per defending pawn. */
export const PAWN_SUPPORTED = structure('pawnSupported', 'defended pawn', [RANKS]);
/** Pawns that can become passed, by rank: attacked more often than defended, or not. */
export const PAWN_CANDIDATE = structure('pawnCandidate', 'candidate passed pawn', [
  kinds('outnumbered', 'held'),
  RANKS,
]);

/** Passed pawns by rank, with the next square free or occupied, and not attacked or attacked. */
export const PASSED_PAWN = passed('passedPawn', 'passed pawn', [
  kinds('next square free', 'next square blocked'),
  kinds('not attacked ahead', 'attacked ahead'),
  RANKS,
]);
/** Additional value of a passed pawn of the side to move, by rank. */
export const PASSED_TO_MOVE = passed('passedToMove', 'passed pawn, side to move', [RANKS]);
/** Passed pawns by file; those beside or defended by a friendly pawn, by rank. */
export const PASSED_FILE = passed('passedFile', 'passed pawn', [FILES]);
export const PASSED_CONNECTED = passed('passedConnected', 'passed pawn beside or defended by another pawn', [RANKS]);
/** Passed pawns with an enemy piece directly ahead, knight to king. */
export const PASSED_BLOCKER = passed('passedBlocker', 'passed pawn blocked by', [kinds(...PIECES.slice(1))]);
/** Passed pawns whose next square is defended, by rank. */
export const PASSED_SUPPORT = passed('passedSupport', 'passed pawn, next square defended', [RANKS]);
/** Passed pawns whose whole path is empty and not attacked, by rank. */
export const PASSED_PATH = passed('passedPath', 'passed pawn, whole path safe', [RANKS]);
/** Passed pawns with a rook behind them: friendly, or enemy. */
export const PASSED_ROOK = passed('passedRook', 'rook behind a passed pawn', [kinds('own', 'enemy')]);
/** Distance of each king from the stop square of a passed pawn, for pawns up to the fourth rank, on the fifth, and beyond. */
export const PASSED_OWN_KING = passed('passedOwnKing', 'own king to a passed pawn', [PASSED_RANKS, DISTANCES]);
export const PASSED_THEIR_KING = passed('passedTheirKing', 'enemy king to a passed pawn', [PASSED_RANKS, DISTANCES]);
/** Passed pawns that have an empty path and that the enemy king cannot catch, if the enemy has only king and pawns. */
export const PASSED_UNSTOPPABLE = passed('passedUnstoppable', 'unstoppable passed pawn', [1]);

/** The nearest friendly pawn in front of the king by file and distance (7: none), on neighbouring files and on the king's file. */
export const KING_SHELTER = shelter('kingShelter', 'king shelter', [KING_FILES, FILES, AHEAD]);
/** The nearest enemy pawn ahead of the king, free or blocked, by the distance of its file from the edge and its distance from the king. */
export const KING_STORM = shelter('kingStorm', 'pawn storm', [STORMERS, steps(4, 'files from the edge'), AHEAD]);
/** The king's distance from the nearest pawn of either side. */
export const KING_PAWN_DISTANCE = shelter('kingPawnDistance', 'king distance to the nearest pawn', [DISTANCES]);
/** A king without pawns of either side on the four files around it, if there are pawns on other files. */
export const PAWNLESS_FLANK = shelter('pawnlessFlank', 'king without pawns on its side of the board', [1]);
/** Squares open to a queen in the king's place; see scoreKingLines in king.ts. */
export const KING_LINES = shelter('kingLines', 'open lines to the king', [MOVES]);

// Danger terms, up to DANGER_STORM. Their sum goes through the curve in score.ts: 100 units are worth about 100 centipawns in a strong
// attack and an eighth of that in a weak one.

/** Base danger of an attacked king: the attacker has no queen, or has one. */
export const DANGER_QUEEN = attack('dangerQueen', 'danger of an attacked king', [kinds('without queen', 'with queen')]);
/** Additional danger if the attacker is to move. */
export const DANGER_TO_MOVE = attack('dangerToMove', 'danger, side to move', [1]);
/** Pieces that attack the king's ring, knight to queen. */
export const DANGER_ATTACKERS = attack('dangerAttackers', "danger, attackers of the king's ring", [
  OFFICERS,
  danger(1),
]);
/** Squares of the ring that each of these pieces attacks, knight to queen. */
export const DANGER_RING = attack('dangerRing', "danger, attacked squares of the king's ring", [OFFICERS, danger(1)]);
/** Attacked squares of the ring that are undefended, or defended only once, by king or queen. */
export const DANGER_WEAK = attack('dangerWeak', "danger, weak squares of the king's ring", [danger(1)]);
/** Number of safe checks (1, 2, at least 3), knight to queen. */
export const DANGER_CHECKS = attack('dangerChecks', 'danger, safe checks', [OFFICERS, danger(3)]);
/** Piece types with safe checks, knight to queen, if the attacker is to move. */
export const DANGER_CHECKS_TO_MOVE = attack('dangerChecksToMove', 'danger, safe checks, side to move', [OFFICERS]);
/** Piece types with only unsafe checks, knight to queen. */
export const DANGER_UNSAFE_CHECKS = attack('dangerUnsafeChecks', 'danger, unsafe checks only', [OFFICERS, danger(1)]);
/** Squares of the four files around the king, in its half of the board, that the enemy attacks: once or more, and twice or more. */
export const DANGER_FLANK = attack('dangerFlank', 'danger, squares around the king', [
  kinds('attacked', 'attacked twice'),
  danger(1),
]);
/** Squares of the same area that the king's own side attacks. */
export const DANGER_FLANK_HELD = attack('dangerFlankHeld', 'danger, defended squares around the king', [1]);
/** Single pieces between the king and an enemy slider: the king's own, or the enemy's. */
export const DANGER_PINS = attack('dangerPins', 'danger, lone piece in front of the king', [
  kinds('own piece', 'enemy piece'),
  danger(1),
]);
/** The nearest friendly pawn in front of the king by distance (7: none), on a neighbouring file and on the king's file. */
export const DANGER_SHELTER = attack('dangerShelter', 'danger, pawn in front of the king', [KING_FILES, AHEAD]);
/** The nearest enemy pawn in front of the king by distance: free to advance, or blocked. */
export const DANGER_STORM = attack('dangerStorm', 'danger, pawn storm', [STORMERS, AHEAD]);

/** Attacked enemy pieces, pawn to queen, by the type of the attacker, pawn to king: not defended, or defended. */
export const THREAT = threats('threat', 'attack', [ATTACKERS, DEFENDED, ATTACKED]);
/** Attacked enemy pieces, pawn to queen, that are not defended, or attacked twice and not defended by a pawn. */
export const HANGING = threats('hanging', 'hanging', [ATTACKED]);
/** Enemy pieces, knight to queen, that a safe pawn push would attack. */
export const PUSH_THREAT = threats('pushThreat', 'threat by pawn push', [OFFICERS]);
/** Additional value of these three terms for the side to move. */
export const THREAT_TO_MOVE = threats('threatToMove', 'attack, side to move', [ATTACKERS, DEFENDED, ATTACKED]);
export const HANGING_TO_MOVE = threats('hangingToMove', 'hanging, side to move', [ATTACKED]);
export const PUSH_THREAT_TO_MOVE = threats('pushThreatToMove', 'threat by pawn push, side to move', [OFFICERS]);
/**
 * Number of enemy pieces, knight to queen (1, 2, 3, at least 4), attacked by a lesser piece, or attacked and undefended, separately for the
 * side to move.
 */
export const THREAT_COUNT = threats('threatCount', 'pieces attacked at once', [
  kinds('opponent to move', 'side to move'),
  namedSteps('none', '1', '2', '3', '4'),
]);
/** Safe squares from which a knight, bishop or rook would attack the enemy's only queen. */
export const QUEEN_REACH = threats('queenReach', 'squares from which to attack the queen', [
  kinds(...PIECES.slice(1, 4)),
]);
/** Squares that both sides attack and that the enemy does not defend firmly. */
export const RESTRICTION = threats('restriction', 'contested squares held', [1]);

/** Knights and bishops on the fourth to sixth ranks, safe from enemy pawns: not defended by a pawn, or defended. */
export const OUTPOST = posts('outpost', 'outpost', [MINORS, kinds('alone', 'defended by a pawn')]);
/** Knights that attack an outpost defended by a pawn and are not on an outpost themselves. */
export const KNIGHT_REACH = posts('knightReach', 'knight within reach of an outpost', [1]);
/** Knights and bishops directly behind a pawn of either side. */
export const MINOR_BEHIND_PAWN = posts('minorBehindPawn', 'behind a pawn', [MINORS]);
/** Knights and bishops by their distance from their own king. */
export const MINOR_KING_DISTANCE = posts('minorKingDistance', 'distance from its own king', [MINORS, DISTANCES], {
  onto: MATERIAL + KNIGHT,
  rows: 2,
  isUnused: (_, distance) => distance === 0,
});
/** Bishops by the number of friendly pawns on squares of their colour. */
export const BISHOP_PAWNS = posts('bishopPawns', 'bishop and friendly pawns on its colour', [PAWNS], BISHOP);
/** Bishops that attack both halves of the centre. */
export const BISHOP_DIAGONAL = posts('bishopDiagonal', 'bishop controlling the centre', [1]);
/** Bishops trapped at the edge by an enemy pawn. */
export const BISHOP_TRAPPED = posts('bishopTrapped', 'trapped bishop', [1]);
/** Rooks on files without friendly pawns: half open, or open. */
export const ROOK_FILE = posts('rookFile', 'rook', [kinds('on a half-open file', 'on an open file')]);
/** Rooks on the seventh rank with enemy pawns on it, or with the enemy king on the eighth. */
export const ROOK_SEVENTH = posts('rookSeventh', 'rook on the seventh rank', [1]);
/** Rooks trapped by their own king, without or with castling rights. */
export const ROOK_TRAPPED = posts('rookTrapped', 'rook trapped by its king', [
  kinds('no castling', 'castling allowed'),
]);

/**
 * Squares on files c to f and the second to fourth ranks that hold no friendly pawn and that no enemy pawn attacks: all of them, and
 * those behind friendly pawns that no enemy piece attacks either.
 */
export const SPACE = space('space', 'space', [kinds('all squares', 'behind friendly pawns')]);

// Scale terms: changes to the endgame value in 128ths, from the point of view of the side that it favours, without middlegame values.

/** Pawns of that side. */
export const SCALE_PAWNS = scale('scalePawns', 'endgame scale (128ths), pawns of the side ahead', [PAWNS]);
/** Pieces on the board as flags: 1 minor pieces, 2 rooks, 4 queens. */
export const SCALE_PIECES = scale('scalePieces', 'endgame scale (128ths), pieces on the board', [
  subsets('minor', 'rook', 'queen'),
]);
/** Bishops of opposite colours: alone, with up to a minor piece each, up to a rook each, or more. */
export const SCALE_BISHOPS = scale('scaleBishops', 'endgame scale (128ths), bishops of opposite colours', [
  namedSteps('alone', 'and a minor piece', 'and a rook', 'and more'),
]);
/** Ways to win: pawns on both wings, a passed pawn of that side, at least three extra pawns. */
export const SCALE_WAYS = scale('scaleWays', 'endgame scale (128ths)', [
  kinds('pawns on both wings', 'own passed pawn', 'three extra pawns'),
]);

export const TERMS: readonly Term[] = declared;
/** Number of weights of the evaluation; each has a middlegame and an endgame value. */
export const WEIGHT_COUNT = next;

/**
 * Moves the means of centred tables into the material values, so piece values are comparable; evaluations do not change. With `whole`, the
 * means are rounded first, so integer weights stay integers.
 */
export function recentre(mg: Float64Array, eg: Float64Array, whole = false): void {
  for (const { gauge, shape, offset, size } of TERMS) {
    if (gauge === null) continue;
    const width = shape[shape.length - 1];
    for (let row = 0; row < size / width; row++) {
      const cells = Array.from({ length: width }, (_, column) => column)
        .filter((column) => !gauge.isUnused(row, column))
        .map((column) => offset + row * width + column);
      for (const values of [mg, eg]) {
        const sum = cells.reduce((total, cell) => total + values[cell], 0);
        const mean = whole ? Math.round(sum / cells.length) : sum / cells.length;
        for (const cell of cells) values[cell] -= mean;
        if (row < gauge.rows) values[gauge.onto + row] += mean;
      }
    }
  }
}
