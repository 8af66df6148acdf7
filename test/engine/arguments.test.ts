import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { someOf } from '../support/slow.js';
import { EngineProcess, MAIN, runEngine } from './engine-process.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = join(folder, 'good weights.json');
const terms = { material: Array(5).fill([50, 50]), psqt: Array(384).fill([0, 0]), tempo: [[11, 11]] };
writeFileSync(GOOD, JSON.stringify({ terms }));
const CUT = join(folder, 'cut.json');
writeFileSync(CUT, '{"terms": nothing}');
const EVAL = 'position fen 4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1\neval\n';

test('genfens accepts its command as one argument or as several', async () => {
  const [one, several] = await Promise.all([
    runEngine(['genfens 2 seed 7 book None', 'quit']),
    runEngine(['genfens', '2', 'seed', '7']),
  ]);
  expect([one.code, one.stderr]).toEqual([0, '']);
  expect(one.stdout).toMatch(/^(info string genfens \S+ [wb] \S+ \S+ \d+ \d+\n){2}$/);
  expect(several).toEqual(one);
});

test('a file name with spaces is a single argument', async () => {
  const book = join(folder, 'a book.epd');
  writeFileSync(book, '4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1\n');
  const { code, stdout } = await runEngine(['genfens', '1', 'seed', '7', 'book', book]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^info string genfens \S+ [wb] /)]);
});

test.skipIf(process.platform === 'win32')('the engine starts in a folder that has been deleted', () => {
  const gone = join(folder, 'gone');
  const command = `mkdir "${gone}" && cd "${gone}" && rmdir "${gone}" && exec "${process.execPath}" "${MAIN}"`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { input: 'go depth 1\n' });
  expect([status, `${stderr}`]).toEqual([0, '']);
  expect(`${stdout}`).toMatch(/^bestmove /m);
});

test.skipIf(!existsSync('/dev/full'))('a command exits with code 1 if it cannot write its output', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--help'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  expect([status, `${stderr}`]).toEqual([
    1,
    'error: cannot write the output: ENOSPC: no space left on device, write\n',
  ]);
});

test('genfens prints each position as soon as it is found', async () => {
  // A full run would take an hour
  const engine = new EngineProcess('genfens 1000000 seed 7 book None', 'quit');
  try {
    await engine.until(/^info string genfens /);
  } finally {
    engine.kill();
  }
});

test('--weights and EvalFile load weights, and a corrupt file leaves them unchanged', async () => {
  const [plain, loaded, options] = await Promise.all([
    runEngine([], EVAL),
    runEngine(['--weights', GOOD], EVAL),
    runEngine(
      [],
      `setoption name EvalFile value ${CUT}\n${EVAL}setoption name EvalFile value ${GOOD}\n${EVAL}go depth 1\n`,
    ),
  ]);
  const evaluations = (stdout: string): string[] => stdout.match(/^Evaluation: -?\d+/gm) ?? [];
  const [before] = evaluations(plain.stdout);
  expect(before).not.toBe('Evaluation: 61');
  expect([loaded.code, evaluations(loaded.stdout)]).toEqual([0, ['Evaluation: 61']]);
  expect([options.code, evaluations(options.stdout)]).toEqual([0, [before, 'Evaluation: 61']]);
  expect(options.stdout).toMatch(/^info string error: EvalFile .*cut\.json/m);
  expect(options.stdout).toContain(`info string weights loaded from ${GOOD}\n`);
  expect(options.stdout).toMatch(/^bestmove /m);
});

test('an empty EvalFile, which some GUIs send at the start, restores the weights of --weights', async () => {
  const material = `setoption name EvalFile value engine/eval/material.json\n${EVAL}`;
  const empty = `setoption name EvalFile value <empty>\n${EVAL}`;
  const { stdout } = await runEngine(['--weights', GOOD], `${empty}${material}${empty}`);
  expect(stdout.match(/^Evaluation: -?\d+/gm)).toEqual(['Evaluation: 61', 'Evaluation: 100', 'Evaluation: 61']);
});

const wrong: [string, string[], RegExp][] = [
  ['a missing weights file', ['--weights', join(folder, 'none.json')], /none\.json/],
  ['a corrupt weights file', ['--weights', CUT, 'bench', '2'], /^error: --weights .*cut\.json: not valid JSON$/m],
  ['--weights without a file', ['--weights'], /--weights/],
  ['an unknown argument', ['--colour', 'blue'], /--colour/],
];
test.each(someOf(wrong))('%s is rejected with one line and exit code 2', async (_, args, message) => {
  const { code, stdout, stderr } = await runEngine(args, 'uci\nquit\n');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toMatch(message);
});
