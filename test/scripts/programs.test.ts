import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { ENGINE_NAME } from '../../engine/uci/options.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LAUNCHER = join(ROOT, 'scripts/heft');
const BENCH = readFileSync(join(ROOT, 'test/data/bench.txt'), 'utf8').trim();
const MATERIAL = join(ROOT, 'engine/eval/material.json');
const EVAL = 'position fen 4k3/8/8/8/8/8/PP6/4K3 w - - 0 1\neval\n';

const folder = mkdtempSync(join(tmpdir(), 'heft programs '));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const run = (file: string, args: string[], input = ''): string =>
  execFileSync(file, args, { input, encoding: 'utf8', cwd: folder, stdio: 'pipe' });
const script = (name: string): string => join(ROOT, 'scripts', name);
const pack = (...args: string[]): string => run(process.execPath, [script('standalone.mjs'), ...args]);

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  test('the launcher starts the engine from any folder, even through a symlink', () => {
    symlinkSync(LAUNCHER, at('link'));
    expect(run(at('link'), ['--version'])).toBe(`${ENGINE_NAME}\n`);
    expect(run(LAUNCHER, [], 'uci\n')).toMatch(/^id name Heft[\s\S]*\nuciok\n$/);
    expect(run(LAUNCHER, ['help'])).toMatch(/^usage: heft /);
  });

  const hasTerminal = spawnSync('script', ['--version']).status === 0;
  test.skipIf(!hasTerminal)('the launcher prints its name only in a terminal (needs the program `script`)', () => {
    const shown = execFileSync('script', ['-qec', `"${LAUNCHER}"`, '/dev/null'], { input: 'quit\n', encoding: 'utf8' });
    expect(shown).toContain(`${ENGINE_NAME} by the Heft authors; help lists the commands`);
    expect(run(LAUNCHER, [], 'quit\n')).toBe('');
  });
});

test('the batch file starts the same program and has CRLF line endings', () => {
  const text = readFileSync(script('heft.bat'), 'utf8');
  expect(text).toMatch(/^@echo off\r\n/);
  expect(text).toContain('node "%~dp0..\\dist\\engine\\main.js" %*\r\n');
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
});

test('the built engine needs only its main and worker scripts, weights and kernel', () => {
  for (const name of ['eval', 'kernel']) mkdirSync(at(`built/${name}`), { recursive: true });
  const files = ['main.js', 'worker.js', 'eval/weights.js', 'kernel/search.wasm', 'kernel/table.wasm'];
  for (const file of files) copyFileSync(join(ROOT, 'dist/engine', file), at(`built/${file}`));
  writeFileSync(at('built/package.json'), '{"type": "module"}');
  const input = 'uci\nsetoption name Threads value 2\ngo depth 6\nisready\n';
  expect(run(process.execPath, [at('built/main.js')], input)).toMatch(/^uciok\n[\s\S]*^bestmove /m);
});

describe.skipIf(process.platform === 'win32')('the single-file program', () => {
  test('the single-file program runs on its own, inside an ES module package, and with helper threads', () => {
    pack(at('alone'));
    copyFileSync(at('alone'), at('Heft-dev'));
    rmSync(at('alone'));
    writeFileSync(at('package.json'), '{"type": "module"}');
    const played = run(at('Heft-dev'), [], 'setoption name Threads value 2\ngo depth 6\nisready\n');
    expect(played).toMatch(/^bestmove /m);
    const nodes = (program: string): string => run(program, ['bench', '3']).split(' ')[0];
    expect(nodes(at('Heft-dev'))).toBe(nodes(LAUNCHER));
  });

  test('the single-file program embeds its weights and can expose the search parameters as options', () => {
    pack(at('material'), MATERIAL, '1');
    const said = run(at('material'), [], `uci\n${EVAL}`);
    expect(said).toMatch(/^option name lmrBase type spin/m);
    expect(said).toMatch(/^Evaluation: 200 /m);
    pack(at('untuned'), '', '0');
    expect(run(at('untuned'), [], 'uci\n')).not.toContain('lmrBase');
  });

  test('the build of the single-file program rejects a missing file name and invalid weights', () => {
    expect(() => pack()).toThrow(/expected the name of the output file/);
    writeFileSync(at('no-terms.json'), '{}');
    expect(() => pack(at('none'), at('no-terms.json'))).toThrow(/no-terms\.json: no "terms" object/);
    expect(existsSync(at('none'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('the executable', () => {
  test('the executable runs without Node, and its build does not overwrite an existing file', () => {
    const make = (): string => run(process.execPath, [script('executable.mjs'), at('heft')]);
    expect(make()).toContain('is a UCI engine');
    const licences = readFileSync(at('heft-licences.txt'), 'utf8');
    for (const words of [
      'AssemblyScript',
      'Apache License',
      `Node.js ${process.version}`,
      'Permission is hereby granted',
    ])
      expect(licences).toContain(words);
    const bare = { encoding: 'utf8', env: { PATH: '' } } as const;
    expect(execFileSync(at('heft'), ['bench'], bare).split(' ')[0]).toBe(BENCH);
    const input = 'setoption name Threads value 2\ngo depth 6\nisready\n';
    expect(execFileSync(at('heft'), { ...bare, input })).toMatch(/^bestmove /m);
    expect(make).toThrow(/heft exists: remove it/);
  }, 300_000);

  test('a failed build leaves no file behind', () => {
    // In KiB: more than Node, and less than Node with the engine
    const limit = Math.ceil(statSync(process.execPath).size / 1024) + 50;
    const make = (): string =>
      run('bash', [
        '-c',
        `ulimit -f ${limit}; exec "$@"`,
        'bash',
        process.execPath,
        script('executable.mjs'),
        at('part'),
      ]);
    expect(make).toThrow(/executable: /);
    expect(existsSync(at('part'))).toBe(false);
  }, 300_000);
});
