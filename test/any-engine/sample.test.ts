// Tests the sample program of docs/any-engine.md: fits its rows, emits the fitted values as a C header, builds the program with it, and
// compares the evaluations.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatFen } from '../../engine/board/fen.js';
import { defaultSettings } from '../../selfplay/common/options.js';
import { projectFile } from '../../selfplay/common/program.js';
import { replay } from '../../selfplay/records/record.js';
import { encodeGame } from '../../selfplay/records/viriformat.js';
import { evaluations } from '../../tuner/objective/loss.js';
import { rowsFiles } from '../../tuner/rows/file.js';
import { programRows } from '../../tuner/rows/program-rows.js';
import { FILTER_OPTIONS } from '../../tuner/trace/sample.js';
import { toVector } from '../../tuner/weights/weights-file.js';
import { playGames } from '../support/games.js';
import { runProgram } from '../support/program.js';
import { slowTest } from '../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
const SOURCE = fileURLToPath(projectFile('test/any-engine/sample.c'));
const RESULTS = ['0', '0.5', '1'];
const folder = mkdtempSync(join(tmpdir(), 'heft-sample-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

function compile(program: string, ...flags: string[]): void {
  execFileSync('cc', ['-O1', '-Wall', '-Wextra', '-Werror', ...flags, '-o', path(program), SOURCE]);
}
const answer = (program: string, mode: string, input: string): string =>
  execFileSync(path(program), [mode], { input, encoding: 'utf8', maxBuffer: 1 << 27 });

// Needs a C compiler
describe.skipIf(spawnSync('cc', ['--version']).status !== 0)('the sample program', () => {
  const games = playGames(40, 3);
  let positions = '';
  for (const [index, game] of games.entries()) {
    replay(game, (_, __, ply) => {
      if (ply % 4 === 0) positions += `${formatFen()};${RESULTS[game.result]};g${index}\n`;
    });
  }
  beforeAll(() => {
    compile('sample');
    writeFileSync(path('games.vf'), Buffer.concat(games.map(encodeGame)));
    writeFileSync(path('rows.tsv'), answer('sample', 'rows', positions));
  });

  test('the sample program, built with weights fitted to its rows, prints the fitted evaluation', async () => {
    const options = ['--rows', 'rows.tsv', '--start', 'material', '--l2', '1', '--certainty', '0', '--no-study'];
    const run = await runProgram(
      MAIN,
      [...options, '--emit', 'c', '--macro', 'S', '--type', 'Score', '--out', 'fit'],
      folder,
    );
    expect([run.code, run.stderr]).toEqual([0, '']);
    compile('fitted', `-DWEIGHTS="${path('fit/weights.h')}"`);

    const producer = await rowsFiles([path('rows.tsv')]);
    const weights = toVector(producer.model, producer.weights(path('fit/weights.json')));
    const start = toVector(producer.model, producer.weights('material'));
    expect(weights.filter((value, i) => value !== start[i]).length).toBeGreaterThan(100);
    const { dataset } = await producer.load(weights, {});
    const printed = answer('fitted', 'eval', positions).trim().split('\n').map(Number);
    // The program rounds towards zero
    expect(printed).toEqual([...evaluations(dataset, weights)].map((value) => Math.trunc(value) + 0));
    expect(answer('sample', 'eval', positions)).not.toEqual(answer('fitted', 'eval', positions));
    // Its own rows pass the check of the evaluation
    writeFileSync(path('again.tsv'), answer('fitted', 'rows', positions));
    await (await rowsFiles([path('again.tsv')])).load(weights, {});
  });

  slowTest('the sample program traces the same rows in two processes as in one', async () => {
    const filter = { ...defaultSettings(FILTER_OPTIONS), perGame: 5 };
    const load = async (workers: number) => {
      const settings = { ...filter, data: [path('games.vf')], workers };
      const producer = await programRows(settings, `${path('sample')} trace`);
      const loaded = await producer.load(new Float64Array(0), {});
      return { loaded, fens: await producer.positions(loaded, [0, 7], new Float64Array(0), {}) };
    };
    const [one, two] = [await load(1), await load(2)];
    const { dataset } = one.loaded;
    expect(two).toEqual(one);
    expect(dataset.phase.length).toBeGreaterThan(100);
    expect(one.loaded.dataSummary).toMatchObject({ games: 40, kept: dataset.phase.length });
    // A row belongs to its position
    const lines = [...one.fens.values()].map((fen) => `${fen};1;g`).join('\n');
    writeFileSync(path('two.tsv'), answer('sample', 'rows', `${lines}\n`));
    const again = await (await rowsFiles([path('two.tsv')])).load(new Float64Array(0), {});
    const rowAt = (row: number, { offsets, packed }: typeof dataset) => [
      ...packed.subarray(offsets[row], offsets[row + 1]),
    ];
    expect([rowAt(0, again.dataset), rowAt(1, again.dataset)]).toEqual([rowAt(0, dataset), rowAt(7, dataset)]);
  });

  test('--columns applies to positions that a program traces', async () => {
    const fens = positions
      .trim()
      .split('\n')
      .map((line) => line.split(';')[0])
      .slice(0, 40);
    writeFileSync(path('labelled.csv'), fens.map((fen, i) => `${fen},${i % 2}\n`).join(''));
    const filter = { ...defaultSettings(FILTER_OPTIONS), data: [path('labelled.csv')], workers: 1 };
    const settings = { ...filter, columns: 'fen=1,result=-1/0/1' };
    const producer = await programRows(settings, `${path('sample')} trace`);
    const { dataset } = await producer.load(new Float64Array(0), {});
    // 0 is a draw on this scale, not a loss
    expect(new Set(dataset.result)).toEqual(new Set([1, 2]));
  });

  test('the guide quotes the source of the sample unchanged', () => {
    const guide = readFileSync(fileURLToPath(projectFile('docs/any-engine.md')), 'utf8');
    const source = readFileSync(SOURCE, 'utf8')
      .split('\n')
      .map((line) => line.trim());
    const blocks = [...guide.matchAll(/```c\n([\s\S]*?)```/g)].flatMap(([, block]) => block.split('\n'));
    const shown = blocks.map((line) => line.trim()).filter((line) => line !== '' && line !== '…');
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.filter((line) => !source.includes(line))).toEqual([]);
  });
});
