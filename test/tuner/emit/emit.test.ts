import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Pair } from '../../../engine/eval/weight-set.js';
import { checkEmit, emitValues, patched } from '../../../tuner/emit/emit.js';
import { renderTerm, renderValues, type Style } from '../../../tuner/emit/languages.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { readHeader } from '../../../tuner/rows/header.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-emit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const squares = Array.from({ length: 128 }, (_, i): Pair => [i - 60, 60 - i]);
const TERMS = [
  { name: 'tempo', weights: 12 },
  { name: 'bishopPair', weights: [[30, -50]] },
  {
    name: 'knightMobility',
    shape: [3],
    orders: ['steps'],
    weights: [
      [-20, -30],
      [0, 0],
      [10, 15],
    ],
  },
  { name: 'pst', shape: [2, 64], orders: ['kinds', 'squares'], weights: squares },
];
const { model, given } = readHeader(
  JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Test', terms: TERMS }),
  'x',
);
const weights = { provenance: { games: 5, files: [] }, terms: given };
const [, pair, mobility] = model.terms;
const term = (which: typeof pair, style: Style): string => renderTerm(which, given[which.name], style);

describe('emitted values', () => {
  test.each<[style: Style, pair: string, mobility: string]>([
    [
      { language: 'c' },
      'static const int bishopPair[2] = {30, -50};',
      'static const int knightMobility[3][2] = {{-20, -30}, {0, 0}, {10, 15}};',
    ],
    [
      { language: 'cpp', macro: 'S', type: 'Score' },
      'inline constexpr Score bishopPair = S(30, -50);',
      'inline constexpr Score knightMobility[3] = {S(-20, -30), S(0, 0), S(10, 15)};',
    ],
    [
      { language: 'rust' },
      'pub const BISHOP_PAIR: [i32; 2] = [30, -50];',
      'pub const KNIGHT_MOBILITY: [[i32; 2]; 3] = [[-20, -30], [0, 0], [10, 15]];',
    ],
    [
      { language: 'rust', macro: 'S' },
      'pub const BISHOP_PAIR: S = S(30, -50);',
      'pub const KNIGHT_MOBILITY: [S; 3] = [S(-20, -30), S(0, 0), S(10, 15)];',
    ],
    [
      { language: 'rust', macro: 'eval::S::new' },
      'pub const BISHOP_PAIR: eval::S = eval::S::new(30, -50);',
      'pub const KNIGHT_MOBILITY: [eval::S; 3] = [eval::S::new(-20, -30), eval::S::new(0, 0), eval::S::new(10, 15)];',
    ],
    [
      { language: 'ts' },
      'export const bishopPair = [30, -50];',
      'export const knightMobility = [[-20, -30], [0, 0], [10, 15]];',
    ],
  ])('values are emitted in the order and shape of the header: %o', (style, ofPair, ofMobility) => {
    expect([term(pair, style), term(mobility, style)]).toEqual([ofPair, ofMobility]);
  });

  test('boards are written with one rank per line', () => {
    const lines = term(model.terms[3], { language: 'c', macro: 'S' }).split('\n');
    expect(lines).toHaveLength(1 + 2 * 10 + 1);
    expect(lines[0]).toBe('static const int pst[2][64] = {');
    expect(lines[2]).toContain('S(-60, 60), S(-59, 59)');
  });

  test('emitted JSON and TypeScript have the same values', () => {
    const parsed = JSON.parse(renderValues(model, weights, { language: 'json' }));
    expect(parsed).toMatchObject({ tempo: 12, bishopPair: [30, -50], knightMobility: given['knightMobility'] });
    expect(parsed.pst.flat()).toEqual(squares);
    const file = join(folder, 'values.mjs');
    writeFileSync(file, renderValues(model, weights, { language: 'ts' }));
    const shown = execFileSync(process.execPath, [
      '-e',
      `import(${JSON.stringify(file)}).then((m) => console.log(JSON.stringify(m)))`,
    ]);
    expect(JSON.parse(shown.toString())).toEqual(parsed);
  });

  test('a type applies to every term, but only to pairs if there is a macro', () => {
    const plain = { ...pair, name: 'plain', isUntapered: true };
    const typed = (style: Style): string => renderTerm(plain, [[7, 7]], style);
    expect(typed({ language: 'c', type: 'int16_t' })).toBe('static const int16_t plain = 7;');
    expect(typed({ language: 'c', macro: 'S', type: 'Score' })).toBe('static const int plain = 7;');
  });

  test('fractional values are emitted with a floating-point type', () => {
    const real: [number, number][] = [
      [12.5, 3],
      [-1, 2],
      [0, 0],
    ];
    const typed = (style: Style): string => renderTerm(mobility, real, style);
    expect(typed({ language: 'c' })).toBe('static const double knightMobility[3][2] = {{12.5, 3}, {-1, 2}, {0, 0}};');
    expect(typed({ language: 'rust' })).toBe(
      'pub const KNIGHT_MOBILITY: [[f64; 2]; 3] = [[12.5, 3.0], [-1.0, 2.0], [0.0, 0.0]];',
    );
  });

  test("Heft's own values can be emitted", () => {
    const terms = Object.fromEntries(HEFT.terms.map(({ name, size }) => [name, Array(size).fill([1, 2])]));
    const text = renderValues(HEFT, { provenance: {}, terms }, { language: 'cpp' });
    expect(text.match(/inline constexpr/g)).toHaveLength(HEFT.terms.length);
  });
});

const SOURCE = `#include "score.h"

const Score mobility[3] = { // heft:values knightMobility
  S(1, 1), S(2, 2), S(3, 3)
}; // heft:end
    // heft:begin tempo bishopPair
    old text
    // heft:end
int main(void) { return 0; }
`;

describe('a patched source file', () => {
  const style: Style = { language: 'c', macro: 'S' };

  test('only the values between the markers change', () => {
    const text = patched(SOURCE, 'eval.c', model, weights, style);
    expect(text).toBe(`#include "score.h"

const Score mobility[3] = { // heft:values knightMobility
S(-20, -30), S(0, 0), S(10, 15)
}; // heft:end
    // heft:begin tempo bishopPair
    static const int tempo = 12;

    static const int bishopPair = S(30, -50);
    // heft:end
int main(void) { return 0; }
`);
    expect(patched(text, 'eval.c', model, weights, style)).toBe(text);
    expect(patched(SOURCE.replaceAll('\n', '\r\n'), 'x', model, weights, style)).toBe(text.replaceAll('\n', '\r\n'));
  });

  test('term names may be separated by commas', () => {
    const text = '// heft:begin tempo, bishopPair\n// heft:end\n';
    const named = patched(text.replace(',', ''), 'eval.c', model, weights, style);
    expect(patched(text, 'eval.c', model, weights, style)).toBe(named.replace('tempo', 'tempo,'));
  });

  test('a colon or quotes before the term names do not select all terms', () => {
    for (const marker of ['// heft:begin: tempo', '"heft:begin": "tempo",']) {
      const text = patched(`${marker}\n// heft:end\n`, 'eval.c', model, weights, style);
      expect(text).toContain('tempo = ');
      expect(text).not.toContain('bishopPair');
    }
  });

  test.each([
    ['"heft:begin": true,', ['tempo', 'bishopPair']],
    ['"heft:values tempo": 1,', ['12']],
    ['// heft:values tempo: the bonus for the move', ['12']],
  ])('text after the term names is no term: %s', (marker, values) => {
    const text = patched(`${marker}\n// heft:end\n`, 'eval.c', model, weights, style);
    for (const value of values) expect(text).toContain(value);
  });

  test('existing lines keep their line endings, and new lines use the ending of their marker', () => {
    const text = 'a\r\n// heft:values tempo\nold\r\n// heft:end\nb\r\nc';
    expect(patched(text, 'eval.c', model, weights, style)).toBe('a\r\n// heft:values tempo\n12\n// heft:end\nb\r\nc');
  });

  test('JSON has commas between the terms of a block', () => {
    const text = '{ // heft:begin tempo bishopPair\n// heft:end\n}';
    const json = patched(text, 'eval.json5', model, weights, { language: 'json' });
    expect(JSON.parse(json.replaceAll(/\/\/.*/g, ''))).toEqual({ tempo: 12, bishopPair: [30, -50] });
  });

  test.each(['\n', '\r\n'])('strict JSON with entries as markers stays valid: %j', (ending) => {
    const lines = ['{"a": 1, "_": "heft:begin bishopPair tempo",', '"tempo": 0,', '"__": "heft:end"}', ''];
    const json = patched(lines.join(ending), 'eval.json', model, weights, { language: 'json' });
    expect(JSON.parse(json)).toMatchObject({ a: 1, bishopPair: [30, -50], tempo: 12 });
    expect(patched(json, 'eval.json', model, weights, { language: 'json' })).toBe(json);
  });

  test.each([
    ['int x;\n', 'eval.c: no line has heft:begin'],
    ['// heft:begin\n', 'eval.c:1: the block that begins here has no heft:end'],
    ['\n// heft:end\n', 'eval.c:2: heft:end without'],
    ['// heft:begin\n// heft:begin\n', 'eval.c:2: a marker within the block that begins on line 1'],
    ['// heft:begin nosuch\n', 'eval.c:1: no such term: nosuch'],
    ['// heft:values pst[1]\n', 'eval.c:1: no such term: pst[1]'],
    ['// heft:values\n// heft:end\n', 'eval.c:1: heft:values takes the name of one term'],
  ])('an invalid marker is reported: %j', (text, message) => {
    expect(() => patched(text, 'eval.c', model, weights, style)).toThrow(message);
  });

  test('options are checked before a fit, and the files are written after it', () => {
    const patch = join(folder, 'eval.c');
    writeFileSync(patch, SOURCE);
    expect(() => checkEmit({ macro: 'S' }, model, weights)).toThrow('require --emit');
    expect(() => checkEmit({ emit: 'json', macro: 'S' }, model, weights)).toThrow('--macro S: JSON has no macros');
    expect(() => checkEmit({ emit: 'json', type: 'Score' }, model, weights)).toThrow('--type Score: JSON has no types');
    expect(() => checkEmit({ emit: 'c', macro: 'a b' }, model, weights)).toThrow('not an identifier');
    expect(() => checkEmit({ emit: 'c', patch: join(folder, 'none.c') }, model, weights)).toThrow('no such file');
    expect(() => checkEmit({ emit: 'c', patch: folder }, model, weights)).toThrow(
      /^--patch: cannot read .*illegal operation on a directory/,
    );
    checkEmit({ emit: 'c', macro: 'S', patch }, model, weights);
    expect(readFileSync(patch, 'utf8')).toBe(SOURCE);
    expect(emitValues({ emit: 'c', macro: 'S', patch }, model, weights, folder)).toEqual([
      join(folder, 'weights.h'),
      patch,
    ]);
    expect(readFileSync(patch, 'utf8')).toContain('S(-20, -30)');
  });

  test('patching a source file in an 8-bit encoding preserves all other bytes', () => {
    const patch = join(folder, 'latin1.c');
    const text = '// J\u00fcrgen\n// heft:values tempo\n// heft:end\n';
    writeFileSync(patch, text, 'latin1');
    emitValues({ emit: 'c', patch }, model, weights, folder);
    expect(readFileSync(patch, 'latin1')).toBe(text.replace('tempo\n', 'tempo\n12\n'));
    writeFileSync(patch, text);
    emitValues({ emit: 'c', patch }, model, weights, folder);
    expect(readFileSync(patch, 'utf8')).toBe(text.replace('tempo\n', 'tempo\n12\n'));
  });
});
