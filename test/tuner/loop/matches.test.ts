import { expect, test } from 'vitest';
import { PRESETS } from '../../../tuner/generations/settings.js';
import { guestsOf } from '../../../tuner/loop/matches.js';

test('--engine opponents get unique names in the pool, and use the match limits unless they have their own', () => {
  const engine = [
    'cmd=x name=shipped nodes=7',
    'cmd=dir/material',
    'cmd=x name=shipped',
    'cmd=x name="shipped 2"',
    'cmd=x name=odd',
  ];
  const guests = guestsOf({ ...PRESETS['smoke'], matchNodes: 300, engine });
  expect(guests.map(({ spec }) => spec.name)).toEqual([
    ...['shipped 2', 'material 2', 'shipped 3', 'shipped 2 2', 'odd'],
  ]);
  expect(guests.map(({ limits }) => limits.nodes)).toEqual([7, 300, 300, 300, 300]);
});
