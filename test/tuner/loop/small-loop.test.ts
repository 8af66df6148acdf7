// The smallest loop in this process, and invalid arguments. Complete loops are tested in loop.test.ts, which is slow.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { unsealedJson } from '../../../selfplay/common/run-files.js';
import { loadWeights, readWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { type LoopSettings, PRESETS } from '../../../tuner/generations/settings.js';
import { Interrupted, type LoopObserver, type LoopTimes } from '../../../tuner/loop/context.js';
import { runLoop } from '../../../tuner/loop/run.js';
import { SILENT } from '../../support/loop-run.js';
import { runProgram } from '../../support/program.js';
import { someOf } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/loop/loop-main.js'));
const root = mkdtempSync(join(tmpdir(), 'heft-small-loop-'));
afterAll(() => rmSync(root, { recursive: true }));
const path = (name: string): string => join(root, name);

const start = loadWeights('material');
start.terms['material'][4] = [850, 950];
writeFileSync(path('start.json'), JSON.stringify(start));

const settings: LoopSettings = {
  ...PRESETS['smoke'],
  from: path('start.json'),
  generations: 1,
  games: 6,
  nodes: 20,
  perGame: 10,
  epochs: 4,
  window: 2,
  seed: 7,
  matchGames: 6,
  matchNodes: 20,
  elo0: -900,
  elo1: -450,
  finalGames: 2,
  poolGames: 2,
  labelShare: 0.3,
  labelNodes: 20,
  labelRounds: 2,
};
const loop = (observer: Partial<LoopObserver> = {}, changes: Partial<LoopSettings> = {}) =>
  runLoop(path('run'), { ...settings, ...changes }, 1, { ...SILENT, ...observer });

describe('a small loop', () => {
  test('a small loop resumes after interruptions before its fit, and plays no more games once it is finished', async () => {
    const labelling = new AbortController();
    await expect(
      loop({ onProgress: ({ label }) => label.startsWith('labels') && labelling.abort(), signal: labelling.signal }),
    ).rejects.toThrow(Interrupted);
    const stages: string[] = [];
    const stop = new AbortController();
    const onStage = (text: string): void => {
      stages.push(text);
      if (text.includes('fitting the weights')) stop.abort();
    };
    // As one of several runs; the others take two hours
    const extended = ({ left, whole }: LoopTimes): LoopTimes => ({ left: left + 7200, whole: whole + 7200 });
    await expect(loop({ onStage, extended, signal: stop.signal })).rejects.toThrow(Interrupted);
    expect(stages).toEqual([
      expect.stringMatching(/\ntime: about 2 hours; /),
      expect.stringMatching(/^generation 1 of 1: 6 games at 20 nodes .*\(about 2 hours left\)$/),
      expect.stringMatching(
        /^generation 1 of 1: labels for 10 positions per game, 20 nodes each.*\(about 2 hours left\)$/,
      ),
      expect.stringMatching(/^generation 1 of 1: fitting the weights \(about 2 hours left\)$/),
    ]);
    // The report may fail, but the weights must not be lost
    const [weightsAt, reportAt] = ['weights.json', 'report.html'].map((file) => statSync(path(`run/${file}`)).mtimeMs);
    expect(weightsAt).toBeLessThanOrEqual(reportAt);

    const { ledger, weights } = await loop({ onProgress: ({ games }) => expect(games).toBe(6) });
    const start = weightsHash(readWeights(path('run/start.json')));
    const [entry] = ledger.generations;
    expect(entry).toMatchObject({
      generation: 1,
      games: 6,
      played: start,
      accepted: entry.match?.verdict === 'H1',
    });
    expect(entry.labels).toEqual({ positions: expect.any(Number), nodes: 20 });
    const manifest = JSON.parse(readFileSync(path('run/generation-01/labels/manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ complete: true, games: 6, positions: entry.labels?.positions });
    // The second round is searched with the weights of the first, which has about half the labels
    const draft = weightsHash(readWeights(path('run/generation-01/draft-1/weights.json')));
    expect(manifest.settings).toMatchObject({ weightsHash: draft, nodes: 20, resolve: 'none' });
    const draftManifest = JSON.parse(readFileSync(path('run/generation-01/draft-1/labels/manifest.json'), 'utf8'));
    expect(draftManifest.settings).toMatchObject({ weightsHash: entry.played, nodes: 20 });
    expect(draftManifest.positions / manifest.positions).toBeLessThan(0.7);
    expect(entry.weights).toBe(weightsHash(readWeights(path('run/generation-01/weights.json'))));
    expect(readWeights(path('run/generation-01/weights.json')).provenance).toMatchObject({
      blend: 0.9,
      resolve: 'none',
    });
    // A fit to so few games may change nothing, and then no match is played
    expect(entry.match === null).toBe(entry.weights === start);
    if (entry.match === null) expect(entry.line).toMatch(/^undecided, weights unchanged, about \d+ games are needed: /);
    expect(entry.pool.map(({ opponent }) => opponent)).toEqual(entry.accepted ? ['material', 'shipped'] : []);
    expect(weightsHash(weights)).toBe(entry.accepted ? entry.weights : start);
    // The match decides, so the fit may use a lower certainty
    expect(readWeights(path('run/generation-01/weights.json')).provenance['certainty']).toBe(1);
    expect(ledger.final).toMatchObject({ weights: weightsHash(weights), match: { games: 2 } });
    expect(readFileSync(path('run/report.html'), 'utf8')).toContain('generation 1');
    expect(unsealedJson(readFileSync(path('run/ledger.json'), 'utf8'))).toEqual(ledger);
    expect(existsSync(path('run/lock'))).toBe(false);

    const again = await loop({ onStage: (text) => expect.unreachable(text) });
    expect(again.ledger).toEqual(ledger);

    const steps = new Set<string>();
    const { ledger: longer } = await loop({ onProgress: ({ label }) => steps.add(label) }, { generations: 2 });
    expect([...steps]).toEqual(['self-play', 'labels of round 1', 'labels']);
    expect(longer.generations).toHaveLength(2);
    expect(longer.generations[0]).toEqual(entry);
    const labelled = ['labels', 'draft-1/labels'].map((of) =>
      JSON.parse(readFileSync(path(`run/generation-02/${of}/manifest.json`), 'utf8')),
    );
    expect(labelled.map(({ games }) => games)).toEqual([12, 6]);
    // The prior remains at the start of the run
    expect(readWeights(path('run/generation-02/weights.json')).provenance['prior']).toBe(start);
    expect(longer.final?.generation).toBe(
      [...longer.generations].reverse().find(({ accepted }) => accepted)?.generation ?? 0,
    );
    expect(longer.final).not.toBeNull();
  }, 240_000);

  test('a damaged draft is fitted again', async () => {
    const file = path('run/generation-01/draft-1/weights.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.slice(0, 99));
    rmSync(path('run/generation-01/fit.json'));
    await loop();
    expect(readFileSync(file, 'utf8')).toBe(before);
  }, 240_000);

  test('a small loop rejects a changed setting with a one-line error, and rejects a second process', async () => {
    const files = readdirSync(path('run'));
    await expect(loop({}, { games: 7 })).rejects.toThrow(
      `${path('run')} holds a loop with games 6 (now 7); choose another --out, or delete this folder`,
    );
    writeFileSync(path('run/lock'), '1');
    await expect(loop()).rejects.toThrow(`${path('run')} is in use by process 1`);
    rmSync(path('run/lock'));
    expect(readdirSync(path('run'))).toEqual(files);
  });
});

describe.concurrent('invalid arguments', () => {
  writeFileSync(path('file'), '');
  const cases: [string, number, string, string[]][] = [
    ['an unknown option', 2, 'Unknown argument: nonsense', ['--nonsense']],
    ['an unknown preset', 2, 'Invalid values', ['--preset', 'nonsense']],
    ['zero games', 2, '--games takes a whole number of at least 1, not 0', ['--games', '0']],
    ['text instead of a number', 2, '--elo1 takes a number, not much', ['--elo1', 'much']],
    ['equal bounds', 2, '--elo0 must be less than --elo1, but they are 5 and 5', ['--elo0', '5', '--elo1', '5']],
    ['a match that cannot decide', 2, '--match-games 4: even a candidate that wins every game', ['--match-games', '4']],
    ['scores without labels', 2, '--blend requires labels', ['--label-share', '0', '--blend', '0.5']],
    ['leaf rounds without labels', 2, '--leaf-rounds requires labels', ['--label-share', '0', '--leaf-rounds', '3']],
    ['rounds without labels', 2, '--label-rounds requires labels', ['--label-share', '0', '--label-rounds', '3']],
    [
      'a joint fit without labels',
      2,
      '--joint-blend requires labels',
      ['--label-share', '0', '--runs', '2', '--joint-blend', '0.5'],
    ],
    [
      'an engine without a pool',
      2,
      '--engine plays only in matches against the pool',
      ['--engine', 'cmd=x', '--pool-games', '0'],
    ],
    ['--install with a short final match', 2, '--final-games 2: even', ['--install', '--final-games', '2']],
    ['--install without a final match', 2, '--install requires the match', ['--install', '--final-games', '0']],
    ['a joint fit of one run', 2, '--joint-blend requires several runs', ['--joint-blend', '0.5']],
    ['too much jitter', 2, '--jitter takes a whole number from 0 to 200, not 201', ['--jitter', '201']],
    ['an engine without a program', 2, '--engine needs cmd=', ['--engine', 'nodes=5']],
    ['two runs from missing weights', 1, 'cannot read weights none.json', ['--from', 'none.json', '--runs', '2']],
    ['missing weights', 1, 'cannot read weights none.json: no such file or directory', ['--from', 'none.json']],
    ['a file where a folder is needed', 1, 'cannot create the folder file/x', ['--out', 'file/x']],
    ['a missing engine', 1, 'engine 1 (nowhere) did not start: ', ['--engine', 'cmd=./nowhere']],
    ['an unwritable folder', 1, 'cannot create the folder /proc/heft', ['--out', '/proc/heft']],
  ];
  test.each(someOf(cases))('%s exits with code %i and an error: %s', async (_, code, message, args) => {
    const out = `never-${args.join('')}`.replace(/\W/g, '');
    const result = await runProgram(MAIN, [...args, ...(args.includes('--out') ? [] : ['--out', out])], root);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toMatch(/\n {4}at /);
    expect(existsSync(path(out))).toBe(false);
  });
});
