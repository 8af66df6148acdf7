// The packed library in other hosts and bundlers: each host runs the tests of the package, each bundle plays a game in Chromium, and an
// older TypeScript compiles programs. HEFT_HOSTS=1 (npm run test:long) installs them from npm into a temporary folder; otherwise the
// tests are skipped.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BrowserPage, CHROMIUM } from '../support/chromium.js';
import { servedFolder } from '../support/file-server.js';
import { runsPackage } from '../support/package-runs.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODES = [20, 22, 24, 26];
const PACKAGES = ['bun', 'deno', 'esbuild', 'rolldown', 'typescript@5', 'vite', 'webpack', 'webpack-cli'];

const folder = mkdtempSync(join(tmpdir(), 'heft-hosts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const installed = (path: string): string => join(folder, 'node_modules', path);

/** A host's program, and its arguments before the script. */
const HOSTS: [string, string, string[]][] = [
  ...NODES.map((version): [string, string, string[]] => [`Node ${version}`, `node${version}/bin/node`, []]),
  ['Bun', '.bin/bun', []],
  ['Deno', '.bin/deno', ['run', '-A']],
];
/** Compiler options besides `strict`, and the file of a program. */
const RESOLUTIONS: [string, object, string][] = [
  ['node', { module: 'CommonJS', moduleResolution: 'node10' }, 'program.ts'],
  ['node16', { module: 'Node16', moduleResolution: 'node16' }, 'program.ts'],
  ['nodenext', { module: 'NodeNext', moduleResolution: 'nodenext' }, 'program.ts'],
  ['bundler', { module: 'ESNext', moduleResolution: 'bundler' }, 'program.ts'],
  ['plain JavaScript', { module: 'NodeNext', allowJs: true, checkJs: true }, 'program.js'],
];
const program = (depth: string): string => `
  import { createEngine, createPosition } from 'heft-chess';
  import * as browser from 'heft-chess/browser';
  import * as inline from 'heft-chess/inline';
  export const best = async () => (await (await createEngine({ hash: 1 })).search({ depth: ${depth} })).bestMove?.slice(0, 4);
  export const engines = [browser.createEngine({ worker: '/uci.js' }), inline.createEngine({ threads: 2 })];
  export const end = createPosition().play('e4').end?.slice(0, 4);`;

/**
 * Bundlers run with the newest Node, which some need. Vite and webpack follow the worker's URL; the others use the entry with the embedded
 * worker.
 */
const BUNDLERS: [string, string, (out: string) => string[]][] = [
  [
    'esbuild',
    'heft-chess/inline',
    (out) => ['esbuild/bin/esbuild', 'app.js', '--bundle', '--format=esm', `--outfile=${out}/app.js`],
  ],
  [
    'rolldown',
    'heft-chess/inline',
    (out) => ['rolldown/bin/cli.mjs', 'app.js', '--platform', 'browser', '--file', `${out}/app.js`],
  ],
  [
    'webpack',
    'heft-chess',
    (out) => ['webpack/bin/webpack.js', './app.js', '--mode', 'production', '-o', out, '--output-filename', 'app.js'],
  ],
  ['vite', 'heft-chess', (out) => ['vite/bin/vite.js', 'build', '.', '--base', './', '--outDir', out]],
];
const PAGE = '<!doctype html><title>game</title><script type="module" src="./app.js"></script>';
const game = (entry: string): string => `
  import { createEngine, createPosition } from '${entry}';
  const play = async () => {
    const engine = await createEngine({ hash: 1 });
    let position = createPosition();
    while (position.end === null && position.moves.length < 600)
      position = position.play((await engine.search({ moves: position.moves, nodes: 200 })).bestMove);
    engine.close();
    return position.moves.length + ' plies: ' + position.end;
  };
  globalThis.result = play().catch(({ message }) => message);`;

describe.runIf(process.env['HEFT_HOSTS'] !== undefined)('the packed library', { timeout: 300_000 }, () => {
  beforeAll(() => {
    execFileSync('npm', ['--silent', 'pack', '-w', 'heft-chess', '--pack-destination', folder], { cwd: ROOT });
    const [tarball] = readdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const nodes = NODES.map((version) => `node${version}@npm:node@${version}`);
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', `./${tarball}`, ...PACKAGES, ...nodes]);
    writeFileSync(join(folder, 'index.html'), PAGE);
  }, 600_000);

  describe.each(HOSTS)('run by %s', (_, program, args) => runsPackage(folder, installed(program), args));

  test.each(RESOLUTIONS)('TypeScript 5 compiles a program with %s', (_, options, file) => {
    const lib = ['ES2022'];
    const compilerOptions = { target: 'ES2022', lib, strict: true, noEmit: true, types: [], ...options };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const compile = (): string => run(process.execPath, [installed('typescript/bin/tsc'), '-p', '.']);
    writeFileSync(join(folder, file), program('6'));
    expect(compile()).toBe('');
    writeFileSync(join(folder, file), program("'6'"));
    expect(compile).toThrow(/Command failed/);
  });

  test.skipIf(CHROMIUM === undefined).each(BUNDLERS)('a bundle built by %s plays a game', async (name, entry, args) => {
    writeFileSync(join(folder, 'app.js'), game(entry));
    const out = join(folder, name);
    mkdirSync(out);
    const [program, ...rest] = args(out);
    const isNative = name === 'esbuild';
    const node = installed(`node${NODES.at(-1)}/bin/node`);
    run(isNative ? installed(program) : node, isNative ? rest : [installed(program), ...rest]);
    if (name !== 'vite') writeFileSync(join(out, 'index.html'), PAGE);
    const server = await servedFolder(out);
    const page = await BrowserPage.open(`${server.origin}/index.html`);
    try {
      expect(await page.evaluate('globalThis.result')).toMatch(/^\d+ plies: [a-z]/);
    } finally {
      await page.close();
      server.close();
    }
  });
});
