// The sum of an explanation is the score that the search reported, whatever the position.

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { sideToMove } from '../../../engine/board/position.js';
import { evaluate, newGame, type SearchInfo, search } from '../../../engine/engine.js';
import { compare, differences } from '../../../engine/explain/compared.js';
import type { Explanation } from '../../../engine/explain/explanation.js';
import { explainLine, formatExplanation } from '../../../engine/explain/line.js';

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
  test('is asked for in 60 positions of all kinds', () => {
    expect(POSITIONS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(POSITIONS.map(([kind]) => kind))).toEqual(new Set(['mate', 'tactics', 'ending', 'quiet']));
  });

  test.each(POSITIONS)('of a position (%s) adds up to the score: %s', (_, fen) => {
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
    // Independently: the evaluation of the position at the end, from the side of the player who moved first
    const us = sideToMove();
    parseFen(leaf);
    expect(sideToMove() === us ? evaluate() : -evaluate()).toBe(evaluation);
  });
});

describe('its words', () => {
  const wordsOf = (fen: string, nodes?: number): string => explained(fen, nodes).explanation.sentences.join(' ');

  test.each([
    ['6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', /^Ra8# is mate\.$/],
    ['kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1', /^Ra6 mates in 2 moves, whatever Black plays\. The line goes on .*#\.$/],
    ['8/8/8/8/8/5k2/5p2/5K2 w - - 0 1', /^There is no move to explain\.$/],
    ['8/8/8/4k3/8/4K3/4R3/8 w - - 0 1', /White is known to win this endgame\./],
    ['4k3/pppp4/8/8/8/8/PPPPN3/4K3 w - - 0 1', /White is a knight up \(\+/],
    ['4k3/ppp5/8/8/8/8/PPP2R2/4K3 b - - 0 1', /White is a rook up \(−/],
    ['4k3/5ppp/2b5/8/8/8/5PPP/R3K3 w - - 0 1', /White is the exchange up/],
    ['4k3/p7/8/3P4/8/8/P7/4K3 w - - 0 1', /White has a passed pawn on d[5-8]/],
  ])('fit %s', (fen, words) => {
    expect(wordsOf(fen)).toMatch(words);
  });

  test('name a draw that is known', () => {
    expect(wordsOf('8/8/8/7k/8/8/7P/7K b - - 0 1', 50)).toContain('This endgame is known to be a draw.');
  });

  test('name the squares that they speak of', () => {
    const { explanation } = explained('4k3/p7/8/3P4/8/8/P7/4K3 w - - 0 1', 500);
    const passed = explanation.reasons.find(({ idea }) => idea === 'passedPawns');
    expect(passed?.squares).toHaveLength(1);
    expect(passed?.text).toContain(passed?.squares[0]);
  });

  test('tell two moves apart by what differs most', () => {
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
    expect(compare(first, weaker)[1]).toBe(`For ${first.san[0]}: mobility (0.60).`);
  });

  test('end with the sum as a table', () => {
    const { explanation, info } = explained('4k3/p7/8/3P4/8/8/P7/4K3 w - - 0 1', 500);
    const lines = formatExplanation(explanation);
    expect(lines.at(-1)).toMatch(new RegExp(`^Score +${info.score}$`));
    expect(lines.at(-2)).toMatch(/^The search adds +-?\d+$/);
  });
});
