import { expect, test } from 'vitest';
import { defaultSettings } from '../../../selfplay/common/options.js';
import { loadWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { DEFAULT_SPRT } from '../../../selfplay/statistics/sprt.js';
import { applySettings, isWon, wantsTest } from '../../../tuner/spsa/apply-command.js';
import { DEFAULT_METHOD } from '../../../tuner/spsa/method.js';
import { APPLY_OPTIONS } from '../../../tuner/spsa/options.js';
import { resultOf } from '../../../tuner/spsa/result.js';
import { Spsa } from '../../../tuner/spsa/spsa.js';
import { searchParameter } from '../../../tuner/spsa/tunables.js';
import { tunedOf } from '../../../tuner/spsa/write-back.js';

test('tuned values win if the SPRT accepts H1, or by likelihood of superiority without an SPRT', () => {
  expect(isWon({ sprt: null, verdict: null, los: 0.95, elo: 9 }, 95)).toBe(true);
  expect(isWon({ sprt: null, verdict: null, los: 0.94, elo: 9 }, 95)).toBe(false);
  expect(isWon({ sprt: DEFAULT_SPRT, verdict: 'H1', los: 0.9, elo: 9 }, 95)).toBe(true);
  expect(isWon({ sprt: DEFAULT_SPRT, verdict: 'H1', los: 0.3, elo: -4 }, 95)).toBe(false);
  expect(isWon({ sprt: DEFAULT_SPRT, verdict: 'H0', los: 0.99, elo: 9 }, 95)).toBe(false);
  expect(isWon({ sprt: DEFAULT_SPRT, verdict: null, los: 0.99, elo: 9 }, 95)).toBe(false);
});

test('an SPRT is requested by --sprt, --elo0 or --elo1', () => {
  expect([{}, { games: 2 }, { sprt: false, elo1: 3 }].map(wantsTest)).toEqual([false, false, false]);
  expect([{ sprt: true }, { elo0: 0 }, { elo1: 3 }].map(wantsTest)).toEqual([true, true, true]);
});

test('parameters tuned with other weights are tested with the shipped weights', () => {
  const variables = [{ ...searchParameter('rfpMargin'), rEnd: 1 }];
  const spsa = new Spsa({
    ...DEFAULT_METHOD,
    method: 'kiiski',
    factor: 1,
    variables,
    iterations: 4,
    pairs: 1,
    ahead: 1,
    seed: 1,
  });
  for (let k = 0; k < 4; k++) spsa.apply(2);
  const weights = { name: 'material', hash: weightsHash(loadWeights('material')) };
  const run = resultOf(spsa, { program: 'test', weights, engine: null, limits: null, games: 8, seconds: 1 });
  const { engines } = applySettings({ ...defaultSettings(APPLY_OPTIONS), run: 'run' }, run, tunedOf(run, 'end'));
  expect(engines.map(({ spec }) => spec.args.includes('--weights'))).toEqual([false, false]);
});
