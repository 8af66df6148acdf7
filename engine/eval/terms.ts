// The only declaration of every tunable term. A term's name and shape give its place in the weight vector; the evaluation
// scores it in one place, and weight files, traces, gradients and heat maps derive from this list.

/** A named table of weights, each a middlegame and an endgame value. */
export interface Term {
  readonly name: string;
  /** Lengths of the dimensions; the last is a row. */
  readonly shape: readonly number[];
  /** How the places along each dimension belong together. */
  readonly orders: readonly Order[];
  /** Index of its first weight. */
  readonly offset: number;
  readonly size: number;
  /** What an ablation leaves out with it; null for what no evaluation can do without. */
  readonly family: Family | null;
  /** What its counts go into. */
  readonly act: Act;
  /** How its rows are centred, where material could as well stand in the table. */
  readonly gauge: Gauge | null;
}

/**
 * Places of a dimension: kinds that have nothing to do with each other; steps of a count or distance, neighbours being alike, and of
 * danger, from one on, which is never less than none and never falls; files, mirrored as well; or the squares of a board.
 */
export type Order = 'kinds' | 'steps' | 'danger' | 'files' | 'squares';

/** A dimension whose places are not mere kinds. */
interface Axis {
  length: number;
  order: Order;
}

const steps = (length: number): Axis => ({ length, order: 'steps' });
const danger = (length: number): Axis => ({ length, order: 'danger' });
const FILES: Axis = { length: 8, order: 'files' };
const RANKS = steps(8);
const SQUARES: Axis = { length: 64, order: 'squares' };

/** Exactly one cell of a row counts for each piece of a kind, so the row's mean can move into that piece's material. */
interface Gauge {
  /** Weight index that takes the mean of row `r` is `onto + r`; rows from `rows` on belong to the king, whose mean cancels. */
  onto: number;
  rows: number;
  /** Cells of a row that can never count and stay zero. */
  isUnused: (row: number, column: number) => boolean;
}

/** Counts times weights add up to centipawns, to the danger of a king (danger.ts), or to the endgame's factor (factor.ts). */
export type Act = 'sum' | 'danger' | 'factor';

/** Terms that look at one side of the game, and lose their meaning without each other. */
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

/** Declares a term by its dimensions, a number standing for so many kinds; returns its first weight. */
function term(
  name: string,
  family: Family | null,
  axes: readonly (number | Axis)[],
  gauge: Gauge | null = null,
): number {
  const shape = axes.map((axis) => (typeof axis === 'number' ? axis : axis.length));
  const orders = axes.map((axis) => (typeof axis === 'number' ? 'kinds' : axis.order));
  const size = shape.reduce((product, length) => product * length, 1);
  const offset = next;
  const act = family === null ? 'sum' : FAMILIES[family];
  declared.push({ name, family, act, shape, orders, offset, size, gauge });
  next += size;
  return offset;
}

// Of a table of one row, of which one cell counts for each piece of the type
function gaugeOnto(type: number): Gauge {
  return { onto: MATERIAL + type, rows: 1, isUnused: () => false };
}

/** Pawn to queen. */
export const MATERIAL = term('material', null, [5]);

/** Piece type by square, a1 first, from the piece's own side; a pawn never stands on the first or last rank. */
export const PSQT = term('psqt', null, [6, SQUARES], {
  onto: MATERIAL,
  rows: 5,
  isUnused: (row, square) => row === 0 && (square < 8 || square >= 56),
});

/** The right to move. */
export const TEMPO = term('tempo', 'tempo', [1]);

/** Safe squares that a piece attacks, see findArea in attack-map.ts; what all its cells share is the piece's material. */
export const KNIGHT_MOBILITY = term('knightMobility', 'mobility', [steps(9)], gaugeOnto(1));
export const BISHOP_MOBILITY = term('bishopMobility', 'mobility', [steps(14)], gaugeOnto(2));
export const ROOK_MOBILITY = term('rookMobility', 'mobility', [steps(15)], gaugeOnto(3));
export const QUEEN_MOBILITY = term('queenMobility', 'mobility', [steps(28)], gaugeOnto(4));

/** Squares that a side's rooks together attack, and its queens, where no lesser enemy piece attacks them. */
export const ROOK_FREEDOM = term('rookFreedom', 'mobility', [steps(28)]);
export const QUEEN_FREEDOM = term('queenFreedom', 'mobility', [steps(28)]);

/** Bishops on both colours of squares. */
export const BISHOP_PAIR = term('bishopPair', 'posts of pieces', [1]);
/** Each knight and each rook by the number of own pawns. */
export const KNIGHT_PAWNS = term('knightPawns', 'posts of pieces', [steps(9)], gaugeOnto(1));
export const ROOK_PAWNS = term('rookPawns', 'posts of pieces', [steps(9)], gaugeOnto(3));

/** Pawns without neighbours by file: behind an enemy pawn on their file, or not. */
export const PAWN_ISOLATED = term('pawnIsolated', 'pawn structure', [2, FILES]);
/** Pawns behind a fellow on their file, by file: bound to stay there, or free to leave it by a capture. */
export const PAWN_STACKED = term('pawnStacked', 'pawn structure', [2, FILES]);
/** Pawns right behind a fellow. */
export const PAWN_DOUBLED = term('pawnDoubled', 'pawn structure', [1]);
/** Pawns left behind by their neighbours whose next square a pawn attacks, by rank: opposed, or not. */
export const PAWN_BACKWARD = term('pawnBackward', 'pawn structure', [2, RANKS]);
/** Pawns beside a fellow, by rank. */
export const PAWN_PHALANX = term('pawnPhalanx', 'pawn structure', [RANKS]);
/** Pawns by rank, for each pawn that defends them. */
export const PAWN_SUPPORTED = term('pawnSupported', 'pawn structure', [RANKS]);
/** Pawns that can become passed, by rank: attacked more often than defended, or not. */
export const PAWN_CANDIDATE = term('pawnCandidate', 'pawn structure', [2, RANKS]);

/** Passed pawns by rank: next square free or occupied, not attacked or attacked. */
export const PASSED_PAWN = term('passedPawn', 'passed pawns', [2, 2, RANKS]);
/** What they are worth more to the side to move, by rank. */
export const PASSED_TO_MOVE = term('passedToMove', 'passed pawns', [RANKS]);
/** Passed pawns by file, and by rank those that stand beside a fellow or are defended by one. */
export const PASSED_FILE = term('passedFile', 'passed pawns', [FILES]);
export const PASSED_CONNECTED = term('passedConnected', 'passed pawns', [RANKS]);
/** Passed pawns with an enemy piece right before them, knight to king. */
export const PASSED_BLOCKER = term('passedBlocker', 'passed pawns', [5]);
/** Passed pawns by rank whose next square is defended. */
export const PASSED_SUPPORT = term('passedSupport', 'passed pawns', [RANKS]);
/** Passed pawns by rank whose whole way is empty and not attacked. */
export const PASSED_PATH = term('passedPath', 'passed pawns', [RANKS]);
/** Passed pawns with a rook behind them: their own, the enemy's. */
export const PASSED_ROOK = term('passedRook', 'passed pawns', [2]);
/** Distance of the own and of the enemy king from the square before a passed pawn, up to the fourth rank, on the fifth, beyond. */
export const PASSED_OWN_KING = term('passedOwnKing', 'passed pawns', [3, steps(8)]);
export const PASSED_THEIR_KING = term('passedTheirKing', 'passed pawns', [3, steps(8)]);
/** Passed pawns that a bare king cannot catch. */
export const PASSED_UNSTOPPABLE = term('passedUnstoppable', 'passed pawns', [1]);

/** The nearest own pawn before the king by file and distance (7: none), on neighbouring files and on its own. */
export const KING_SHELTER = term('kingShelter', 'shelter and storm', [2, FILES, steps(8)]);
/** The nearest enemy pawn before the king by distance of its file from the edge and its own: free to go on, or blocked. */
export const KING_STORM = term('kingStorm', 'shelter and storm', [2, steps(4), steps(8)]);
/** The king's distance from the nearest pawn of either side. */
export const KING_PAWN_DISTANCE = term('kingPawnDistance', 'shelter and storm', [steps(8)]);
/** A king around which, on the files of its half of the board, no pawn of either side stands. */
export const PAWNLESS_FLANK = term('pawnlessFlank', 'shelter and storm', [1]);
/** Moves that a queen in the place of the own king would have. */
export const KING_LINES = term('kingLines', 'shelter and storm', [steps(28)]);

// From here to the pawns before the king: what adds up to the danger of an attacked king, whose curve is in danger.ts. A hundred is about
// as many centipawns in a strong attack, and an eighth of that in a weak one.

/** A king in danger: from a side without a queen, or with one. */
export const DANGER_QUEEN = term('dangerQueen', 'king attack', [2]);
/** A king in danger whose enemy is to move. */
export const DANGER_TO_MOVE = term('dangerToMove', 'king attack', [1]);
/** Pieces that attack the king's ring, knight to queen. */
export const DANGER_ATTACKERS = term('dangerAttackers', 'king attack', [4, danger(1)]);
/** Squares of the ring that each of them attacks, knight to queen. */
export const DANGER_RING = term('dangerRing', 'king attack', [4, danger(1)]);
/** Attacked squares of the ring that only king or queen defend. */
export const DANGER_WEAK = term('dangerWeak', 'king attack', [danger(1)]);
/** Safe squares to give check from, 1 to 3, knight to queen. */
export const DANGER_CHECKS = term('dangerChecks', 'king attack', [4, danger(3)]);
/** Kinds of pieces, knight to queen, that have safe ones, of the side to move. */
export const DANGER_CHECKS_TO_MOVE = term('dangerChecksToMove', 'king attack', [4]);
/** Kinds of pieces, knight to queen, that have none but unsafe squares to give check from. */
export const DANGER_UNSAFE_CHECKS = term('dangerUnsafeChecks', 'king attack', [4, danger(1)]);
/** Squares around the king in its half of the board that the enemy attacks: once or more, and twice or more. */
export const DANGER_FLANK = term('dangerFlank', 'king attack', [2, danger(1)]);
/** Squares there that the king's side attacks. */
export const DANGER_FLANK_HELD = term('dangerFlankHeld', 'king attack', [1]);
/** Pieces that stand alone between the king and an enemy slider: its own, or the enemy's. */
export const DANGER_PINS = term('dangerPins', 'king attack', [2, danger(1)]);
/** The nearest own pawn before the king by distance (7: none), on a neighbouring file and on its own. */
export const DANGER_SHELTER = term('dangerShelter', 'king attack', [2, steps(8)]);
/** The nearest enemy pawn before the king by distance: free to go on, or blocked. */
export const DANGER_STORM = term('dangerStorm', 'king attack', [2, steps(8)]);

/** Attacked enemy pieces, pawn to queen, by the type of the attacker, pawn to king: not defended, or defended. */
export const THREAT = term('threat', 'threats', [6, 2, 5]);
/** Attacked enemy pieces, pawn to queen, that are not defended, or attacked twice and held neither by a pawn nor twice. */
export const HANGING = term('hanging', 'threats', [5]);
/** Enemy pieces, knight to queen, that a safe step of a pawn would attack. */
export const PUSH_THREAT = term('pushThreat', 'threats', [4]);
/** What these three are worth more to the side to move. */
export const THREAT_TO_MOVE = term('threatToMove', 'threats', [6, 2, 5]);
export const HANGING_TO_MOVE = term('hangingToMove', 'threats', [5]);
export const PUSH_THREAT_TO_MOVE = term('pushThreatToMove', 'threats', [4]);
/** Enemy pieces attacked at once by pawns or lesser pieces, or not defended, 1 to 4: by the side that is not to move, or by the other. */
export const THREAT_COUNT = term('threatCount', 'threats', [2, steps(5)]);
/** Squares from which a knight, a bishop or a rook would attack the enemy's only queen, and be safe there. */
export const QUEEN_REACH = term('queenReach', 'threats', [3]);
/** Squares that both sides attack and the other side does not hold. */
export const RESTRICTION = term('restriction', 'threats', [1]);

/** Knights and bishops on the fourth to sixth rank where no pawn can drive them off: alone, or held by a pawn. */
export const OUTPOST = term('outpost', 'posts of pieces', [2, 2]);
/** Knights that can go to an outpost held by a pawn. */
export const KNIGHT_REACH = term('knightReach', 'posts of pieces', [1]);
/** Knights and bishops right behind a pawn of either side. */
export const MINOR_BEHIND_PAWN = term('minorBehindPawn', 'posts of pieces', [2]);
/** Knights and bishops by their distance from the own king. */
export const MINOR_KING_DISTANCE = term('minorKingDistance', 'posts of pieces', [2, steps(8)], {
  onto: MATERIAL + 1,
  rows: 2,
  isUnused: (_, distance) => distance === 0,
});
/** Bishops by the number of own pawns on squares of their colour. */
export const BISHOP_PAWNS = term('bishopPawns', 'posts of pieces', [steps(9)], gaugeOnto(2));
/** Bishops that see across the centre. */
export const BISHOP_DIAGONAL = term('bishopDiagonal', 'posts of pieces', [1]);
/** Bishops shut in at the edge by an enemy pawn. */
export const BISHOP_TRAPPED = term('bishopTrapped', 'posts of pieces', [1]);
/** Rooks on files without own pawns: half open, or open. */
export const ROOK_FILE = term('rookFile', 'posts of pieces', [2]);
/** Rooks on the seventh rank with pawns on it, or the king behind it. */
export const ROOK_SEVENTH = term('rookSeventh', 'posts of pieces', [1]);
/** Rooks shut in by their own king: it may not castle any more, or may. */
export const ROOK_TRAPPED = term('rookTrapped', 'posts of pieces', [2]);

/** Squares of the files c to f on the second to fourth rank that no enemy pawn attacks: all of them, those behind own pawns. */
export const SPACE = term('space', 'space', [2]);

// From here on: what the endgame value is scaled by, in 128ths of it, as the side sees it that the value favours; no middlegame values.

/** Pawns of the side. */
export const SCALE_PAWNS = term('scalePawns', 'endgame scale', [steps(9)]);
/** Pieces that either side has: 1 minor pieces, 2 rooks, 4 queens. */
export const SCALE_PIECES = term('scalePieces', 'endgame scale', [8]);
/** Bishops of opposite colours, one each: with nothing else, up to a minor piece each, up to a rook each, or more. */
export const SCALE_BISHOPS = term('scaleBishops', 'endgame scale', [steps(4)]);
/** Ways to win: pawns on both wings, a passed pawn of the side, three pawns more. */
export const SCALE_WAYS = term('scaleWays', 'endgame scale', [3]);

export const TERMS: readonly Term[] = declared;
/** Number of weights of the evaluation; each has a middlegame and an endgame value. */
export const TERM_COUNT = next;

/**
 * Moves the means of centred tables into the material they belong to: no evaluation changes, and material gets its plain meaning.
 * With `whole` they are rounded first, so that whole numbers stay whole.
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
