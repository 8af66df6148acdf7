import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ENGINE_NAME } from '../../engine/uci/options.js';
import { BrowserPage, CHROMIUM } from '../support/chromium.js';
import { servedFolder } from '../support/file-server.js';
import { runsPackage } from '../support/package-runs.js';

// Other tests may leave the browser only a tenth of the CPU
vi.setConfig({ testTimeout: 240_000 });

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const inRoot = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const isWindows = process.platform === 'win32';

/** Bytes. */
const MAX_PACKED = 115_000;

/** A folder that contains only the package. */
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

const packedSize = (): number =>
  statSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string)).size;

/** Returns the size in bytes of a script and everything that it imports. */
function loadedSize(file: string, seen = new Set<string>()): number {
  if (seen.has(file)) return 0;
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  const imports = Array.from(code.matchAll(/(?:from|import) ?"(\.\/[^"]+)"/g), ([, name]) => join(dirname(file), name));
  return imports.reduce((sum, name) => sum + loadedSize(name, seen), Buffer.byteLength(code));
}

test("the sizes in the package's README match its files", () => {
  const readme = inRoot('engine/npm/README.md');
  const installed = join(folder, 'node_modules/heft-chess');
  for (const [words, bytes] of [
    [/a (\d+) kB download, includes types/, packedSize()],
    [/one script of (\d+) kB/, statSync(join(installed, 'uci.js')).size],
    [/`heft-chess\/browser` \| the library, (\d+) kB/, loadedSize(join(installed, 'dist/browser.js'))],
    [/embedded worker and kernel, (\d+) kB/, loadedSize(join(installed, 'dist/inline.js'))],
  ] as const) {
    const stated = 1000 * Number(words.exec(readme)?.[1]);
    expect([words, Math.abs(stated - bytes) <= 0.08 * bytes, bytes]).toEqual([words, true, bytes]);
  }
  // The beginning contains licence, size and a first example of five lines
  const [head, example] = readme.split('```');
  expect(head).toMatch(/\d+ kB download, includes types, and is released under the MIT licence/);
  expect(example.trim().split('\n').slice(1).filter(Boolean)).toHaveLength(5);
});

test('the package is small, has no dependencies and no install script', () => {
  const installed = join(folder, 'node_modules');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((name) => join(installed, name));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(2 ** 20);
  // Size of the download without the worker file
  const worker = gzipSync(readFileSync(join(installed, 'heft-chess/uci.js'))).length;
  expect(packedSize() - worker).toBeLessThan(MAX_PACKED);
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['heft-chess']);
  const { dependencies, scripts } = JSON.parse(readFileSync(join(installed, 'heft-chess/package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(Object.keys(scripts).filter((name) => name.includes('install'))).toEqual([]);
});

test('package, engine and repository have the same version', () => {
  const { version } = JSON.parse(inRoot('package.json'));
  expect(JSON.parse(inRoot('engine/npm/package.json')).version).toBe(version);
  expect(ENGINE_NAME).toBe(`Heft ${version}`);
});

test('an uncaught library error is printed with its class and a short code excerpt', () => {
  writeFileSync(join(folder, 'uncaught.mjs'), "import { createPosition } from 'heft-chess'; createPosition('bad');");
  writeFileSync(join(folder, 'class.mjs'), "import { EngineError } from 'heft-chess'; console.log(EngineError.name);");
  const { stderr } = spawnSync(process.execPath, ['uncaught.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toMatch(/^TypeError: fen: /m);
  expect(stderr.length).toBeLessThan(2000);
  expect(node('class.mjs')).toBe('EngineError\n');
});

test('the packaged program has the same bench as the repository', () => {
  const [nodes] = npm(folder, 'exec', '--offline', '--', 'heft-chess', 'bench').trim().split(' ');
  expect(nodes).toBe(inRoot('test/data/bench.txt').trim());
});

describe('run by this Node', () => runsPackage(folder, process.execPath, []));

test('programs that use the package are type-checked', () => {
  const program = (depth: string): string => `
    import { createEngine, createPosition, type Engine, type SearchInfo } from 'heft-chess';
    const engine: Engine = await createEngine({ hash: 8, threads: 1 });
    const best: string | null = (await engine.search({ depth: ${depth} }, { onInfo: (info: SearchInfo) => void info.pv })).bestMove;
    const names: string[] = (await engine.evaluate()).terms.map(({ name }) => name);
    const end: 'checkmate' | string | null = createPosition().play('e4').end;
    engine.close();
    export { best, end, names };`;
  const options = { module: 'NodeNext', target: 'ES2023', strict: true, noEmit: true, skipLibCheck: false, types: [] };
  const check = (more: object): string => {
    const compilerOptions = { ...options, lib: ['ES2023'], ...more };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    return node(TSC, '-p', '.');
  };
  writeFileSync(join(folder, 'program.ts'), program('6'));
  expect(check({})).toBe('');
  expect(check({ module: 'ESNext', moduleResolution: 'Bundler' })).toBe('');
  writeFileSync(join(folder, 'program.ts'), program('6').replace("'heft-chess'", "'heft-chess/inline'"));
  expect(check({})).toBe('');
  writeFileSync(join(folder, 'program.ts'), program("'6'"));
  expect(() => node(TSC, '-p', '.')).toThrow(/Command failed/);
});

test('resolvers that ignore "exports" find the library and its types', () => {
  const installed = join(folder, 'node_modules/heft-chess');
  const { main, types, browser } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const entries = ['browser', 'inline'].flatMap((name) => [`${name}.js`, `${name}.d.ts`]);
  for (const file of [main, types, browser, 'uci.js', ...entries])
    expect(statSync(join(installed, file)).isFile()).toBe(true);
});

test('a program passed to node -e can use the library', () => {
  const program = "import { createEngine } from 'heft-chess'; const e = await createEngine({ hash: 1 });";
  expect(
    node('--input-type=module', '-e', `${program} console.log((await e.search({ depth: 2 })).bestMove); e.close();`),
  ).toMatch(/^[a-h][1-8]/);
});

test.skipIf(CHROMIUM === undefined)(
  'a page on another origin can use the inline entry with threads, and each misuse throws a typed error',
  async () => {
    const [library, own] = [
      await servedFolder(join(folder, 'node_modules/heft-chess')),
      await servedFolder(join(ROOT, 'test/support')),
    ];
    const page = await BrowserPage.open(`${own.origin}/page.html`);
    try {
      const search = (file: string, options: string): Promise<string> =>
        page.evaluate(`import('${library.origin}/dist/${file}').then(async ({ createEngine }) => {
        const engine = await createEngine(${options});
        const { bestMove } = await engine.search({ depth: 4 });
        engine.close();
        return bestMove;
      }).catch(({ message }) => message)`);
      expect(await search('inline.js', '{ hash: 1, threads: 3 }')).toMatch(/^[a-h][1-8]/);
      expect(await search('browser.js', '{}')).toMatch(
        /did not load from http:.*heft-chess\/inline.*createEngine\(\{ worker/,
      );
      // The library next to its worker, and with the worker file at a given URL
      const beside = await BrowserPage.open(`${library.origin}/page.html`);
      for (const options of ['{ hash: 1, threads: 2 }', `{ hash: 1, worker: '/uci.js' }`])
        expect(
          await beside.evaluate(
            `import('/dist/browser.js').then(async ({ createEngine }) => (await (await createEngine(${options})).search({ depth: 4 })).bestMove)`,
          ),
        ).toMatch(/^[a-h][1-8]/);
      expect(beside.messages.filter((text) => !text.includes('404'))).toEqual([]);
      await beside.close();
      const misuses = `Promise.all([import('${library.origin}/dist/inline.js'), import('./library-misuses.mjs')])`;
      const { count, wrong } = await page.evaluate<{ count: number; wrong: string[] }>(
        `${misuses}.then(([library, { misuse }]) => misuse(library))`,
      );
      expect([count >= 60, wrong]).toEqual([true, []]);
    } finally {
      await page.close();
      library.close();
      own.close();
    }
  },
);
