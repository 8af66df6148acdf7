// Validation matches do not depend on the order in which the games of a run end.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { JOURNAL } from '../../../selfplay/series/journal.js';
import { DEFAULT_METHOD } from '../../../tuner/spsa/method.js';
import type { RunState } from '../../../tuner/spsa/run.js';
import { Tunables } from '../../../tuner/spsa/tunables.js';
import { playValidatedRun, type Validation } from '../../../tuner/spsa/validation.js';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-validation-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The engine of the first game needs two seconds for a move, so that all games that may begin end before it. */
const LATE = `import { mkdirSync } from 'node:fs';
  try {
    mkdirSync(new URL('begun', import.meta.url));
    process.argv.push('late=1:2000', 'game=1');
  } catch {}
  await import('${FAKE_ENGINE}');`;

const variables = [{ name: 'Hash', kind: 'int' as const, start: 30, min: 1, max: 64, cEnd: 4, rEnd: 0.02 }];
const limits = { nodes: 5, margin: 0, stall: 20_000 };

slowTest('the values after exactly N games are validated, even if later games end first', async () => {
  const program = join(folder, 'late.mjs');
  writeFileSync(program, LATE);
  const settings = {
    spsa: { ...DEFAULT_METHOD, method: 'kiiski' as const, variables, iterations: 4, pairs: 1, ahead: 8, seed: 1 },
    engine: { spec: { command: process.execPath, args: [program, 'greedy=1'], options: {} }, limits },
    games: { ...DEFAULT_GAMES, plies: 4, maxMoves: 6, seed: 1, workers: 2 },
    tunables: new Tunables(variables, new Map([['hash', 'spin default 1 min 1 max 64']]), null),
    out: join(folder, 'run'),
  };
  const begun: string[] = [];
  const validate = async (): Promise<[RunState, Validation[]]> => {
    const validations: Validation[] = [];
    const onValidation = (validation: Validation): void => {
      begun.push('match');
      validations.push(validation);
    };
    const hooks = { onValidation, onGame: () => void begun.push('game') };
    return [await playValidatedRun(settings, { every: 4, games: 2 }, hooks), validations];
  };
  const [state, validations] = await validate();
  const { points } = state.spsa.trajectory;
  expect(points).toHaveLength(5);
  expect(validations).toMatchObject([2, 4].map((iteration) => ({ iteration, values: points[iteration]!.values })));

  // As if the run was killed before the values of the first match were stored
  for (const target of [2, 4]) rmSync(join(settings.out, `validation-${target}`), { recursive: true });
  const journal = join(settings.out, JOURNAL);
  const text = readFileSync(journal, 'utf8');
  writeFileSync(journal, text.slice(0, text.indexOf('\n', text.indexOf('"iteration":2')) + 1));
  begun.length = 0;
  const [again, repeated] = await validate();
  expect(repeated).toEqual(validations);
  expect([again.games, begun]).toEqual([8, ['match', 'game', 'game', 'game', 'game', 'match']]);
});
