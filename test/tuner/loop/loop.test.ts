// Complete small loops: as the compiled program where processes are killed, otherwise in this process.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { unsealedJson } from '../../../selfplay/common/run-files.js';
import { loadWeights, readWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { isAccepted } from '../../../tuner/generations/acceptance.js';
import { type Ledger, type LoopSettings, PRESETS } from '../../../tuner/generations/settings.js';
import { Interrupted, type LoopObserver } from '../../../tuner/loop/context.js';
import { runLoop } from '../../../tuner/loop/run.js';
import { runSeveral } from '../../../tuner/loop/several.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { meanWeights } from '../../../tuner/weights/mean.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { SILENT } from '../../support/loop-run.js';
import { type Outcome, projectCopy, runProgram } from '../../support/program.js';
import { checksums } from '../../support/run-folder.js';
import { isLong, longTest } from '../../support/slow.js';

const inProject = (path: string): string => fileURLToPath(projectFile(path));
const MAIN = inProject('dist/tuner/loop/loop-main.js');
const root = mkdtempSync(join(tmpdir(), 'heft-loop-'));
afterAll(() => rmSync(root, { recursive: true }), 60_000);
const path = (name: string): string => join(root, name);

// These low bounds accept any candidate that sometimes draws. Generation 1 only needs to learn that the tempo is worth less than a queen.
// The result of generation 2 depends on the engine
const SMALL = {
  generations: 2,
  games: 40,
  nodes: 20,
  perGame: 10,
  // Scores from weights with such a tempo contain no information
  blend: 0,
  epochs: 5,
  window: 2,
  matchGames: 12,
  matchNodes: 30,
  elo0: -3000,
  elo1: -800,
  finalGames: 12,
  seed: 9,
  poolGames: 2,
  engine: [`cmd=${process.execPath} arg=${path('odds.mjs')} nodes=9 name=odds`],
} satisfies Partial<LoopSettings>;
const settings: LoopSettings = { ...PRESETS['smoke'], from: 'start.json', ...SMALL };
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const optionsOf = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => `--${kebab(name)}=${one}`));
const OPTIONS = ['--preset', 'smoke', '--from', 'start.json', ...optionsOf(SMALL)];

const run = (args: string[], main = MAIN): Promise<Outcome> => runProgram(main, args, root);

const ledgerOf = (folder: string): Ledger => unsealedJson(readFileSync(join(folder, 'ledger.json'), 'utf8')) as Ledger;

/** An undisturbed run for comparison. */
const whole = path('whole');
let ledger: Ledger;
let outcome: Outcome;
/** The last accepted generation. */
let best: number;
beforeAll(async () => {
  // Not the shipped weights, because the final match must be played
  const start = loadWeights('material');
  start.terms['material'][4] = [850, 950];
  // Two dozen games, even drawn ones, refute such a tempo, so that the first fit gains
  start.terms['tempo'][0] = [1500, 0];
  // With so few games, a value moves far only if it did in an earlier fit
  start.provenance = { families: { 'tempo, distance': [1500, 2] } };
  writeFileSync(path('start.json'), JSON.stringify(start));
  writeFileSync(path('odds.mjs'), `await import(${JSON.stringify(inProject('dist/engine/main.js'))});`);
  outcome = await run([...OPTIONS, '--out', 'whole', '--json', 'summary.json']);
  ledger = ledgerOf(whole);
  best = ledger.generations.findLast(({ accepted }) => accepted)?.generation ?? 0;
}, 600_000);

/** Runs the rest of a loop in this process. */
const loop = (folder: string, observer: Partial<LoopObserver> = {}, changes: Partial<LoopSettings> = {}) =>
  runLoop(folder, { ...settings, ...changes }, 1, { ...SILENT, ...observer });

describe('npm run loop', () => {
  test('npm run loop runs to completion and writes a ledger, a report and a summary', () => {
    const { code, stdout } = outcome;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^plan: learn from start\.json in up to 2 generations, .*\ntime: less than a minute; Ctrl-C/s,
    );
    expect(stdout).toMatch(/^generation 1 of 2: 40 games at 20 nodes per move \(.* left\)$/m);
    expect(stdout).toMatch(
      /^generation 1: accepted: Elo -?\d+\.\d \+\/- \d+\.\d \(stopped early\), LLR .*, Ptnml \[.*\]$/m,
    );
    for (const { weights } of ledger.generations) expect(stdout).toContain(`  weights ${weights.slice(0, 16)}\n`);
    expect(stdout).toMatch(/^ {2}against odds: \+[012] -[012] =[012], Elo -?\d+ \+\/- \d+$/m);
    expect(stdout).toMatch(/^ {2}LLR during the match: -?\d+\.\d\d( → -?\d+\.\d\d)*$/m);
    expect(stdout).toMatch(
      /^From start\.json to [+−]\d+ ± \d+ Elo in 80 games, [12] of 2 generations accepted; the shipped weights took [\d,]+ games\.$/m,
    );
    expect(stdout).toMatch(
      /\nAgainst the shipped weights: Elo .*\nweights: {2}whole\/weights\.json\nreport: .*\nfilm: .*\nplay: {5}node .*\ntest: {5}npm run match.*\ncontinue: .* --generations 3\n$/,
    );
    const engine = /^play: {5}node (\S+)/m.exec(stdout)?.[1] ?? '';
    expect(engine).toBe(join(whole, `generation-0${best}/build/engine/main.js`));
    expect(existsSync(engine)).toBe(true);
    expect(weightsHash(readWeights(join(whole, 'weights.json')))).toBe(ledger.final?.weights);
    expect(JSON.parse(readFileSync(path('summary.json'), 'utf8'))).toEqual({
      ...ledger,
      report: 'whole/report.html',
      installed: false,
    });
    const report = readFileSync(join(whole, 'report.html'), 'utf8');
    for (const text of ['generation 1', 'generation 2', 'the shipped weights', 'of 2 generations accepted', 'odds']) {
      expect(report).toContain(text);
    }
  });

  test('the ledger of npm run loop lists generations that build on each other', () => {
    const [first, second] = ledger.generations;
    const start = weightsHash(readWeights(path('start.json')));
    expect(first).toMatchObject({ accepted: true, match: { verdict: 'H1' } });
    expect([first.played, second.played]).toEqual([start, first.weights]);
    expect(first.weights).not.toBe(start);
    expect(second.match === null).toBe(second.weights === second.played);
    expect(second.accepted).toBe(second.match !== null && isAccepted(second.match));
    expect(ledger.final).toMatchObject({
      generation: best,
      weights: ledger.generations[best - 1].weights,
      match: { games: expect.any(Number) },
    });
    expect([first.fit.games, second.fit.games]).toEqual([40, 80]);
    expect(first.games).toBe(40);
    expect(weightsHash(readWeights(join(whole, 'generation-02/weights.json')))).toBe(second.weights);
    expect(JSON.stringify(ledger)).not.toContain('seconds');
    const met = ['material', 'shipped', 'odds'].map((opponent) => [opponent, 2]);
    for (const { accepted, pool } of ledger.generations) {
      expect(pool.map(({ opponent, games }) => [opponent, games])).toEqual(accepted ? met : []);
    }
    const folders = ['generation-01', 'generation-02', 'material-build', 'shipped-build', 'start-build'];
    const files = ['film.html', 'ledger.json', 'report.html', 'run.json', 'start.json', 'times.json', 'weights.json'];
    expect(readdirSync(whole).sort()).toEqual([...folders, ...files].sort());
  });
});

/** Runs a loop that sends itself a signal right after it has printed a text, however busy the machine is. */
function runUntil(text: string, signal: NodeJS.Signals, args: string[]): Promise<Outcome> {
  const main = join(mkdtempSync(join(root, 'until-')), 'main.mjs');
  const script = `
    const { write } = process.stdout;
    process.stdout.write = function (chunk, ...rest) {
      const isWritten = write.call(this, chunk, ...rest);
      if (chunk.includes(${JSON.stringify(text)})) process.kill(process.pid, '${signal}');
      return isWritten;
    };
    await import(${JSON.stringify(MAIN)});
  `;
  writeFileSync(main, script);
  return run(args, main);
}

describe('a loop', () => {
  test('a finished loop plays no further games', async () => {
    const { weights } = await loop(whole, { onStage: (text) => expect.unreachable(text) });
    expect(weightsHash(weights)).toBe(ledger.final?.weights);
    expect(ledgerOf(whole)).toEqual(ledger);
  });

  test('a loop rejects weights that differ from its ledger', async () => {
    for (const [file, fault] of [
      ['start.json', 'its hash differs from the one in ledger.json; restore the file'],
      [
        'generation-01/weights.json',
        'its hash differs from the one in fit.json; restore the file, or delete it to fit again',
      ],
    ]) {
      const folder = path(`foreign-${file.replaceAll('/', '-')}`);
      cpSync(whole, folder, { recursive: true });
      cpSync(inProject('engine/eval/material.json'), join(folder, file));
      await expect(loop(folder)).rejects.toThrow(`${join(folder, file)}: ${fault}`);
    }
  });

  test.each<Partial<LoopSettings>>([{ games: 25 }, { jitter: 16 }, { elo1: -440 }, { from: 'material' }, { seed: 6 }])(
    'a loop with the changed setting %o is rejected with a one-line error that names the setting',
    async (changes) => {
      const [name] = Object.keys(changes) as (keyof LoopSettings)[];
      const [before, now] = [settings[name], changes[name]].map((value) => JSON.stringify(value));
      const message = `${whole} holds a loop with ${name} ${before} (now ${now}); choose another --out, or delete this folder`;
      await expect(loop(whole, {}, changes)).rejects.toThrow(message);
      expect(ledgerOf(whole)).toEqual(ledger);
    },
  );

  test('a loop with a missing --engine exits with a one-line error and loses no results', async () => {
    writeFileSync(join(whole, 'ledger.json'), JSON.stringify({ ...ledger, generations: [], final: null }));
    rmSync(join(whole, 'generation-01/pool-3'), { recursive: true });
    renameSync(path('odds.mjs'), path('away.mjs'));
    try {
      await expect(loop(whole)).rejects.toThrow(/^engine 2 \(odds\) did not start: ended with exit code 1/);
    } finally {
      renameSync(path('away.mjs'), path('odds.mjs'));
    }
    await loop(whole);
    expect(ledgerOf(whole)).toEqual(ledger);
  }, 400_000);

  test('a loop can be run by only one process at a time', async () => {
    writeFileSync(join(whole, 'lock'), '1');
    await expect(loop(whole)).rejects.toThrow(`${whole} is in use by process 1`);
    rmSync(join(whole, 'lock'));
  });
});

describe.concurrent('an interrupted or damaged loop', () => {
  test('a loop stopped with Ctrl-C, killed and interrupted in several stages ends with the same ledger', async () => {
    const folder = path('broken');
    const args = [...OPTIONS, '--out', folder, '--workers', '1'];
    const stopped = await runUntil('1 of 2: 40 games at', 'SIGINT', args);
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/report so far.*\nstopped; .* continues the run\n$/);
    for (const page of ['report', 'film']) expect(existsSync(path(`broken/${page}.html`))).toBe(true);
    expect(existsSync(path('broken/lock'))).toBe(false);
    const stages = ['1 of 2: fitting', '1 of 2: match against', '1 of 2: matches against the pool'];
    for (const text of isLong ? stages : stages.slice(1, 2)) {
      const killed = await runUntil(text, 'SIGKILL', args);
      expect([killed.code, killed.stdout]).toEqual([null, expect.stringContaining(text)]);
    }

    mkdirSync(path('broken/generation-02'));
    const leftover = path(`broken/generation-02/curve.csv.tmp-${spawnSync(process.execPath, ['-e', '']).pid}`);
    writeFileSync(leftover, 'a killed process wrote this');
    const moments: ((stop: () => void) => Partial<LoopObserver>)[] = [
      (stop) => ({ onStage: (text) => text.startsWith('generation 2 of 2: fitting') && stop() }),
      (stop) => ({ onStatus: (text) => text.includes('prior from the data, round') && stop() }),
      (stop) => ({ onStatus: (text) => text.startsWith('fit: epoch') && stop() }),
      (stop) => ({ onMatch: stop }),
      (stop) => ({ onStage: (text) => text.startsWith('match against the shipped') && stop() }),
    ];
    for (const moment of moments.filter((_, i) => isLong || i % 2 === 1)) {
      const stop = new AbortController();
      const observer = { ...moment(() => stop.abort()), signal: stop.signal };
      await expect(loop(folder, observer)).rejects.toThrow(Interrupted);
    }
    // The last moment is in the match of generation 2, or in the last match if there is none
    const { generations, final } = ledgerOf(folder);
    expect({ generations, final }).toEqual({
      generations: ledger.generations.slice(0, generations.length),
      final: null,
    });
    await loop(folder);
    expect(ledgerOf(folder)).toEqual(ledger);
    expect(existsSync(leftover)).toBe(false);
  }, 900_000);

  longTest(
    'a loop with a damaged first generation repairs it and ends with the same ledger',
    async () => {
      const folder = path('damaged');
      cpSync(whole, folder, { recursive: true });
      const first = { ...ledger, generations: ledger.generations.slice(0, 1), final: null };
      writeFileSync(join(folder, 'ledger.json'), JSON.stringify(first));
      rmSync(join(folder, 'generation-02'), { recursive: true });
      truncateSync(join(folder, 'generation-01/weights.json'), 1000);
      truncateSync(join(folder, 'generation-01/games/shard-0003.vf'), 50);
      rmSync(join(folder, 'generation-01/games/shard-0005.vf'));
      rmSync(join(folder, 'generation-01/build'), { recursive: true });

      const notes: string[] = [];
      await loop(folder, { onNote: (note) => notes.push(note) });
      expect(notes).toEqual([
        expect.stringMatching(/generation-01\/games\/shard-0003\.vf is truncated: 50 of \d+ bytes; kept 0 of 2 games/),
        expect.stringMatching(/shard-0005\.vf is missing/),
      ]);
      expect(ledgerOf(folder)).toEqual(ledger);
      for (const games of ['generation-01/games', 'generation-02/games']) {
        expect(checksums(join(folder, games))).toEqual(checksums(join(whole, games)));
      }
    },
    400_000,
  );
});

describe.concurrent('--install', () => {
  const verdicts: [verdict: 'H1' | null, isInstalled: boolean][] = [
    [null, false],
    ['H1', true],
  ];
  test.each(verdicts)('--install after the verdict %s installs the weights: %s', async (verdict, isInstalled) => {
    const copy = projectCopy(root);
    const folder = `decided-${verdict}`;
    cpSync(whole, path(folder), { recursive: true });
    // A match without a verdict also proves a gain if its Elo exceeds the error
    const final = { ...ledger.final, match: { ...ledger.final?.match, verdict, elo: verdict === 'H1' ? 5 : 0 } };
    writeFileSync(join(path(folder), 'ledger.json'), JSON.stringify({ ...ledger, final }));
    const args = [...OPTIONS, '--out', folder, '--install', '--json', `${folder}.json`];
    const { code, stdout, stderr } = await run(args, join(copy, 'dist/tuner/loop/loop-main.js'));
    expect(code).toBe(0);
    // The tempo of start.json is unusual on purpose; nothing else may be reported
    expect(stderr).toMatch(
      /^(warning: decided-\w+\/(start|generation-0[12]\/weights)\.json: unusual weight: term "tempo", .*\n)+$/,
    );
    expect(stdout.includes('built\n')).toBe(isInstalled);
    expect(stdout.includes('with --from shipped and another --out\n')).toBe(isInstalled);
    expect(stdout.includes('not installed: no match proves that the weights are stronger')).toBe(!isInstalled);
    expect(JSON.parse(readFileSync(path(`${folder}.json`), 'utf8')).installed).toBe(isInstalled);
    const files = readdirSync(join(copy, 'engine/eval')).sort();
    expect(files).toEqual(
      ['material.json', ...(isInstalled ? ['ledger.json', 'weights.json', 'weights.ts'] : [])].sort(),
    );
    if (!isInstalled) return;
    const [entry, ...others] = JSON.parse(readFileSync(join(copy, 'engine/eval/ledger.json'), 'utf8'));
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ origin: 'loop', settings: ledger.settings, start: { provenance: {} } });
    expect(entry.generations).toEqual(ledger.generations);
    expect(entry).toHaveProperty('cpuHours');
    expect(weightsHash(readWeights(join(copy, 'engine/eval/weights.json')))).toBe(ledger.final?.weights);
    const module = await import(join(copy, 'engine/eval/weights.ts'));
    expect(weightsHash(module.WEIGHTS)).toBe(ledger.final?.weights);
  });
});

describe('a loop of several runs', () => {
  const several = (observer: Partial<LoopObserver> = {}, changes: Partial<LoopSettings> = {}) => {
    const one = {
      ...settings,
      from: path('start.json'),
      generations: 1,
      runs: 2,
      poolGames: 0,
      engine: [],
      ...changes,
    };
    return runSeveral(path(`several-${one.labelShare}`), one, 1, { ...SILENT, ...observer });
  };
  const runsOf = (folder: string) =>
    [1, 2].map((run) => readWeights(path(`${folder}/run-${run}/generation-01/weights.json`)));

  test('a loop of two runs ends with a fit to their labels, even after an interruption', async () => {
    const labels = { labelShare: 0.4, labelNodes: 40, labelRounds: 1 };
    const stop = new AbortController();
    const stages: string[] = [];
    const onStage = (text: string): void => {
      stages.push(text);
      if (text.startsWith('joint fit')) stop.abort();
    };
    await expect(several({ onStage, signal: stop.signal }, labels)).rejects.toThrow(Interrupted);
    expect(stages.filter((text) => /^(run|joint) /.test(text))).toEqual([
      'run 1 of 2',
      'run 2 of 2',
      'joint fit to the labels of 2 runs',
    ]);
    expect(existsSync(path('several-0.4/weights.json'))).toBe(false);

    const { ledger, weights } = await several({}, labels);
    const fits = (ledger.runs ?? []).map(({ generations }) => generations[0].fit);
    const [games, positions] = [fits[0].games + fits[1].games, fits[0].positions + fits[1].positions];
    expect(ledger.fit).toMatchObject({ games, positions });
    const mean = meanWeights(runsOf('several-0.4').map((part, i) => ({ name: `run-${i + 1}`, weights: part })));
    expect(weightsHash(readWeights(path('several-0.4/generation-01/mean.json')))).toBe(weightsHash(mean));
    expect(weights.provenance).toMatchObject({ start: weightsHash(mean), blend: PRESETS['full'].jointBlend });
    expect(ledger.final).toMatchObject({
      weights: weightsHash(weights),
      generation: 1,
      match: { games: expect.any(Number) },
    });
    const page = readFileSync(path('several-0.4/report.html'), 'utf8');
    for (const run of [1, 2]) expect(page).toContain(`<a href="run-${run}/report.html">run ${run}</a>`);
    expect(page).toContain(`weights ${weightsHash(weights)}`);
    expect(page).toContain(`Elo against the shipped weights over ${ledger.final?.match?.games} games`);
    expect(page).toContain(`fitted jointly to ${positions} labels from ${games} games.`);

    const again = await several({ onProgress: () => expect.unreachable('no further games') }, labels);
    expect(again.ledger).toEqual(ledger);

    // Another commit of the program keeps the joint fit and the last match
    const files = ['fit.json', 'final-match/games.jsonl'].map((file) => path(`several-0.4/generation-01/${file}`));
    const before = files.map((file) => readFileSync(file, 'utf8'));
    const ofBoth = { from: path('start.json'), generations: 1, runs: 2, poolGames: 0, engine: [] };
    const values = optionsOf({ ...SMALL, ...labels, ...ofBoth });
    const main = join(projectCopy(root), 'dist/tuner/loop/loop-main.js');
    const { code } = await run(['--preset', 'smoke', ...values, '--out', 'several-0.4', '--force'], main);
    expect([code, ...files.map((file) => readFileSync(file, 'utf8'))]).toEqual([0, ...before]);
  }, 240_000);

  test('a loop of two runs without labels ends with the mean of their weights', async () => {
    // The file of --from is needed only at the beginning
    const from = path('from.json');
    cpSync(path('start.json'), from);
    const onStage = (text: string): void => {
      if (text === 'run 2 of 2') rmSync(from);
    };
    const { ledger, weights } = await several({ onStage }, { from });
    expect(ledger.generations).toEqual([]);
    expect(ledger.fit).toBeUndefined();
    const { runs = [] } = ledger;
    const parts = runsOf('several-0');
    expect(runs.map((run) => run.weights)).toEqual(parts.map((part) => weightsHash(part)));
    expect(runs.map(({ seed }) => seed)).toEqual([settings.seed, settings.seed + 1]);
    for (const { generations } of runs) expect(generations[0]).toMatchObject({ games: 40, accepted: true });
    const vectors = parts.map((part) => toVector(HEFT, part));
    expect(toVector(HEFT, weights)).toEqual(vectors[0].map((value, i) => Math.round((value + vectors[1][i]) / 2) + 0));
    expect(weights.provenance['mean']).toEqual(
      runs.map((run, i) => ({ name: `run-${i + 1}`, weights: run.weights, factor: 0.5 })),
    );
    expect(weightsHash(readWeights(path('several-0/weights.json')))).toBe(weightsHash(weights));
    expect(unsealedJson(readFileSync(path('several-0/ledger.json'), 'utf8'))).toEqual(ledger);
    expect(unsealedJson(readFileSync(path('several-0/run-2/ledger.json'), 'utf8'))).toMatchObject({
      settings: { seed: runs[1].seed, runs: 1 },
      final: { match: null, line: 'not played' },
    });
  }, 240_000);
});
