import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { endgameValue } from '../../../engine/eval/endgame/endgame.js';
import { evaluate } from '../../../engine/eval/evaluate.js';
import { flipColors } from './positions.js';

const knownValue = (fen: string, white: number): number => {
  parseFen(fen);
  return endgameValue(white) + 0;
};

test('KPK values agree with tablebases for both colours', () => {
  const file = fileURLToPath(new URL('../../data/kpk.tsv', import.meta.url));
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  expect(rows.length).toBeGreaterThan(500);
  for (const row of rows) {
    const [fen, wdl] = row.split('\t');
    const value = knownValue(fen, 120);
    expect(Math.sign(value), fen).toBe(Math.sign(Number(wdl)));
    expect(knownValue(flipColors(fen), -120) + value, fen).toBe(0);
  }
});

describe('against a bare king', () => {
  test.each([
    ['another bare king', '4k3/8/8/8/8/8/8/4K3 w - - 0 1'],
    ['two knights', '4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1'],
    ['two bishops on the same colour', '4k3/8/8/8/3B4/8/8/2B1K3 w - - 0 1'],
    ['the wrong bishop', 'k7/8/8/P7/8/8/3B4/4K3 w - - 0 1'],
    ['the wrong bishop and two pawns', '7k/8/8/7P/7P/8/2B5/4K3 w - - 0 1'],
    ['doubled rook pawns', '1k6/8/8/P7/P7/8/8/4K3 w - - 0 1'],
  ])('against a bare king, %s cannot win', (_, fen) => {
    expect(knownValue(fen, 500)).toBe(0);
    expect(knownValue(flipColors(fen), -500)).toBe(0);
  });

  test.each([
    ['the right bishop', 'k7/8/8/P7/8/8/2B5/4K3 w - - 0 1'],
    ['the wrong bishop with the king far from the corner', '4k3/8/8/P7/8/8/3B4/4K3 w - - 0 1'],
    ['a pawn that is not a rook pawn', 'k7/8/8/PP6/8/8/3B4/4K3 w - - 0 1'],
    ['knight and pawn', 'k7/8/8/P7/8/8/2N5/4K3 w - - 0 1'],
  ])('against a bare king, endgameValue returns its argument unchanged: %s', (_, fen) => {
    expect(knownValue(fen, 500)).toBe(500);
  });

  test('against a bare king, stalemate is a draw and checkmate is not', () => {
    expect(knownValue('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', 500)).toBe(0);
    expect(knownValue('7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', 500)).toBeGreaterThan(1000);
  });

  test('against a bare king, the value rises as it nears the edge and as the kings approach each other', () => {
    const values = ['8/8/4k3/8/8/8/8/R3K3', '4k3/8/8/8/8/8/8/R3K3', '4k3/8/4K3/8/8/8/8/R7', 'k7/8/1K6/8/8/8/8/R7'].map(
      (board) => knownValue(`${board} b - - 0 1`, 500),
    );
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(new Set(values).size).toBe(4);
  });

  test("against a bare king, bishop and knight score higher with it in a corner of the bishop's colour", () => {
    const withBishop = (rank: string): number => knownValue(`k7/8/1K6/8/8/8/8/${rank} b - - 0 1`, 600);
    // a8 is light, c1 dark, b1 light
    expect(withBishop('2B1N3')).toBeLessThan(withBishop('1B2N3'));
  });

  // In the corner of the bishop's colour, bishop and knight have their largest value
  test.each([
    ['a pawn', 'k7/8/1K6/8/8/2P5/8/3B1N2', 'k7/8/1K6/8/8/8/8/3B1N2'],
    ['a rook', 'k7/8/1K6/8/8/8/8/R2B1N2', 'k7/8/1K6/8/8/8/8/3B1N2'],
    ['the other bishop', 'k7/8/1K6/8/8/8/8/2BB1N2', 'k7/8/1K6/8/8/8/8/3B1N2'],
    ['another knight', '3k4/8/1K6/8/8/8/8/1N1B1N2', 'k7/8/1K6/8/8/8/8/3B1N2'],
    ['another bishop of its colour', '3k4/8/1K6/8/8/8/8/1B1B1N2', 'k7/8/1K6/8/8/8/8/3B1N2'],
    ['a pawn beside a rook', 'k7/8/1K6/8/8/2P5/8/3R4', 'k7/8/1K6/8/8/8/8/3R4'],
    ['a pawn beside a queen', 'k7/8/1K6/8/8/2P5/8/3Q4', 'k7/8/1K6/8/8/8/8/3Q4'],
    ['a queen instead of a pawn', 'k7/8/1K4Q1/8/8/8/8/3B1N2', 'k7/6P1/1K6/8/8/8/8/3B1N2'],
    ['a queen instead of a knight', 'k7/8/1K4Q1/8/8/8/8/3B4', 'k5N1/8/1K6/8/8/8/8/3B4'],
  ])('against a bare king, %s raises the value', (_, more, less) => {
    expect(knownValue(`${more} b - - 0 1`, 700)).toBeGreaterThan(knownValue(`${less} b - - 0 1`, 700));
  });
});

test.each([
  ['a knight against a pawn', '4k3/8/8/8/4p3/8/8/4K1N1 w - - 0 1', 200, 0],
  ['a pawn against a knight', '4k3/8/8/8/4p3/8/8/4K1N1 w - - 0 1', -20, -20],
  ['minor against minor', '4k1b1/8/8/8/8/8/8/4K1N1 w - - 0 1', 40, 0],
  ['rook against minor', '4k1b1/8/8/8/8/8/8/4K1R1 w - - 0 1', 200, 25],
  ['queen against rook', '4k1r1/8/8/8/8/8/8/4K2Q w - - 0 1', 400, 400],
  ['rook and bishop against rook and pawn', '4k1r1/8/8/8/4p3/8/8/4KB1R w - - 0 1', 200, 25],
  ['two knights against a pawn', '4k3/8/8/8/4p3/8/8/4KNN1 w - - 0 1', 400, 50],
  ['a rook against a pawn escorted by its king', '7R/8/8/K7/8/3k4/3p4/8 w - - 0 1', 400, 50],
  ['a rook that can cut off the king behind its pawn', 'K7/8/8/3k4/3p4/8/8/7R b - - 0 1', 400, 400],
  ['a rook against a pawn behind its king', 'K7/8/8/8/3p4/3k4/8/7R b - - 0 1', 400, 50],
  ['a rook whose king stands in front of the pawn', '7R/8/8/8/8/2kp4/8/3K4 w - - 0 1', 400, 400],
  ['a middlegame', 'r3k3/8/8/8/8/8/8/QQ2K2R w - - 0 1', 900, 900],
])('endgameValue depends on the remaining material: %s', (_, fen, white, known) => {
  expect(knownValue(fen, white)).toBe(known);
  expect(knownValue(flipColors(fen), -white)).toBe(0 - known);
});

test('evaluate returns the exact value of a known endgame', () => {
  parseFen('4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1');
  expect(evaluate()).toBe(0);
});
