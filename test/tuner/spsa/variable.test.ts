import { describe, expect, test } from 'vitest';
import { PARAMS } from '../../../engine/search/params.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { resolveVariables, Tunables } from '../../../tuner/spsa/tunables.js';
import { formatVariable, parseVariable } from '../../../tuner/spsa/variable.js';

const OPTIONS = new Map([
  ['contempt', 'spin default 20 min -100 max 100'],
  ['threads', 'spin default 1 min 1 max 1'],
  ['far', 'spin default 12 min 0 max 9'],
  ['style', 'combo default Solid var Solid var Risky'],
  ['ponder', 'check default false'],
  ['lmr base', 'string default 0.75'],
  ['rate', 'string default 0.00005'],
  ['name', 'string default <empty>'],
  ['piece values', 'string default 100, 325 330,500'],
]);

describe('lines in OpenBench format', () => {
  test.each([
    ['LMR_Base, float, 0.75, 0.25, 1.50, 0.05, 0.002', 'LMR_Base, float, 0.75, 0.25, 1.5, 0.05, 0.002'],
    ['rfp,int,75,30,150,8,0.002', 'rfp, int, 75, 30, 150, 8, 0.002'],
    ['rfp, 75, 30, 150, 8, 0.003', 'rfp, int, 75, 30, 150, 8, 0.003'],
    ['rfp, 75, 30, 150, 8', 'rfp, int, 75, 30, 150, 8, 0.002'],
  ])('the OpenBench line %s is parsed', (line, expected) => {
    expect(formatVariable(parseVariable(line, 'line'))).toBe(expected);
  });

  test('a variable can be printed as an OpenBench line with its current value', () => {
    expect(formatVariable(parseVariable('rfp, 75, 30, 150, 8', 'line'), 78.123456)).toBe(
      'rfp, int, 78.1235, 30, 150, 8, 0.002',
    );
  });

  test('a variable with a small step keeps enough decimals', () => {
    const variables = resolveVariables(['rate'], OPTIONS, null);
    expect(variables.map((variable) => formatVariable(variable))).toEqual([
      'rate, float, 0.00005, 0, 0.0001, 0.000005, 0.002',
    ]);
    expect(new Tunables(variables, OPTIONS, null).options([0.0000523456])).toEqual({ rate: '0.00005235' });
  });

  test.each([
    ['rfp, int, 75', /is not of the form name, int or float/],
    ['rfp, int, 75, 30, 150, x, 0.002', /is not of the form name/],
    [', int, 75, 30, 150, 8, 0.002', /is not of the form name/],
    ['rfp, int, 15, 30, 150, 8, 0.002', /rfp needs min < max and start between them, not 30, 15, 150/],
    ['rfp, int, 75, 30, 150, 0, 0.002', /needs c_end and r_end above 0/],
    ['rfp, int, 75, 30.5, 150, 8, 0.002', /needs integer bounds/],
  ])('the OpenBench line %s is rejected', (line, message) => {
    expect(() => parseVariable(line, 'variables:3')).toThrow(message);
    expect(() => parseVariable(line, 'variables:3')).toThrow(/^variables:3: /);
  });
});

describe('variables by name', () => {
  const base = loadWeights('shipped');

  test('"all" selects all search parameters of Heft', () => {
    const declared = new Map(
      Object.entries(PARAMS).map(([name, { min, max }]) => [
        name.toLowerCase(),
        `spin default 1 min ${min} max ${max}`,
      ]),
    );
    const variables = resolveVariables(['all', 'tempo.bias'], declared, base);
    expect(variables).toHaveLength(Object.keys(PARAMS).length + 1);
    const { value, min, max, step } = PARAMS['rfpMargin'];
    expect(variables).toContainEqual({
      name: 'rfpMargin',
      kind: 'int',
      start: value,
      min,
      max,
      cEnd: step,
      rEnd: 0.002,
    });
    expect(variables.at(-1)).toMatchObject({ name: 'tempo.bias', kind: 'float', start: 0 });
    const [first] = variables;
    expect(resolveVariables([first.name.toLowerCase()], declared, base)).toEqual([first]);
    const line = formatVariable(first);
    expect(resolveVariables([line.replace(first.name, first.name.toUpperCase())], declared, base)).toEqual([first]);
  });

  test('options of another engine may be a spin, a number in a string, or a number in a list', () => {
    const variables = resolveVariables(['Contempt', 'LMR Base', 'Piece Values[2]'], OPTIONS, null);
    expect(variables.map((variable) => formatVariable(variable))).toEqual([
      'Contempt, int, 20, -100, 100, 10, 0.002',
      'LMR Base, float, 0.75, 0, 1.5, 0.075, 0.002',
      'Piece Values[2], int, 330, 0, 660, 33, 0.002',
    ]);
    const tunables = new Tunables(
      [...variables, ...resolveVariables(['piece values[0]'], OPTIONS, null)],
      OPTIONS,
      null,
    );
    expect(tunables.hasKnobs).toBe(false);
    expect(tunables.options([-3, 0.512345, 333, 90])).toEqual({
      Contempt: '-3',
      'LMR Base': '0.5123',
      'Piece Values': '90, 325 333,500',
    });
  });

  test('default, min and max of a spin option may be in any order and have decimals', () => {
    const declared = new Map([
      ['margin', 'spin min 0 max 9 default 3'],
      ['base', 'spin default 1.5 min 0.5 max 3.0'],
    ]);
    expect(resolveVariables(['margin', 'base'], declared, null).map((variable) => formatVariable(variable))).toEqual([
      'margin, int, 3, 0, 9, 0.45, 0.002',
      'base, float, 1.5, 0.5, 3, 0.125, 0.002',
    ]);
    expect(() => resolveVariables(['margin, int, 3, 0, 10, 1, 0.002'], declared, null)).toThrow(/from 0 to 9/);
    expect(() => resolveVariables(['base, float, 1, 0, 3, 1, 0.002'], declared, null)).toThrow(/from 0.5 to 3/);
  });

  test.each([
    [['Fury'], /variable Fury: the engine has no such option; it has contempt, threads/],
    [['Threads'], /Threads: needs min < max and a default between them, not 1, 1, 1/],
    [['Far'], /Far: needs min < max and a default between them, not 0, 12, 9/],
    [['Style'], /a combo option is not a number/],
    [['Ponder, int, 0, 0, 1, 1, 0.002'], /a check option is not a number/],
    [['Name'], /Name: needs a complete line/],
    [['Name[0]'], /the default of Name contains no numbers: '<empty>'/],
    [['Piece Values[4]'], /the list has the elements 0 to 3/],
    [['Contempt, int, 20, -200, 100, 10, 0.002'], /takes numbers from -100 to 100, not from -200 to 100/],
    [['Contempt, float, 20, -100, 100, 10, 0.002'], /only whole numbers/],
    [['Contempt', 'Contempt'], /given twice/],
    [['Contempt', 'contempt'], /given twice/],
    [['psqt.bias'], /no such option/],
  ])('the variables %s are rejected', (names, message) => {
    expect(() => resolveVariables(names, OPTIONS, null)).toThrow(message);
  });
});
