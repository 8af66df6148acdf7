import { expect, test } from 'vitest';
import { foldAlike } from '../../../selfplay/common/progress.js';

test('only the first, tenth and hundredth of similar warnings are printed', () => {
  const told: string[] = [];
  const warn = foldAlike((message) => told.push(message));
  for (let game = 1; game <= 120; game++) warn(`game ${game}: A (White) loses on time (${3 * game}ms overrun)`);
  warn('game 121: A (Black) loses on time (5ms overrun)');
  warn('engine 1 (B): option Hash=16 not set');
  warn('engine 2 (B): option Hash=16 not set');
  expect(told).toEqual([
    'game 1: A (White) loses on time (3ms overrun)',
    'game 10: A (White) loses on time (30ms overrun) (10 similar so far)',
    'game 100: A (White) loses on time (300ms overrun) (100 similar so far)',
    'game 121: A (Black) loses on time (5ms overrun)',
    'engine 1 (B): option Hash=16 not set',
    'engine 2 (B): option Hash=16 not set',
  ]);
});
