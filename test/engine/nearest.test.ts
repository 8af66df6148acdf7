import { expect, test } from 'vitest';
import { didYouMean } from '../../engine/names.js';

const NAMES = ['Hash', 'Threads', 'Move Overhead', 'UCI_ShowWDL', 'games', 'max-plies'];

test.each([
  ['Hsah', '; did you mean Hash?'],
  ['thread', '; did you mean Threads?'],
  ['MoveOverhead', '; did you mean Move Overhead?'],
  ['showwdl', '; did you mean UCI_ShowWDL?'],
  ['maxplies', '; did you mean max-plies?'],
  ['game', '; did you mean games?'],
  ['nonsense', ''],
  ['', ''],
  ['x'.repeat(100_000), ''],
])('didYouMean suggests a similar name if there is one (case %$)', (word, answer) => {
  expect(didYouMean(word, NAMES)).toBe(answer);
});
