// termLabel(), rowName() and columnNames(): names of weights as a chess player reads them, `isolated pawn, opposed, d file` rather than
// `pawnIsolated[0][3]`; rowLabel(): rows as options name them; signed(): numbers with their sign.

import { TERMS, type Term } from '../../engine/eval/terms.js';

export const PIECES: readonly string[] = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];

const MINORS = PIECES.slice(1, 3);
const FILES = [...'abcdefgh'].map((file) => `${file} file`);
const RANKS = Array.from({ length: 8 }, (_, i) => `rank ${i + 1}`);
const SQUARES = Array.from({ length: 64 }, (_, square) => 'abcdefgh'[square & 7] + String((square >> 3) + 1));
const QUEENS = ['without queen', 'with queen'];
const LEFT = ['none', 'minor', 'rook', 'minor, rook', 'queen', 'minor, queen', 'rook, queen', 'minor, rook, queen'];
const FAR = ['up to rank 4', 'on rank 5', 'beyond rank 5'];
const upTo = (end: number, unit: string): string[] => Array.from({ length: end }, (_, i) => `${i} ${unit}`);

/** What a term and the places along its dimensions are called; a term that is not here has its own name and numbers. */
const NAMES: Readonly<Record<string, readonly [name: string, ...places: (readonly string[])[]]>> = {
  material: ['material', PIECES],
  psqt: ['', PIECES, SQUARES],
  tempo: ['right to move'],
  knightMobility: ['knight mobility', upTo(9, 'squares')],
  bishopMobility: ['bishop mobility', upTo(14, 'squares')],
  rookMobility: ['rook mobility', upTo(15, 'squares')],
  queenMobility: ['queen mobility', upTo(28, 'squares')],
  rookFreedom: ['squares where rooks are safe from lesser pieces', upTo(28, 'squares')],
  queenFreedom: ['squares where queens are safe from lesser pieces', upTo(28, 'squares')],
  bishopPair: ['bishop pair'],
  knightPawns: ['knight and own pawns', upTo(9, 'pawns')],
  rookPawns: ['rook and own pawns', upTo(9, 'pawns')],
  pawnIsolated: ['isolated pawn', ['opposed', 'unopposed'], FILES],
  pawnStacked: ['stacked pawn', ['bound to its file', 'free to leave it'], FILES],
  pawnDoubled: ['doubled pawn'],
  pawnBackward: ['backward pawn', ['opposed', 'unopposed'], RANKS],
  pawnPhalanx: ['pawn beside a fellow', RANKS],
  pawnSupported: ['defended pawn', RANKS],
  pawnCandidate: ['candidate passed pawn', ['outnumbered', 'held'], RANKS],
  passedPawn: ['passed pawn', ['way free', 'way blocked'], ['not attacked ahead', 'attacked ahead'], RANKS],
  passedFile: ['passed pawn', FILES],
  passedConnected: ['passed pawn beside or defended by a fellow', RANKS],
  passedToMove: ['passed pawn, right to move', RANKS],
  passedBlocker: ['passed pawn blocked by', PIECES.slice(1)],
  passedSupport: ['passed pawn, way defended', RANKS],
  passedPath: ['passed pawn, whole way safe', RANKS],
  passedRook: ['rook behind a passed pawn', ['own', 'enemy']],
  passedOwnKing: ['own king from a passed pawn', FAR, upTo(8, 'squares')],
  passedTheirKing: ['enemy king from a passed pawn', FAR, upTo(8, 'squares')],
  passedUnstoppable: ['unstoppable passed pawn'],
  kingShelter: ['king shelter', ['neighbouring file', "king's file"], FILES, upTo(8, 'ranks away')],
  kingStorm: ['pawn storm', ['free', 'blocked'], upTo(4, 'files from the edge'), upTo(8, 'ranks away')],
  kingPawnDistance: ['king from the nearest pawn', upTo(8, 'squares')],
  pawnlessFlank: ['king without pawns on its side of the board'],
  kingLines: ['open lines to the king', upTo(28, 'squares')],
  dangerQueen: ['danger of an attacked king', QUEENS],
  dangerToMove: ['danger, right to move'],
  dangerAttackers: ["danger, attackers of the king's ring", PIECES.slice(1, 5)],
  dangerRing: ["danger, attacked squares of the king's ring", PIECES.slice(1, 5)],
  dangerWeak: ["danger, weak squares of the king's ring"],
  dangerChecks: ['danger, safe checks', PIECES.slice(1, 5), ['1', '2', '3']],
  dangerChecksToMove: ['danger, safe checks, right to move', PIECES.slice(1, 5)],
  dangerUnsafeChecks: ['danger, unsafe checks only', PIECES.slice(1, 5)],
  dangerFlank: ['danger, squares around the king', ['attacked', 'attacked twice']],
  dangerFlankHeld: ['danger, squares around the king that are held'],
  dangerPins: ['danger, alone before the king', ['own piece', 'enemy piece']],
  dangerShelter: ['danger, own pawn before the king', ['neighbouring file', "king's file"], upTo(8, 'ranks away')],
  dangerStorm: ['danger, pawn storm', ['free', 'blocked'], upTo(8, 'ranks away')],
  threat: ['attack', PIECES.map((piece) => `by ${piece}`), ['on undefended', 'on defended'], PIECES.slice(0, 5)],
  hanging: ['hanging', PIECES.slice(0, 5)],
  pushThreat: ['pawn push that attacks', PIECES.slice(1, 5)],
  threatToMove: [
    'attack, right to move',
    PIECES.map((piece) => `by ${piece}`),
    ['on undefended', 'on defended'],
    PIECES.slice(0, 5),
  ],
  hangingToMove: ['hanging, right to move', PIECES.slice(0, 5)],
  pushThreatToMove: ['pawn push that attacks, right to move', PIECES.slice(1, 5)],
  threatCount: ['pieces attacked at once', ['the other side to move', 'right to move'], ['none', '1', '2', '3', '4']],
  queenReach: ['squares to attack the queen from', PIECES.slice(1, 4)],
  restriction: ['contested squares held'],
  outpost: ['outpost', MINORS, ['alone', 'held by a pawn']],
  knightReach: ['knight within reach of an outpost'],
  minorBehindPawn: ['behind a pawn', MINORS],
  minorKingDistance: ['distance from the own king', MINORS, upTo(8, 'squares')],
  bishopPawns: ['bishop and own pawns on its colour', upTo(9, 'pawns')],
  bishopDiagonal: ['bishop across the centre'],
  bishopTrapped: ['trapped bishop'],
  rookFile: ['rook', ['on a half-open file', 'on an open file']],
  rookSeventh: ['rook on the seventh rank'],
  rookTrapped: ['rook shut in by its king', ['no castling', 'castling allowed']],
  space: ['space', ['all squares', 'behind own pawns']],
  scalePawns: ['128ths of an endgame lead, own pawns', upTo(9, 'pawns')],
  scalePieces: ['128ths of an endgame lead, pieces left', LEFT],
  scaleBishops: [
    '128ths of an endgame lead, opposite bishops',
    ['alone', 'and a minor piece', 'and a rook', 'and more'],
  ],
  scaleWays: ['128ths of an endgame lead', ['pawns on both wings', 'own passed pawn', 'three pawns more']],
};

/** Returns the name of a weight by its index. */
export function termLabel(index: number): string {
  const term = TERMS.find(({ offset, size }) => index >= offset && index < offset + size);
  if (term === undefined) return `term ${index}`;
  const width = widthOf(term);
  const at = index - term.offset;
  if (term.name === 'psqt') return `${rowName(term, Math.floor(at / width))} ${SQUARES[at % width]}`;
  if (term.name === 'material') return `material ${PIECES[at]}`;
  return nameOf(term, term.shape, at);
}

/** Returns the name of a row of a term's table, without the place in the row. */
export const rowName = (term: Term, row: number): string => nameOf(term, term.shape.slice(0, -1), row);

/** Returns the names of the places in a term's rows; numbers where all of them are counts. */
export function columnNames({ name, shape }: Term): string[] {
  return Array.from({ length: shape[shape.length - 1] }, (_, i) => {
    const place = NAMES[name]?.[shape.length]?.[i] ?? String(i);
    return place.replace(/^rank (\d)$|^(\w) file$|^(\d+) .*$/, '$1$2$3');
  });
}

function nameOf({ name }: Term, shape: readonly number[], at: number): string {
  const [title, ...places] = NAMES[name] ?? [name];
  const words: string[] = [];
  let rest = at;
  for (let dimension = shape.length - 1; dimension >= 0; dimension--) {
    const place = rest % shape[dimension];
    rest = Math.floor(rest / shape[dimension]);
    if (shape[dimension] > 1) words.unshift(places[dimension]?.[place] ?? String(place));
  }
  return [title, ...words].filter((word) => word !== '').join(', ');
}

/** Returns how many values a row of the term's table has. */
export const widthOf = ({ shape }: Term): number => shape[shape.length - 1];

/** Returns the name of a table's row as options take it, a piece where there is one for each. */
export const rowLabel = (name: string, row: number): string =>
  name === 'psqt' || name === 'material' ? (PIECES[row] ?? String(row)) : String(row);

/** Returns a number with its sign. */
export const signed = (value: number, digits = 0): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
