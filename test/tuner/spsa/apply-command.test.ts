import { expect, test } from 'vitest';
import { DEFAULT_SPRT } from '../../../selfplay/statistics/sprt.js';
import { isWon } from '../../../tuner/spsa/apply-command.js';

test('tuned values win by H1 of an SPRT, or without one by their likelihood of superiority', () => {
  expect(isWon({ sprt: null, verdict: null, los: 0.95 }, 95)).toBe(true);
  expect(isWon({ sprt: null, verdict: null, los: 0.94 }, 95)).toBe(false);
  expect(isWon({ sprt: DEFAULT_SPRT, verdict: 'H1', los: 0.9 }, 95)).toBe(true);
  expect(isWon({ sprt: DEFAULT_SPRT, verdict: 'H0', los: 0.99 }, 95)).toBe(false);
  expect(isWon({ sprt: DEFAULT_SPRT, verdict: null, los: 0.99 }, 95)).toBe(false);
});
