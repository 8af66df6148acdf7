// The sum of an explanation equals the score that the search reported, in every position.

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { state } from '../../../engine/board/position.js';
import { evaluate, newGame, type SearchInfo, search } from '../../../engine/engine.js';
import { compareMoves, differences } from '../../../engine/explain/compared.js';
import type { Explanation } from '../../../engine/explain/explanation.js';
import { explainLine, formatExplanation } from '../../../engine/explain/line.js';
import { movesOf } from '../search/harness.js';

const ROWS = readFileSync('test/data/explained.tsv', 'utf8').trim().split('\n').slice(1);
const POSITIONS = ROWS.map((row) => row.split('\t') as [string, string]);
const NODES = 8000;

function explained(fen: string, nodes = NODES): { explanation: Explanation; info: SearchInfo; before: string } {
  parseFen(fen);
  const before = formatFen();
  let info: SearchInfo | undefined;
  search({ nodes }, (line) => {
    info = line;
  });
  if (info === undefined) throw new Error(`no line of ${fen}`);
  return { explanation: explainLine(info.pv, info.score), info, before };
}
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

beforeEach(() => newGame());

describe('an explanation', () => {
  test('the test data has at least 60 positions of all kinds', () => {
    expect(POSITIONS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(POSITIONS.map(([kind]) => kind))).toEqual(new Set(['mate', 'tactics', 'ending', 'quiet']));
  });

  test.each(POSITIONS)('an explanation (%s) adds up to the score: %s', (_, fen) => {
    const { explanation, info, before } = explained(fen);
    const { score, reasons, evaluation, search: added, leaf, end, line } = explanation;
    expect(formatFen()).toBe(before);
    expect(line).toHaveLength(info.pv.length);
    expect(explanation.sentences.length).toBeGreaterThan(0);
    if ('mate' in score) {
      expect(reasons).toEqual([]);
      expect(end === 'checkmate').toBe(line.length === 2 * Math.abs(score.mate) - (score.mate > 0 ? 1 : 0));
      return;
    }
    expect(score.cp).toBe(info.score);
    expect(evaluation + added).toBe(score.cp);
    expect(sumOf(reasons.map(({ cp }) => cp))).toBe(evaluation);
    for (const { own, other, cp } of reasons) expect(own - other).toBe(cp);
    if (end !== null) return expect([evaluation, reasons]).toEqual([0, []]);
    // Independent check: the evaluation of the last position, from the point of view of the player who moved first
    const us = state.stm;
    parseFen(leaf);
    expect(state.stm === us ? evaluate() : -evaluate()).toBe(evaluation);
  });
});

describe('the sentences', () => {
  const wordsOf = (fen: string, nodes?: number): string => explained(fen, nodes).explanation.sentences.join(' ');

  test.each([
    ['6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', /^Ra8# is mate\.$/],
    ['kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1', /^Ra6 mates in 2 moves, whatever Black plays\. The line continues .*#\.$/],
    ['8/8/8/8/8/5k2/5p2/5K2 w - - 0 1', /^There is no move to explain\.$/],
    ['8/8/8/4k3/8/4K3/4R3/8 w - - 0 1', /This endgame is a known win for White\./],
    ['4k3/pppp4/8/8/8/8/PPPPN3/4K3 w - - 0 1', /White is a knight up \(\+/],
    ['4k3/ppp5/8/8/8/8/PPP2R2/4K3 b - - 0 1', /White is a rook up \(−/],
    ['4k3/5ppp/2b5/8/8/8/5PPP/R3K3 w - - 0 1', /White is the exchange up/],
    ['4k3/p7/8/3P4/8/8/P7/4K3 w - - 0 1', /White has a passed pawn on d[5-8]/],
  ])('the sentences for %s match', (fen, words) => {
    expect(wordsOf(fen)).toMatch(words);
  });

  /** Returns the text of an idea's reason in a position that is not searched. */
  const reasonIn = (fen: string, idea: string): string => {
    parseFen(fen);
    return explainLine([], 0).reasons.find((reason) => reason.idea === idea)?.text ?? 'nothing';
  };

  test.each([
    // Pieces against pieces
    ['4k3/pppp4/2n2n2/8/8/8/PPPP4/2B1KB2 w - - 0 1', 'material', 'White has two bishops for two knights'],
    ['r3k3/pppp4/2n2n2/8/8/8/PPPP4/R1B1KB2 w - - 0 1', 'material', 'White has two bishops for two knights'],
    ['r3k3/pppp4/2n2b2/8/8/8/PPPP4/R1B1KB2 w - - 0 1', 'material', 'White has the bishop pair'],
    ['r3k3/ppp5/2n2b2/8/8/8/PPPP4/R1B1KB2 w - - 0 1', 'material', 'White has the bishop pair and is a pawn up'],
    ['4k3/ppp5/2b2b2/8/8/8/PPPPPP2/3NKB2 w - - 0 1', 'material', 'three pawns up, but Black has the bishop pair'],
    ['4k3/8/1p6/8/8/8/1P3BB1/4K3 w - - 0 1', 'material', 'White is two bishops up'],
    // Where pieces stand
    [
      'r4rk1/ppq2ppp/2p5/4p3/3PP3/4P2P/PPQ3P1/3R1RK1 w - - 4 16',
      'placement',
      "has a half-open file, while Black's rook is still on a8",
    ],
    ['rnb2rk1/pp3ppp/2p5/4p3/4P3/2NPB3/PPP2PPP/R4RK1 w - - 0 1', 'placement', 'knight and rook are still on b8 and a8'],
    [
      'r4rk1/pp3ppp/2p5/4p3/3PP3/4P2P/PP4P1/3R1RK1 w - - 4 16',
      'placement',
      "Black's rooks are badly placed on a8 and f8",
    ],
    ['4k3/R4ppp/8/8/8/8/5PPP/4K3 w - - 0 1', 'placement', "White's rook on a7 is on the seventh rank"],
    ['4k3/5ppp/8/8/8/8/r4PPP/4K3 w - - 0 1', 'placement', "Black's rook on a2 is on the second rank"],
    // Pawns
    ['4k3/2p2p1p/3p2p1/1PP5/4PP2/8/6PP/4K3 w - - 0 1', 'pawns', "'s pawns are better"],
    ['4k3/1p3ppp/p2p4/P7/1PP5/8/5PPP/4K3 w - - 0 1', 'pawns', 'a backward pawn on b7'],
    // Kings
    ['8/8/8/pk6/8/8/P7/6K1 w - - 0 1', 'kingSafety', "Black's king on b5 is nearer to the pawns than White's on g1"],
    [
      'rnbq1rk1/pppp1ppp/5n2/2b1p3/4P3/3P1N2/PPPBKPPP/RN1Q1B1R w - - 0 1',
      'kingSafety',
      "White's king on e2 is less sheltered than Black's on g8",
    ],
    // Attacks
    ['4k3/pp3ppp/2n5/8/3P4/8/PP3PPP/4K3 w - - 0 1', 'threats', 'Black attacks the undefended pawn on d4'],
    ['4k3/pp3ppp/8/2n5/3P4/8/PP3PPP/4K3 b - - 0 1', 'threats', 'White attacks the undefended knight on c5 with a pawn'],
    [
      '4k3/5ppp/8/2b5/1P1n4/4B3/5PPP/4K3 b - - 0 1',
      'threats',
      'White attacks the undefended bishop on c5 with a pawn, and the knight on d4',
    ],
    ['4k3/5ppp/8/p1p5/8/1N6/5PPP/4K3 b - - 0 1', 'threats', 'White attacks the undefended pawns on'],
    // An ending that is hard to win
    [
      '8/5k2/3b4/p7/P1P5/3B4/5K2/8 w - - 0 1',
      'winnable',
      "bishops of opposite colours make White's lead hard to convert",
    ],
  ])('the reason in %s for %s contains: %s', (fen, idea, words) => {
    expect(reasonIn(fen, idea)).toContain(words);
  });

  test.each([
    ['rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2', /^Qh4# is mate\.$/],
    ['r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 3 3', /^Qxf7# is mate\.$/],
    ['6k1/5ppp/8/8/8/8/5PPP/q5K1 w - - 0 1', /^There is no move to explain\.$/],
    ['4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1', /^After K\S+ White mates in at most \d moves\. The line continues /],
    ['4k3/pppp4/8/8/8/8/PPPPN3/4K3 w - - 0 1', /^After \S+ White is winning \(\+\d\.\d\d\)\. The line continues /],
    ['4k3/pppp4/8/8/8/8/PPPPN3/4K3 b - - 0 1', /^After \S+ Black is losing \(−\d\.\d\d\)\. The line continues /],
  ])('the first sentences for %s state where the line leads', (fen, words) => {
    expect(wordsOf(fen)).toMatch(words);
  });

  test('the last sentence states a gain or a draw that the search finds', () => {
    parseFen('8/8/4k3/3p1p2/3P1P2/4K3/8/8 b - - 0 1');
    const last = (score: number): string => explainLine(movesOf('e6d6'), score).sentences.at(-1) as string;
    const { evaluation } = explainLine(movesOf('e6d6'), 0);
    expect(last(evaluation + 30)).toBe('Beyond this line, the search expects a gain (+0.30).');
    parseFen('4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1');
    const [draw] = explainLine(movesOf('e2e4'), 0).sentences.slice(-1);
    expect(draw).toMatch(/^The search finds a draw all the same \(−\d\.\d\d\)\.$/);
  });

  test('a lone rook is described neither as several pieces nor as an attack on the king', () => {
    expect(reasonIn('8/8/2k5/8/4K3/8/8/R7 w - - 0 1', 'kingAttack')).not.toContain('attacks the king');
    expect(reasonIn('8/8/2k5/8/4K3/8/8/R7 w - - 0 1', 'activity')).toBe("White's rook is mobile");
  });

  test('the sentences mention a known draw', () => {
    expect(wordsOf('8/8/8/7k/8/8/7P/7K b - - 0 1', 50)).toContain('This endgame is known to be a draw.');
  });

  test('a reason lists the square that its text mentions', () => {
    const { explanation } = explained('4k3/p7/8/3P4/8/8/P7/4K3 w - - 0 1', 500);
    const passed = explanation.reasons.find(({ idea }) => idea === 'passedPawns');
    expect(passed?.squares).toHaveLength(1);
    expect(passed?.text).toContain(passed?.squares[0]);
  });

  test('compareMoves states the largest difference between two moves', () => {
    const fen = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
    const first = explained(fen).explanation;
    const other = { ...first, san: ['a4'], score: { cp: first.search - 40 }, search: first.search };
    const weaker = {
      ...other,
      reasons: first.reasons.map((reason) => ({
        ...reason,
        cp: reason.idea === 'activity' ? reason.cp - 60 : reason.cp,
      })),
    };
    expect(differences(first, weaker)).toEqual([{ idea: 'activity', title: 'Mobility', cp: 60 }]);
    expect(compareMoves(first, weaker)[1]).toBe(`In favour of ${first.san[0]}: mobility (0.60).`);
  });

  test('formatExplanation ends with the sum as a table', () => {
    const { explanation, info } = explained('4k3/p7/8/3P4/8/8/P7/4K3 w - - 0 1', 500);
    const lines = formatExplanation(explanation);
    expect(lines.at(-1)).toMatch(new RegExp(`^Score +${info.score}$`));
    expect(lines.at(-2)).toMatch(/^Search +-?\d+$/);
  });
});
