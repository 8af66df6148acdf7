import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINE_NAME } from '../../engine/uci/options.js';
import { EXAMPLES } from '../support/library-examples.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const inRoot = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const isWindows = process.platform === 'win32';

/** A folder with nothing but the package. */
const folder = mkdtempSync(join(tmpdir(), 'heft-npm-'));
afterAll(() => rmSync(folder, { recursive: true }));

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', ['--silent', ...args], { cwd, encoding: 'utf8', shell: isWindows });
const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

beforeAll(() => {
  npm(ROOT, 'pack', '-w', 'heft-chess', '--pack-destination', folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`);
}, 180_000);

test('the package is small, has no dependency and runs nothing when it is installed', () => {
  const installed = join(folder, 'node_modules');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((name) => join(installed, name));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(2 ** 20);
  expect(files.filter((file) => file.endsWith('.wasm'))).toHaveLength(2);
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['heft-chess']);
  const { dependencies, scripts } = JSON.parse(readFileSync(join(installed, 'heft-chess/package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(Object.keys(scripts).filter((name) => name.includes('install'))).toEqual([]);
});

test('its version is that of the repository and of the engine', () => {
  const { version } = JSON.parse(inRoot('package.json'));
  expect(JSON.parse(inRoot('engine/npm/package.json')).version).toBe(version);
  expect(ENGINE_NAME).toBe(`Heft ${version}`);
});

test("the program has the repository's bench", () => {
  const [nodes] = npm(folder, 'exec', '--offline', '--', 'heft', 'bench').trim().split(' ');
  expect(nodes).toBe(inRoot('test/data/bench.txt').trim());
});

test.each(EXAMPLES)('example %$ of the README runs', ({ code, printed }) => {
  writeFileSync(join(folder, 'example.mjs'), code);
  expect(node('example.mjs')).toMatch(printed);
});

test('programs that use it are checked against its types', () => {
  const program = (depth: string): string => `
    import { createEngine, createPosition, type Engine, type SearchInfo } from 'heft-chess';
    const engine: Engine = await createEngine({ hash: 8, threads: 1 });
    const best: string | null = (await engine.search({ depth: ${depth} }, { onInfo: (info: SearchInfo) => void info.pv })).bestMove;
    const names: string[] = (await engine.evaluate()).terms.map(({ name }) => name);
    const end: 'checkmate' | string | null = createPosition().play('e4').end;
    engine.close();
    export { best, end, names };`;
  const options = { module: 'NodeNext', target: 'ES2023', strict: true, noEmit: true, skipLibCheck: false, types: [] };
  const compilerOptions = { ...options, lib: ['ES2023', 'DOM'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  writeFileSync(join(folder, 'program.ts'), program('6'));
  expect(node(TSC, '-p', '.')).toBe('');
  writeFileSync(join(folder, 'program.ts'), program("'6'"));
  expect(() => node(TSC, '-p', '.')).toThrow(/Command failed/);
});
