// The packed library in other hosts and bundlers: in each host every misuse is a typed error, each bundle plays a game against itself in
// Chromium. HEFT_HOSTS=1 (npm run test:long) installs hosts and bundlers from npm into a temporary folder; otherwise the tests are skipped.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BrowserPage, CHROMIUM } from '../support/chromium.js';
import { servedFolder } from '../support/file-server.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODES = [20, 22, 24, 26];
const PACKAGES = ['bun', 'deno', 'esbuild', 'rolldown', 'vite', 'webpack', 'webpack-cli'];

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
const MISUSES = `
  import * as library from 'heft-chess';
  import { misuse } from './library-misuses.mjs';
  console.log(JSON.stringify(await misuse(library)));`;

/** The newest Node, as some bundlers need; Vite and webpack follow the worker's URL, the others take the entry with the worker inside. */
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
    copyFileSync(join(ROOT, 'test/support/library-misuses.mjs'), join(folder, 'library-misuses.mjs'));
    writeFileSync(join(folder, 'misuses.mjs'), MISUSES);
    writeFileSync(join(folder, 'index.html'), PAGE);
  }, 600_000);

  test.each(HOSTS)('each misuse is a typed error in %s', (_, program, args) => {
    const { count, wrong } = JSON.parse(run(installed(program), [...args, 'misuses.mjs']));
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(60);
  });

  test.skipIf(CHROMIUM === undefined).each(BUNDLERS)('a bundle of %s plays a game', async (name, entry, args) => {
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
