// Every way in which an engine can fail, in one run: each failure is reported, the run continues, and other games are unaffected.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TIMEOUTS } from '../../../selfplay/engines/uci-engine.js';
import type { GameLimits } from '../../../selfplay/games/clock.js';
import { incidentLines } from '../../../selfplay/match/report.js';
import { runTournament, type TournamentSettings } from '../../../selfplay/match/tournament.js';
import type { PlayedGame } from '../../../selfplay/series/game.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import type { Competitor } from '../../../selfplay/series/settings.js';
import { fakeEngine } from '../../support/fake-engine.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-faults-'));
const normal = { ...TIMEOUTS };
afterAll(() => {
  Object.assign(TIMEOUTS, normal);
  rmSync(scratch, { recursive: true });
});

const NODES: GameLimits = { nodes: 5, margin: 0, stall: 60_000 };
const IMPATIENT: GameLimits = { ...NODES, stall: 1000 };
const CLOCK: GameLimits = { tc: { moves: 0, time: 1500, increment: 0 }, margin: 0, stall: 60_000 };

const FAULTS: Record<string, [words: string[], limits: GameLimits, termination: string, reason: RegExp]> = {
  crash: [
    ['crash=3'],
    NODES,
    'abandoned',
    /^\w+ disconnects \(ended with exit code 3; error output: Error: told to crash\)$/,
  ],
  hang: [['hang=3'], IMPATIENT, 'abandoned', /^\w+'s connection stalls$/],
  deaf: [['deaf=3'], IMPATIENT, 'abandoned', /^\w+'s connection stalls/],
  frozen: [['freeze=3'], CLOCK, 'abandoned', /^\w+'s connection stalls \(no bestmove, even after stop\)$/],
  illegal: [['illegal=3'], NODES, 'illegal move', /^\w+ makes an illegal move: e1e8$/],
  none: [['none=3'], NODES, 'illegal move', /^\w+ makes an illegal move: \(none\)$/],
  nomove: [['nomove=3'], NODES, 'illegal move', /^\w+ sends bestmove without a move$/],
  late: [['late=3:1600'], CLOCK, 'time forfeit', /^\w+ loses on time \(\d+ms overrun\)$/],
};

const sound: Competitor = { spec: { ...fakeEngine('seed=1'), name: 'sound' }, limits: NODES };
const noisy: Competitor = { spec: { ...fakeEngine('seed=2', 'garbage=1', 'split=1'), name: 'noisy' }, limits: NODES };
const faulty = Object.entries(FAULTS).map(([name, [words, limits]]) => ({
  spec: { ...fakeEngine('seed=2', ...words), name },
  limits,
}));

async function soundGames(engines: Competitor[], other: Partial<TournamentSettings> = {}) {
  const games: PlayedGame[] = [];
  const warnings: string[] = [];
  const settings: TournamentSettings = {
    ...DEFAULT_GAMES,
    plies: 6,
    maxMoves: 8,
    seed: 3,
    workers: 4,
    engines,
    format: 'gauntlet',
    games: 2,
    ...other,
  };
  const result = await runTournament(settings, {
    onEvent: (event) => {
      if (event.type !== 'game' || ![event.white, event.black].includes('noisy')) return;
      games.push({ ...event.game, times: [] });
    },
    onWarning: (warning) => warnings.push(warning),
  });
  return { result, games, warnings };
}

test('every engine failure is reported and does not affect other games', async () => {
  TIMEOUTS.stop = 500;
  const out = join(scratch, 'run');
  const { result, games, warnings } = await soundGames([sound, noisy, ...faulty], { out });
  expect(result).toMatchObject({ finished: true, games: 2 * (1 + faulty.length) });
  for (const [engine, [, , termination, reason]] of Object.entries(FAULTS)) {
    const failures = result.failures.filter((failure) => failure.engine === engine);
    const expected = { engine, termination, reason: expect.stringMatching(reason) };
    expect(failures).toMatchObject([expected, expected]);
    for (const { game, reason: text } of failures) {
      expect(readFileSync(join(out, `failures/game-${game}.txt`), 'utf8')).toContain(
        `Game ${game}: ${text}\nEngine: ${engine} (`,
      );
    }
  }
  expect(result.failures).toHaveLength(2 * faulty.length);
  for (const { game, engine, reason } of result.failures) {
    expect(warnings).toContain(`game ${game}: ${reason.replace(/^White|^Black/, `${engine} ($&)`)}`);
  }
  expect(readdirSync(join(out, 'failures'))).toHaveLength(2 * faulty.length);
  expect(incidentLines(result, out)[0]).toMatch(/^Endings: abandoned 8, illegal move 6, /);

  const alone = await soundGames([sound, noisy]);
  expect(alone.result.failures).toEqual([]);
  expect(games).toEqual(alone.games);
});
