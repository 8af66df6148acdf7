import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { checkWeightSet, unusualWeight, WEIGHT_LIMIT } from '../../../engine/eval/weight-set.js';
import { WEIGHTS } from '../../../engine/eval/weights.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights, readWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { renderWeightsModule } from '../../../tuner/weights/compile.js';
import { formatWeights, fromVector, rowsOf, toVector, writeWeights } from '../../../tuner/weights/weights-file.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-weights-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'weights.json');

const random = createRandom(3);
const vector = Float64Array.from({ length: 2 * WEIGHT_COUNT }, () => randomBelow(random, 2001) - 1000);
const weights = fromVector(HEFT, vector, {
  method: 'test',
  losses: [0.1, 0.09],
  data: [{ name: 'a"b', sha256: 'ff' }],
});

describe('a weights file', () => {
  test('a weights file is read back unchanged', () => {
    writeWeights(HEFT, file, weights);
    expect(readWeights(file)).toEqual(weights);
    expect(toVector(HEFT, readWeights(file))).toEqual(vector);
    expect(loadWeights(file)).toEqual(weights);
    expect(readdirSync(folder)).toEqual(['weights.json']);
  });

  test('a weights file has one rank of a board per line', () => {
    const lines = formatWeights(HEFT, weights).split('\n');
    const first = lines.findIndex((line) => line.includes('"psqt"')) + 1;
    const ranks = rowsOf(TERMS.find(({ name }) => name === 'psqt')!, weights.terms['psqt']);
    expect(JSON.parse(`[${lines[first].replace(/,$/, '')}]`)).toEqual(ranks[0]);
    expect(JSON.parse(`[${lines[first + 47]}]`)).toEqual(ranks[47]);
  });

  const broken: [string, (terms: Record<string, unknown>) => void, RegExp | string][] = [
    ['an unknown term', (terms) => (terms['mobilty'] = [[1, 1]]), /unknown term "mobilty"/],
    ['a missing term', (terms) => delete terms['tempo'], /term "tempo" is missing/],
    ['a short table', (terms) => (terms['psqt'] as unknown[]).pop(), /term "psqt" is not a list of 384 pairs/],
    ['a single number', (terms) => ((terms['material'] as unknown[])[1] = 300), /term "material", entry 1: 300/],
    ['a fraction', (terms) => ((terms['tempo'] as unknown[])[0] = [1.5, 2]), /term "tempo", entry 0: \[1.5,2\]/],
    ['text instead of a number', (terms) => ((terms['tempo'] as unknown[])[0] = ['1', 2]), /term "tempo", entry 0/],
    ['a huge value', (terms) => ((terms['tempo'] as unknown[])[0] = [10000, 2]), `within ±${WEIGHT_LIMIT}`],
    ['an object for a list', (terms) => (terms['material'] = {}), /term "material"/],
  ];
  test.each(broken)('a weights file with %s is rejected; the error names file and term', (_, damage, message) => {
    const copy = JSON.parse(formatWeights(HEFT, weights));
    damage(copy.terms);
    writeFileSync(file, JSON.stringify(copy));
    expect(() => readWeights(file)).toThrow(message);
    expect(() => readWeights(file)).toThrow(`${file} is not a weights file`);
  });

  test.each([
    ['', /is not a weights file/],
    ['{"terms": {', /is not a weights file/],
    ['[]', /no "terms" object/],
    ['null', /no "terms" object/],
    ['{"provenance": {}}', /no "terms" object/],
  ])('a weights file that contains %j is rejected', (text, message) => {
    writeFileSync(file, text);
    expect(() => readWeights(file)).toThrow(message);
  });

  test('a weights file with a byte-order mark is read', () => {
    writeFileSync(file, `\uFEFF${formatWeights(HEFT, weights)}`);
    expect(readWeights(file).terms).toEqual(weights.terms);
  });

  test('a weights file with a duplicate term is rejected', () => {
    const text = formatWeights(HEFT, weights);
    writeFileSync(file, text.replace('"terms": {', '"terms": {\n"tempo" : [[1, 2]],'));
    expect(() => readWeights(file)).toThrow(`${file} is not a weights file: the term "tempo" occurs twice`);
  });

  test('a list in the provenance may have the name of a term', () => {
    const copy = JSON.parse(formatWeights(HEFT, weights));
    copy.provenance = { tempo: [8, 0.08], options: { mobility: ['fixed'] } };
    writeFileSync(file, JSON.stringify(copy));
    expect(readWeights(file).terms).toEqual(weights.terms);
  });

  test('an unusually large weight gives one warning per file', () => {
    const copy = JSON.parse(formatWeights(HEFT, checkWeightSet(WEIGHTS)));
    copy.terms.material[0] = [2000, 145];
    copy.terms.tempo[0] = [0, -601];
    const unusual = join(folder, 'unusual.json');
    writeFileSync(unusual, JSON.stringify(copy));
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    for (let i = 0; i < 2; i++) expect(readWeights(unusual).terms['tempo']).toEqual([[0, -601]]);
    const printed = write.mock.calls.map(([text]) => text);
    write.mockRestore();
    expect(printed).toEqual([
      `warning: ${unusual}: unusual weight: term "material", entry 0: [2000,145] is beyond ±500, and 1 more\n`,
    ]);
    expect(unusualWeight(checkWeightSet(WEIGHTS))).toBe(null);
  });

  test('a truncated weights file is rejected', () => {
    const text = formatWeights(HEFT, weights);
    for (let length = 0; length < text.length - 2; length += 97) {
      writeFileSync(file, text.slice(0, length));
      expect(() => readWeights(file)).toThrow(file);
    }
  });

  test('the error for a missing weights file lists the named weights', () => {
    expect(() => loadWeights(join(folder, 'none.json'))).toThrow(
      /cannot read weights .*none\.json.*shipped, material, zero/,
    );
  });
});

describe('named weights', () => {
  test('the weights "material" are 100/300/300/500/900 and otherwise zero', () => {
    const { terms } = loadWeights('material');
    expect(terms['material']).toEqual([100, 300, 300, 500, 900].map((value) => [value, value]));
    expect(terms['psqt'].flat().every((value) => value === 0)).toBe(true);
  });

  test('the weights "zero" are all zero', () => {
    expect(Object.values(loadWeights('zero').terms).flat(2).filter(Boolean)).toEqual([]);
  });

  test('the weights "shipped" are the compiled ones', () => {
    expect(loadWeights('shipped').terms).toMatchObject(WEIGHTS.terms);
  });
});

describe('weightsHash', () => {
  test('weightsHash depends only on the values', () => {
    const other = fromVector(HEFT, vector, { method: 'another' });
    expect(weightsHash(other)).toBe(weightsHash(weights));
    other.terms['tempo'][0][1]++;
    expect(weightsHash(other)).not.toBe(weightsHash(weights));
  });

  test('weightsHash does not change when a term with value zero is added', () => {
    const { terms } = JSON.parse(readFileSync(projectFile('engine/eval/material.json'), 'utf8'));
    expect(weightsHash({ provenance: {}, terms })).toBe(weightsHash(loadWeights('material')));
    const taught = loadWeights('material');
    taught.terms['knightMobility'][3] = [0, 1];
    expect(weightsHash(taught)).not.toBe(weightsHash(loadWeights('material')));
  });
});

describe('the weights module', () => {
  test('the weights module is JavaScript with the same weights, without the list of data files', async () => {
    const module = join(folder, 'weights.mjs');
    writeFileSync(module, renderWeightsModule(weights));
    const { data, ...provenance } = weights.provenance;
    expect(data).toBeInstanceOf(Array);
    expect((await import(module)).WEIGHTS).toEqual({ ...weights, provenance });
  });

  test('engine/eval/weights.ts equals the rendering of weights.json', () => {
    const committed = readFileSync(projectFile('engine/eval/weights.ts'), 'utf8');
    const rendered = renderWeightsModule(readWeights(fileURLToPath(projectFile('engine/eval/weights.json'))));
    expect(rendered === committed, 'weights.ts differs from the rendering of weights.json').toBe(true);
  });
});
