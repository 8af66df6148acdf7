import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../selfplay/common/options.js';
import { projectFile } from '../../../selfplay/common/program.js';
import { hasEnded } from '../../../tuner/generations/ledger.js';
import { type Effort, effortOf } from '../../../tuner/generations/schedule.js';
import { type FinalEntry, type GenerationEntry, LOOP_OPTIONS } from '../../../tuner/generations/settings.js';
import {
  aboutTime,
  learnt,
  nextSteps,
  planLines,
  poolLines,
  ratioCourse,
  unplayed,
  verdictOf,
  verdictWithReason,
} from '../../../tuner/generations/story.js';
import { strengthsOf } from '../../../tuner/generations/strength.js';
import { TimeEstimate } from '../../../tuner/loop/estimate.js';
import { STAGES } from '../../../tuner/loop/stages.js';

const settings = defaultSettings(LOOP_OPTIONS);
/** A generation of 1,000 games, with its number of wins in a match of 100 games. */
const entry = (generation: number, wins: number, verdict: 'H0' | 'H1' | null, pool: number | null = null) => {
  const score = (wins: number) => ({
    games: 100,
    wins,
    losses: 100 - wins,
    draws: 0,
    penta: [(100 - wins) / 2, 0, 0, 0, wins / 2],
  });
  return {
    generation,
    games: 1000,
    fit: { gain: null },
    accepted: verdict === 'H1',
    match: { ...score(wins), verdict },
    pool: pool === null ? [] : [{ opponent: 'material', ...score(pool), elo: 100.4, eloError: 60.6 }],
  } as unknown as GenerationEntry;
};
const effort = (generation: number): Effort => effortOf(settings, [], generation);
const ledger = { settings, engine: '', bench: 1, generations: [] as GenerationEntry[], final: null };

const stepsOf = (generation: number): string[] =>
  STAGES.flatMap(({ plan }) => plan?.(settings, effort(generation)) ?? []);

describe('the messages of a loop', () => {
  test('the plan lists the games of every stage and the time, within 80 columns', () => {
    const lines = planLines(ledger, 601, stepsOf(1));
    const text = lines.join(' ').replace(/\s+/g, ' ');
    expect(text).toMatch(
      /generations, each of [\d,]+ games .* at [\d,]+ nodes per move, more in later generations,.* at most 400 games; finally .* 200 games .* time: about 10 minutes; Ctrl-C/,
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(planLines({ ...ledger, settings: { ...settings, generations: 1 } }, 20, [])[0]).toBe(
      'plan: learn from zero in one generation of',
    );
    expect(planLines({ ...ledger, generations: [entry(1, 76, 'H1')] }, 60, [])[0]).toBe(
      'continuing: 1 of 4 generations done',
    );
    const over = { ...ledger, settings: { ...settings, generations: 1 }, generations: [entry(1, 76, 'H1')] };
    expect(planLines(over, 20, null).slice(0, 2)).toEqual([
      'continuing: 1 of 1 generations done',
      'plan: at most 200 games against the shipped weights',
    ]);
    const unopposed = { ...ledger, settings: { ...settings, finalGames: 0 } };
    expect(planLines(unopposed, 20, ['a fit', 'a match']).slice(1)).toEqual([
      '      a fit,',
      '      a match',
      'time: less than a minute; Ctrl-C stops the run, and the same command continues it',
    ]);
  });

  test('a verdict is printed with its reason', () => {
    const lined = (verdict: 'H0' | 'H1' | null, elo: number) =>
      verdictWithReason({ match: { verdict, elo, eloError: 90 } as GenerationEntry['match'], line: 'Elo' });
    expect([lined('H1', 400), lined('H0', -50), lined(null, 50), lined(null, 100)]).toEqual([
      'accepted: Elo',
      'rejected: Elo',
      'undecided: Elo',
      'accepted (95 % interval above zero after the last game): Elo',
    ]);
    expect(verdictWithReason({ match: null, line: 'undecided, weights unchanged' })).toBe(
      'undecided, weights unchanged',
    );
  });

  test('the estimated time covers the remaining work at the measured speed', () => {
    const estimate = new TimeEstimate(settings, 2, effort, STAGES);
    const whole = estimate.left(1, 'selfplay');
    expect(whole).toBeGreaterThan(200);
    expect(whole).toBeLessThan(1500);
    expect(estimate.left(1, 'fit')).toBeLessThan(whole);
    estimate.recorder('match')(100, 10);
    expect(estimate.left(Number.POSITIVE_INFINITY, 'match')).toBeCloseTo(0.4 * 200 * 10);
    estimate.recorder('selfplay')(0, 0);
    expect(estimate.left(2, 'selfplay')).toBeGreaterThan(estimate.left(3, 'selfplay'));
  });

  test('the estimate for the default loop on two cores is the one in the README', () => {
    const minutes = aboutTime(new TimeEstimate(settings, 2, effort, STAGES).left(1, 'selfplay'));
    const figures = readFileSync(projectFile('README.md'), 'utf8').match(/about \S+ minutes/g);
    expect(figures).toEqual([minutes]);
  });

  test.each([
    [20, 'less than a minute'],
    [61, 'about 1 minute'],
    [3600, 'about 60 minutes'],
    [7300, 'about 2 hours'],
  ])('%i seconds are printed as %s', (seconds, text) => expect(aboutTime(seconds)).toBe(text));

  test('a match result is accepted, rejected or undecided', () => {
    const verdicts = [entry(1, 52, 'H1'), entry(1, 48, 'H0'), entry(1, 50, null), { match: null }].map(verdictOf);
    expect(verdicts).toEqual(['accepted', 'rejected', 'undecided', 'undecided']);
  });

  test('the summary sentence states the gain of accepted generations', () => {
    const generations = [entry(1, 76, 'H1'), entry(2, 60, 'H1'), entry(3, 48, null)];
    // 400 log10(76 / 24) + 400 log10(60 / 40)
    expect(learnt({ ...ledger, settings: { ...settings, from: 'material' }, generations })).toMatch(
      /^From material to \+271 ± \d+ Elo in 3,000 games, 2 of 3 .* took [\d,]+ games\.$/,
    );
    // From zero, the gain is relative to material
    expect(learnt({ ...ledger, generations: [entry(1, 90, 'H1', 60)] })).toMatch(
      /^From zero at −\d+ to \+70 ± \d+ Elo against material in 1,000 games, 1 of 1 /,
    );
    expect(learnt({ ...ledger, generations: [entry(1, 50, null)] })).toBe(
      'No gain has been proven yet after 1,000 games: 0 of 1 generations accepted; the last match ended +50 −50 =0.',
    );
  });

  test('the summary sentence states the strength shown in the film, which includes the last match', () => {
    const last = { generation: 1, match: entry(1, 10, null).match } as FinalEntry;
    const ended = { ...ledger, generations: [entry(1, 75, 'H1', 50), entry(2, 60, 'H1', 70)], final: last };
    ended.generations[1].pool[0].opponent = 'shipped';
    const { elo, error } = strengthsOf(ended).ratings[2];
    expect(learnt(ended)).toContain(` to +${elo.toFixed(0)} ± ${error.toFixed(0)} Elo against material`);
    expect(learnt(ended)).not.toBe(learnt({ ...ended, final: null }));
  });

  test.each([
    [['H1', 'H1', 'H1', 'H0', 'H1'], '--generations 6'],
    [['H1', 'H0', 'H0'], '--generations 4 --patience 4'],
    [['H1', 'H1', 'H1', 'H0', 'H0'], '--generations 6 --patience 4'],
    // Continued with --patience 4, then repeated without it
    [['H1', 'H0', 'H0', 'H0', 'H0'], '--generations 6 --patience 6'],
  ] as const)('a run with the verdicts %j can be continued with %s', (verdicts, options) => {
    const generations = verdicts.map((verdict, i) => entry(i + 1, 50, verdict));
    const steps = nextSteps('run', 'build', { settings, generations });
    expect(steps.at(-1)).toBe(`continue: the same command with ${options}`);
    const [most, patience = settings.patience] = options.match(/\d+/g)?.map(Number) ?? [];
    expect(hasEnded({ ...settings, generations: most, patience }, generations)).toBe(false);
  });

  test('a loop whose weights were installed is continued by a new loop', () => {
    const generations = [entry(1, 90, 'H1')];
    const steps = nextSteps('run', 'build', { settings, generations }, true);
    expect(steps.at(-1)).toBe('continue: the same command with --from shipped and another --out');
    expect(steps.join('\n')).not.toMatch(/^test:/m);
  });

  test('messages about a loop of several runs count the games and generations of all runs', () => {
    const runOf = (...verdicts: ('H1' | null)[]) => ({
      seed: 1,
      weights: '',
      generations: verdicts.map((verdict, i) => entry(i + 1, 60, verdict)),
    });
    const runs = [runOf('H1', 'H1', 'H1', 'H1', 'H1'), runOf('H1', 'H1', 'H1', 'H1', null)];
    expect(learnt({ ...ledger, runs })).toMatch(
      /^2 runs from zero, with 10,000 games in all, 9 of 10 generations accepted; the shipped weights took/,
    );
    const stepsOf = (runs: ReturnType<typeof runOf>[]) =>
      nextSteps('out', 'build', { settings, generations: [], runs });
    expect(stepsOf(runs).slice(1, 3)).toEqual(['report:   out/report.html', 'film:     out/run-1/film.html']);
    expect(stepsOf(runs).at(-1)).toBe('continue: the same command with --generations 6');
    expect(stepsOf([runs[0], runOf('H1', 'H1', null, null)]).at(-1)).toBe(
      'continue: the same command with --generations 6 --patience 4',
    );
  });

  test('the scores of an accepted generation against the pool are printed one per line', () => {
    expect(poolLines(entry(1, 90, 'H1', 64))).toEqual(['  against material: +64 -36 =0, Elo 100 +/- 61']);
    expect(poolLines(entry(1, 90, 'H0'))).toEqual([]);
  });

  test('ratioCourse returns the LLR at up to five points of a match and skips damaged lines', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heft-course-'));
    const pair = (llr: number) => JSON.stringify({ type: 'pairEnd', pair: 1, figures: { games: 2, llr, elo: 1 } });
    const lines = [...[0.5, 1, -1.5, 2.25, 2.96].map(pair), pair(3).slice(0, 20), '{"type":"runEnd"}'];
    writeFileSync(join(folder, 'events.jsonl'), lines.join('\n'));
    expect(ratioCourse(folder)).toBe('1.00 → -1.50 → 2.25 → 2.96');
    rmSync(folder, { recursive: true });
    expect(ratioCourse(folder)).toBe('');
  });

  test('a generation without a match is reported with the reason given by its fit', () => {
    const text = 'undecided, weights unchanged, about 300 games are needed: …';
    expect(unplayed({ claim: { isProven: false, text } })).toBe(text);
    expect(unplayed({ claim: null })).toBe('the fit left the weights unchanged');
  });
});
