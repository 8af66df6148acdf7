import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { LiveDisplay } from '../../../selfplay/common/live-display.js';
import { type MatchResult, statisticsOf } from '../../../selfplay/match/match.js';
import { failureLines, reportLines, statusLine, verdictLine } from '../../../selfplay/match/report.js';
import { DEFAULT_SPRT } from '../../../selfplay/statistics/sprt.js';
import { addGame, EMPTY_TALLY, type Tally } from '../../../selfplay/statistics/tally.js';

const penta = [363, 3205, 5861, 3376, 414] as unknown as Tally['penta'];
const sprt = { ...DEFAULT_SPRT, elo1: 3, beta: 0.1 };
const white = { wins: 4000, losses: 2750, draws: 6469 };
const black = { wins: 3000, losses: 3750, draws: 6469 };
const statistics = statisticsOf({ wins: 7000, losses: 6500, draws: 12938, white, black, penta }, sprt);
const series = {
  engines: ['new', 'old'],
  failures: [],
  endings: {},
  remarks: [],
  repeatedPairs: 0,
  finished: true,
  seconds: 3600,
  nodes: 1,
};
const SPRT = { elo0: 0, elo1: 3, alpha: 0.05, beta: 0.1, model: 'normalized' } as const;
const result: MatchResult = { ...statistics, ...series };

describe('a report', () => {
  test('a report has the same figures as fastchess for the same pairs', () => {
    expect(reportLines(result)).toEqual([
      'Elo: 3.59 +/- 2.53, nElo: 5.93 +/- 4.19',
      'LOS: 99.72 %, DrawRatio: 44.34 %, PairsRatio: 1.06',
      'Games: 26438, Wins: 7000, Losses: 6500, Draws: 12938, Points: 13469 (50.95 %)',
      'White: +4000 -2750 =6469 (54.73 %), Black: +3000 -3750 =6469 (47.16 %)',
      'Ptnml(0-2): [363, 3205, 5861, 3376, 414]',
      'LLR: 2.91 (-2.25, 2.89) [0.00, 3.00]',
    ]);
    expect(reportLines({ ...result, sprt: null }).some((line) => line.startsWith('LLR'))).toBe(false);
    expect(verdictLine(result, SPRT)).toBe('SPRT: H1 was accepted: new is stronger than old');
    expect(statusLine(result, 30_000)).toMatch(
      /^26438\/30000 games, ETA 8:06, \+7000 -6500 =12938, Elo 3\.59 .*, LLR 2.91 \(-2.25, 2.89\), 26438 games\/h$/,
    );
    expect(statusLine({ ...result, sprt: null }, 30_000)).toMatch(/, Elo 3\.59 \+\/- 2\.53, 26438 games\/h$/);
  });

  test('a report states the reason for the end of the match', () => {
    const changed = (change: Partial<MatchResult>): MatchResult => ({ ...result, verdict: null, ...change });
    expect(verdictLine(changed({ verdict: 'H0' }), SPRT)).toBe('SPRT: H0 was accepted: new is not stronger than old');
    const bounds = { ...SPRT, elo0: -5, elo1: 0 };
    expect(verdictLine(changed({ verdict: 'H0' }), bounds)).toBe('SPRT: H0 was accepted: new is weaker than old');
    expect(verdictLine(result, bounds)).toBe('SPRT: H1 was accepted: new is at most 5 normalized Elo weaker than old');
    expect(verdictLine(changed({ finished: false }), SPRT)).toBe('Interrupted');
    expect(verdictLine(changed({}), SPRT)).toBe('SPRT: no decision within the maximum number of games');
    expect(verdictLine(changed({}))).toBe('Finished');
  });

  test('an SPRT counts pairs, or games if there are no pairs or the model is BayesElo', () => {
    expect(statisticsOf(addGame(EMPTY_TALLY, 2, 'white'), undefined)).toMatchObject({
      games: 1,
      wins: 1,
      verdict: null,
    });
    const games = statisticsOf({ ...EMPTY_TALLY, wins: 136, draws: 111, losses: 96 }, { ...sprt, elo1: 5 });
    expect(games.llr).toBeCloseTo(0.664488, 4);
    const pairs = [34, 54, 63, 64, 75] as unknown as Tally['penta'];
    const tally = { ...EMPTY_TALLY, wins: 136, draws: 111, losses: 96, penta: pairs };
    expect(statisticsOf(tally, { ...sprt, elo1: 5, model: 'bayesian' }).llr).toBeCloseTo(0.717746, 4);
    expect(statisticsOf(tally, { ...sprt, elo1: 5 }).llr).toBeCloseTo(1.301436, 4);
  });

  test('a report lists failures by engine and kind', () => {
    const failure = { engine: 'old', termination: 'time forfeit' as const, reason: 'Black loses on time' };
    const failures = [
      { ...failure, game: 3 },
      { ...failure, game: 5 },
      { ...failure, game: 7, engine: 'new' },
    ];
    expect(failureLines({ failures })).toEqual([
      'old: time forfeit 2x, first in game 3: Black loses on time',
      'new: time forfeit 1x, first in game 7: Black loses on time',
    ]);
  });
});

describe('a live display', () => {
  function display(isTTY: boolean, columns = 10): { live: LiveDisplay; written: () => string } {
    let text = '';
    const write = (chunk: string): boolean => {
      text += chunk;
      return true;
    };
    const output = { isTTY, columns, write } as unknown as NodeJS.WriteStream;
    return { live: new LiveDisplay(output), written: () => text };
  }

  test('a live display redraws its rows in place in a terminal, wrapped to its width', async () => {
    const { live, written } = display(true);
    const update = (last: string): void =>
      live.update(
        () => ['123456789012345', last],
        () => 'line',
      );
    update('a');
    expect(written()).toBe('');
    await new Promise((resolve) => setTimeout(resolve, 250));
    update('b');
    expect(stripVTControlCharacters(written())).toBe('123456789\n  012345\nb');
    const before = written().length;
    await new Promise((resolve) => setTimeout(resolve, 250));
    update('c');
    // The cursor moves up two lines, and only the third has changed
    expect(written().slice(before)).toContain('\x1b[2A');
    expect(stripVTControlCharacters(written().slice(before))).toMatch(/^\n+c$/);
    live.note('stays');
    expect(written().endsWith('\x1b[2A\x1b[1G\x1b[0Jstays\n')).toBe(true);
    live.note('Elo 12.34 is not cut');
    expect(stripVTControlCharacters(written())).toContain('Elo 12.34\n  is not\n  cut\n');
  });

  test('a progress bar fills the width next to its text, and is omitted if there is no room', () => {
    const { live, written } = display(true, 23);
    live.show({ label: 'loop', share: 0.5, text: 'ETA 1:00' });
    expect(stripVTControlCharacters(written())).toBe('loop ████░░░░ ETA 1:00');
    live.show({ label: 'self-play', share: 0.5, text: 'ETA 1:00' });
    expect(stripVTControlCharacters(written())).toMatch(/self-play ETA 1:00$/);
    live.clear();
  });

  test('a live display writes no control characters outside a terminal', async () => {
    const { live, written } = display(false);
    live.note('hello');
    live.update(
      () => ['table'],
      () => 'line',
    );
    live.clear();
    expect(written()).toBe('hello\n');
  });
});
