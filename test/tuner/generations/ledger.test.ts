import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../selfplay/common/errors.js';
import { identityOf } from '../../../selfplay/common/options.js';
import { sealedJson } from '../../../selfplay/common/run-files.js';
import { type MatchResult, statisticsOf } from '../../../selfplay/match/match.js';
import { EMPTY_TALLY } from '../../../selfplay/statistics/tally.js';
import { loopFolder } from '../../../tuner/generations/folder.js';
import {
  bestBefore,
  hasEnded,
  lastGain,
  lastLabelled,
  openLedger,
  saveLedger,
} from '../../../tuner/generations/ledger.js';
import {
  type GenerationEntry,
  type Ledger,
  LOOP_OPTIONS,
  type LoopSettings,
  PRESETS,
  settingsOf,
} from '../../../tuner/generations/settings.js';
import { matchEntry, matchLine } from '../../../tuner/weights/shipped-ledger.js';

const root = mkdtempSync(join(tmpdir(), 'heft-ledger-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'));
});

const settings = PRESETS['smoke'];
const file = (): string => join(folder, 'ledger.json');
const generation = (number: number, accepted: boolean): GenerationEntry =>
  ({ generation: number, accepted }) as GenerationEntry;

describe('a ledger', () => {
  test('a ledger is created in an empty folder and read again', () => {
    const ledger = openLedger(folder, settings, '1.0', 77);
    expect(ledger).toEqual({ settings, engine: '1.0', bench: 77, generations: [], final: null });
    ledger.generations.push(generation(1, true));
    saveLedger(folder, ledger);
    expect(openLedger(folder, settings, 'another build', 77)).toEqual(ledger);
    expect(readdirSync(folder)).toEqual(['ledger.json']);
  });

  test.each([
    ['', false],
    ['-', false],
    ['--', true],
    ['-+-', false],
    ['+--', true],
    ['+-+-+', true],
  ])('a loop of 5 generations with a patience of 2 has ended after the verdicts %j: %s', (verdicts, isEnd) => {
    const entries = [...verdicts].map((verdict, i) => generation(i + 1, verdict === '+'));
    expect(hasEnded({ ...settings, generations: 5, patience: 2 }, entries)).toBe(isEnd);
  });

  test('a ledger with other settings or another engine is rejected and not changed', () => {
    openLedger(folder, settings, '1.0', 77);
    const before = readFileSync(file(), 'utf8');
    const other = { ...settings, games: 121 };
    expect(() => openLedger(folder, other, '1.0', 77)).toThrow(UserError);
    expect(() => openLedger(folder, other, '1.0', 77)).toThrow(
      `${folder} holds a loop with games 120 (now 121); choose another --out, or delete this folder`,
    );
    expect(() => openLedger(folder, settings, '1.0', 78)).toThrow(/another engine \(bench 77, now 78\)/);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  test.each([
    ['{"settings": {', /^\S+ledger\.json is not a loop's ledger: /],
    ['null', /it lists no generations/],
    ['{"settings": {}}', /it lists no generations/],
    ['{"generations": []}', /it has no settings/],
  ])('a ledger that contains %s is rejected with a one-line error', (text, message) => {
    writeFileSync(file(), text);
    expect(() => openLedger(folder, settings, '1.0', 77)).toThrow(UserError);
    expect(() => openLedger(folder, settings, '1.0', 77)).toThrow(message);
  });

  test('a finished ledger is reopened for more generations and unchanged for fewer', () => {
    const final = { weights: 'x', generation: 2, match: null, line: '' };
    const generations = [generation(1, true), generation(2, true), generation(3, false)];
    const ended = { settings, engine: '1.0', bench: 77, generations, final };
    saveLedger(folder, ended);
    const withMost = (most: number): Ledger => openLedger(folder, { ...settings, generations: most }, '1.0', 77);
    expect([1, 3, 4].map((most) => withMost(most).final)).toEqual([final, final, null]);
    expect(withMost(4).settings.generations).toBe(4);
    saveLedger(folder, { ...ended, generations: [...generations, generation(4, false)] });
    expect(withMost(9).final).toEqual(final);
  });

  test('bestBefore returns the last accepted generation before the given one', () => {
    const generations = [generation(1, false), generation(2, true), generation(3, false), generation(4, true)];
    expect([1, 2, 3, 4, 5].map((number) => bestBefore(generations, number))).toEqual([0, 0, 2, 2, 4]);
  });

  test('lastGain returns the last generation that was accepted, or undecided with a positive Elo', () => {
    const played = (number: number, verdict: 'H0' | null, elo: number) =>
      ({ ...generation(number, false), match: { verdict, elo } }) as GenerationEntry;
    const unplayed = { ...generation(4, false), match: null };
    expect(lastGain([generation(1, true), played(2, null, 3), played(3, 'H0', -9), unplayed])).toBe(2);
    expect(lastGain([generation(1, true), played(2, null, -3)])).toBe(1);
    expect(lastGain([played(1, null, -3), unplayed])).toBe(0);
  });

  test('lastLabelled returns the last generation with labels, accepted or not', () => {
    const unlabelled = { ...generation(1, true), labels: null };
    const labelled = (number: number) => ({ ...generation(number, false), labels: { positions: 9, nodes: 2000 } });
    expect(lastLabelled([unlabelled, labelled(2), labelled(3)])).toBe(3);
    expect(lastLabelled([unlabelled])).toBe(0);
  });
});

describe('settings', () => {
  test('every setting except generations and patience is part of the identity', () => {
    const identity = identityOf(LOOP_OPTIONS, settings);
    const names = Object.keys(settings) as (keyof LoopSettings)[];
    const same = names.filter((name) =>
      isDeepStrictEqual(identityOf(LOOP_OPTIONS, { ...settings, [name]: 'x' }), identity),
    );
    expect(same).toEqual(['generations', 'patience']);
  });

  test('explicit settings override the preset, including those without a default', () => {
    const others = { out: 'elsewhere', workers: 3 };
    expect(settingsOf('default', { games: 7, jitter: 1, ...others })).toEqual({
      ...PRESETS['default'],
      games: 7,
      jitter: 1,
    });
  });

  test.each(Object.keys(PRESETS))('the settings of the preset %s are consistent', (name) => {
    const { elo0, elo1, window, patience, games = 1, nodes = 1, matchGames = 2, ...rest } = PRESETS[name];
    expect(elo0).toBeLessThan(elo1);
    expect(Math.min(window, patience, games, nodes, matchGames, rest.matchNodes)).toBeGreaterThan(0);
  });
});

test('matchLine reports a match in the usual notation', () => {
  const sprt = { elo0: 0, elo1: 20, alpha: 0.05, beta: 0.05, model: 'normalized' } as const;
  const tally = { ...EMPTY_TALLY, wins: 30, losses: 20, draws: 50, penta: [2, 8, 25, 12, 3] } as typeof EMPTY_TALLY;
  const series = {
    engines: ['A', 'B'],
    failures: [],
    endings: {},
    remarks: [],
    repeatedPairs: 0,
    finished: true,
    seconds: 1,
    nodes: 2,
  };
  const result: MatchResult = { ...series, ...statisticsOf(tally, sprt) };
  expect(matchLine(result)).toMatch(
    /^Elo \d+\.\d \+\/- \d+\.\d, LLR \d\.\d\d \(-2\.94, 2\.94\) \[0, 20\], \+30 -20 =50, Ptnml \[2, 8, 25, 12, 3\]$/,
  );
  // Without an SPRT, the LLR would be that of hypotheses that nobody chose
  expect(matchLine({ ...result, sprt: null })).toMatch(
    /^Elo \d+\.\d \+\/- \d+\.\d, \+30 -20 =50, Ptnml \[2, 8, 25, 12, 3\]$/,
  );
  expect(matchEntry(result)).not.toHaveProperty('seconds');
  expect(matchEntry(result)).toMatchObject({ games: 100, wins: 30, penta: [2, 8, 25, 12, 3], verdict: null });
});

test('a stored fit is used only if fit and weights are both intact', () => {
  const loop = loopFolder(folder);
  const weights = readFileSync(new URL('../../../engine/eval/material.json', import.meta.url), 'utf8');
  const left = { fit: { k: 1 }, curve: [] };
  const write = (fit: string, set: string): void => {
    rmSync(loop.of(1), { recursive: true, force: true });
    saveLedger(loop.of(1), { settings, engine: '', bench: 0, generations: [], final: null });
    writeFileSync(loop.fit(1), fit);
    writeFileSync(loop.weights(1), set);
  };
  expect(loop.readFit(1)).toBeNull();
  write(JSON.stringify(left), weights);
  expect(loop.readFit(1)).toEqual(left);
  for (const fit of ['', '{"fit": {', 'null', '{"fit": {}}']) {
    write(fit, weights);
    expect(loop.readFit(1)).toBeNull();
  }
  write(JSON.stringify(left), weights.slice(0, 500));
  expect(loop.readFit(1)).toBeNull();
  write(sealedJson(left), weights);
  expect(loop.readFit(1)).toEqual(left);
  write(sealedJson(left).replace('"k":1', '"k":2'), weights);
  expect(loop.readFit(1)).toBeNull();
});
