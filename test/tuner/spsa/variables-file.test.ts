import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseVariable, variableLines } from '../../../tuner/spsa/variable.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-variables-'));
afterAll(() => rmSync(folder, { recursive: true }));

function linesOf(text: string): string[] {
  const file = join(folder, 'variables');
  writeFileSync(file, text);
  return variableLines(file);
}

test('a variables file contains names and OpenBench lines; comments and blank lines are skipped', () => {
  expect(linesOf('# all\r\nlmrBase\n\n  x, int, 1, 0, 9, 2, 0.002 # mine\n')).toEqual([
    'lmrBase',
    'x, int, 1, 0, 9, 2, 0.002',
  ]);
});

test('a weather-factory config.json is converted to variables', () => {
  const lines = linesOf(`{
    "TEST": { "value": 100, "min_value": 50, "max_value": 150, "step": 10 },
    "Slow Mover": { "value": 0, "min_value": -20, "max_value": 20, "step": 2.5 }
  }`);
  expect(lines.map((line) => parseVariable(line, 'line'))).toEqual([
    { name: 'TEST', kind: 'int', start: 100, min: 50, max: 150, cEnd: 10, rEnd: 0.002 },
    { name: 'Slow Mover', kind: 'int', start: 0, min: -20, max: 20, cEnd: 2.5, rEnd: 0.002 },
  ]);
});

test.each([
  ['{ "a": 3 }', 'a has no number "value"'],
  ['{ "a": null }', 'a has no number "value"'],
  ['{ "a": { "value": 1, "min_value": 0, "max_value": 9, "elo_per_val": 1 } }', 'a has no number "step"'],
  ['{ "a, int": { "value": 1, "min_value": 0, "max_value": 9, "step": 1 } }', "'a, int' is not a valid option name"],
  ['{ "a": ', 'JSON'],
])('any other JSON file is rejected: %s', (text, message) => {
  expect(() => linesOf(text)).toThrow(message);
});

test('a missing file is reported', () => {
  expect(() => variableLines(join(folder, 'none'))).toThrow('--variables: cannot read');
});
