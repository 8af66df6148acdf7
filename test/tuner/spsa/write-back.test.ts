import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PARAMS } from '../../../engine/search/params.js';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { DEFAULT_METHOD } from '../../../tuner/spsa/method.js';
import { resultOf, type SpsaResult } from '../../../tuner/spsa/result.js';
import { ownDefaults } from '../../../tuner/spsa/settings.js';
import { Spsa, type SpsaSettings } from '../../../tuner/spsa/spsa.js';
import { searchParameter } from '../../../tuner/spsa/tunables.js';
import { parseVariable, type Variable } from '../../../tuner/spsa/variable.js';
import { tunedOf, withDefaults } from '../../../tuner/spsa/write-back.js';

const SHIPPED = { name: 'shipped', hash: weightsHash(loadWeights('shipped')) };

function resultWith(variables: Variable[], facts: Partial<SpsaResult> = {}): SpsaResult {
  const settings: SpsaSettings = {
    ...DEFAULT_METHOD,
    method: 'spall',
    variables,
    iterations: 10,
    pairs: 1,
    ahead: 1,
    seed: 1,
  };
  const spsa = new Spsa(settings);
  for (let k = 0; k < 10; k++) spsa.apply(2);
  const rest = { program: 'test', engine: null, limits: null, games: 20, seconds: 1 };
  return { ...resultOf(spsa, { ...rest, weights: SHIPPED }), ...facts };
}

describe('values of a run', () => {
  const variables = [
    ...Object.keys(PARAMS).map(searchParameter),
    parseVariable('tempo.bias, float, 0, -100, 100, 200, 0.2', 'test'),
  ];
  const result = resultWith(variables.map((variable) => ({ ...variable, rEnd: 0.2 })));

  test('tuned parameters are rounded, and knobs change the tables', () => {
    const { changes, options, weights } = tunedOf(result, 'end');
    expect(Object.keys(options)).toEqual(Object.keys(PARAMS));
    for (const [name, text] of Object.entries(options)) {
      const { min, max } = PARAMS[name];
      expect(text).toMatch(/^\d+$/);
      expect(Number(text) >= min && Number(text) <= max).toBe(true);
    }
    const bias = result.values.at(-1)?.now ?? 0;
    expect(bias).not.toBe(0);
    const [[before]] = loadWeights('shipped').terms['tempo'];
    expect(weights?.terms['tempo'][0][0]).toBe(Math.round(before + bias));
    expect(weights?.provenance).toMatchObject({ before: SHIPPED.hash, knobs: { 'tempo.bias': bias }, games: 20 });
    expect(changes.every(({ from, to }) => from !== to)).toBe(true);
    expect(tunedOf(result, 'mean').changes).not.toEqual(changes);
  });

  test('tuned values can be selected by kind', () => {
    const { changes, weights } = tunedOf(result, 'end');
    const [params, knobs] = (['params', 'knobs'] as const).map((part) => tunedOf(result, 'end', part));
    expect([...params.changes, ...knobs.changes]).toEqual(changes);
    expect(params.weights).toBeNull();
    expect(knobs.options).toEqual({});
    expect(knobs.weights?.terms).toEqual(weights?.terms);
  });

  test('withDefaults changes only the declarations of the parameters', () => {
    const source = readFileSync(projectFile('engine/search/params.ts'), 'utf8');
    const changes = tunedOf(result, 'end').changes.filter(({ name }) => name in PARAMS);
    const changed = withDefaults(source, changes);
    for (const { to } of changes) expect(changed).toContain(`: param(${to}, `);
    const lines = source.split('\n');
    const different = changed.split('\n').filter((line, i) => line !== lines[i]);
    expect(different).toHaveLength(changes.length);
    expect(() => withDefaults(source, [{ name: 'rfpMargin', from: -1, to: 2 }])).toThrow(
      'engine/search/params.ts does not declare RFP_MARGIN: param(-1, exactly once',
    );
  });
});

test('a run that started from values other than the declared ones can be applied', () => {
  const rfpMargin = searchParameter('rfpMargin');
  const tempo = parseVariable('tempo.bias, float, 0, -100, 100, 5, 0.002', 'test');
  const started = [rfpMargin, tempo].map((variable) => ({ ...variable, start: variable.start + 12.25 }));
  const { changes } = tunedOf(resultWith(started, { params: { rfpMargin: rfpMargin.start } }), 'end');
  expect(changes.map(({ name, from }) => [name, from])).toEqual([
    ['rfpMargin', rfpMargin.start],
    ['tempo.bias', 0],
  ]);
  const source = readFileSync(projectFile('engine/search/params.ts'), 'utf8');
  expect(withDefaults(source, changes.slice(0, 1))).toContain(` RFP_MARGIN: param(${changes[0].to},`);
  expect(ownDefaults(started)).toEqual({ rfpMargin: rfpMargin.start });
});

test('apply rejects values that were tuned on another engine', () => {
  const first = searchParameter(Object.keys(PARAMS)[0]);
  const other = resultWith([first], { params: { [first.name]: first.start + 1 } });
  expect(() => tunedOf(other, 'end')).toThrow(/is now \d+, but it was \d+ during the run/);
  const tempo = parseVariable('tempo.bias, float, 0, -100, 100, 200, 0.2', 'test');
  const both = resultWith([first, tempo], { weights: { ...SHIPPED, hash: 'f00' } });
  for (const part of ['all', 'knobs'] as const)
    expect(() => tunedOf(both, 'end', part)).toThrow(/differ from those at the start of the run/);
  // The parameters will play with the weights that the knobs have changed
  expect(tunedOf(both, 'end', 'params').weights).toBeNull();
  const option = parseVariable('Move Overhead, int, 10, 0, 100, 5, 0.002', 'test');
  expect(() => tunedOf(resultWith([option]), 'end')).toThrow(/neither a search parameter nor a knob/);
});
