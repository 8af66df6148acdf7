import { describe, expect, it } from 'vitest';
import { MATERIAL, PSQT, TEMPO, TERM_COUNT, TERMS } from '../../../engine/eval/terms.js';
import { stagesOf } from '../../../tuner/fit/freedom.js';

const nothing = { freeze: [], only: [], unfreeze: [] };

describe('stages', () => {
  it('freeze nothing, the terms and rows named, or all but those', () => {
    expect(stagesOf(nothing)).toEqual([{ from: 0, frozen: new Uint8Array(TERM_COUNT) }]);
    const [{ frozen }] = stagesOf({ ...nothing, freeze: ['material', 'psqt[2]'] });
    expect(frozen.reduce((sum, flag) => sum + flag, 0)).toBe(5 + 64);
    expect([frozen[MATERIAL + 4], frozen[PSQT + 127], frozen[PSQT + 128], frozen[PSQT + 192]]).toEqual([1, 0, 1, 0]);
    const [{ frozen: others }] = stagesOf({ ...nothing, only: ['tempo', 'psqt'], freeze: ['psqt[0]'] });
    expect(others.reduce((sum, flag) => sum + flag, 0)).toBe(TERM_COUNT - 1 - 5 * 64);
    expect(others[TEMPO]).toBe(0);
  });

  it('let terms go at their epochs', () => {
    const stages = stagesOf({ ...nothing, unfreeze: ['tempo@24', 'psqt[5]@96', 'psqt@24'] });
    expect(stages.map(({ from }) => from)).toEqual([0, 24, 96]);
    const frozen = stages.map((stage) => stage.frozen.reduce((sum, flag) => sum + flag, 0));
    expect(frozen).toEqual([385, 64, 0]);
  });

  it.each([
    [{ ...nothing, freeze: ['pqst'] }, /--freeze pqst: no such term; there are material, psqt, tempo/],
    [{ ...nothing, only: ['psqt[6]'] }, /no such row/],
    [{ ...nothing, unfreeze: ['psqt'] }, /TERM@EPOCH/],
    [{ ...nothing, freeze: TERMS.map(({ name }) => name) }, /no term to fit/],
  ])('refuse %o', (freedom, message) => {
    expect(() => stagesOf(freedom)).toThrow(message);
  });
});
