import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { currentWeights, evaluate, setWeights } from '../../../engine/engine.js';
import { checkWeightSet, weightVectors } from '../../../engine/eval/weight-set.js';
import { createRandom } from '../../../engine/kernel/random.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { type Knob, parseKnob, tableNames, turnKnobs } from '../../../tuner/spsa/knobs.js';

const base = loadWeights('shipped');
const knob = (name: string): Knob => parseKnob(name) as Knob;
const at = (name: string, value: number): { knob: Knob; value: number } => ({ knob: knob(name), value });

test.each([
  ['material.bias', 10],
  ['material.amplitude.eg', 5],
  ['psqt[knight].amplitude', 128],
  ['psqt[1].amplitude.mg', 64],
  ['psqt[pawn].bias', 96],
  ['tempo.bias.mg', 1],
])('%s changes %i values', (name, count) => {
  expect(new Set(knob(name).cells).size).toBe(count);
});

test('parseKnob accepts only knobs of declared tables', () => {
  expect(parseKnob('rfpMargin')).toBeNull();
  expect(parseKnob('psqt.gain')).toBeNull();
  expect(() => parseKnob('mobility_of_kings.bias')).toThrow(/no such table; the tables are material, /);
  for (const row of ['6', 'queens']) expect(() => parseKnob(`psqt[${row}].bias`)).toThrow(/no such row/);
  expect(() => parseKnob('tempo[0].bias')).toThrow(/no such row/);
  for (const name of tableNames()) expect(knob(`${name}.bias`).cells.length).toBeGreaterThan(0);
});

describe('turned knobs', () => {
  test('new = old + bias + old · amplitude / 100 for each row and phase, and knobs of the same table add up', () => {
    const turned = turnKnobs(base, [at('tempo.bias', 7), at('tempo.amplitude.mg', 50)]);
    const [[mg, eg]] = base.terms['tempo'];
    expect(turned.terms['tempo']).toEqual([[Math.round(mg + 7 + mg / 2), eg + 7]]);
    expect(turned.terms['psqt']).toEqual(base.terms['psqt']);
  });

  test('values played in games are rounded without bias', () => {
    const values = Array.from({ length: 600 }, (_, i) => {
      return turnKnobs(base, [at('tempo.bias', 0.3)], createRandom(i)).terms['tempo'][0][0];
    });
    const [[mg]] = base.terms['tempo'];
    expect(new Set(values)).toEqual(new Set([mg, mg + 1]));
    expect(Math.abs(values.reduce((sum, x) => sum + x, 0) / values.length - mg - 0.3)).toBeLessThan(0.08);
  });

  test('turned weights are valid and centred, and change the evaluation as expected', () => {
    // In whole centipawns, because nothing scales the endgame
    const unscaled = Object.entries(base.terms).filter(([name]) => !name.startsWith('scale'));
    const plain = checkWeightSet({ ...base, terms: Object.fromEntries(unscaled) });
    const turned = checkWeightSet(turnKnobs(plain, [at('psqt[knight].bias', 12), at('material.amplitude', 0)]));
    const rows = turned.terms['psqt'].slice(64, 128);
    expect(Math.abs(rows.reduce((sum, [mg]) => sum + mg, 0))).toBeLessThanOrEqual(32);
    const before = currentWeights();
    parseFen('4k3/pppppppp/8/8/8/8/PPPPPPPP/1N2K3 w - - 0 1');
    const [old, changed] = [plain, turned].map((weights) => {
      const { mg, eg } = weightVectors(weights);
      setWeights(mg, eg);
      return evaluate();
    });
    setWeights(before.mg, before.eg);
    expect(changed - old).toBe(12);
  });
});
