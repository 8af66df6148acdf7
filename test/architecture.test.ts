// Guards the layout: each room of the code imports only the rooms below it, only the edges know Node, and no imports go in a circle.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Room {
  /** A file, or a folder with its slash; a file belongs to the first room that its path starts with. */
  path: string;
  /** Rooms it may import besides itself; `engine/` here means every room of the engine that may be imported. */
  below: string[];
  outside: 'nothing' | 'node' | 'packages';
}

const CORE = ['engine/board/', 'engine/eval/', 'engine/search/'];
const ROOMS: Room[] = [
  { path: 'engine/board/', below: [], outside: 'nothing' },
  { path: 'engine/eval/', below: ['engine/board/'], outside: 'nothing' },
  { path: 'engine/search/', below: ['engine/board/', 'engine/eval/'], outside: 'nothing' },
  { path: 'engine/uci/', below: [...CORE, 'engine/'], outside: 'nothing' },
  { path: 'engine/flags.ts', below: [], outside: 'node' },
  { path: 'engine/machine.ts', below: [], outside: 'node' },
  { path: 'engine/worker.ts', below: [...CORE, 'engine/uci/', 'engine/machine.ts', 'engine/'], outside: 'node' },
  {
    path: 'engine/main.ts',
    below: [...CORE, 'engine/uci/', 'engine/flags.ts', 'engine/machine.ts', 'engine/'],
    outside: 'node',
  },
  { path: 'engine/', below: CORE, outside: 'nothing' }, // the facade engine.ts, bench.ts and their like
  { path: 'selfplay/page/browser/', below: ['selfplay/'], outside: 'nothing' },
  { path: 'selfplay/', below: [...CORE, 'engine/uci/', 'engine/flags.ts', 'engine/'], outside: 'packages' },
  { path: 'tuner/', below: [...CORE, 'engine/uci/', 'engine/flags.ts', 'engine/', 'selfplay/'], outside: 'packages' },
  { path: 'scripts/', below: [...CORE, 'engine/flags.ts', 'engine/', 'selfplay/', 'tuner/'], outside: 'packages' },
];

interface Import {
  specifier: string;
  /** Whether it loads the other module at start: neither type-only nor `import()`. */
  isValue: boolean;
}

const roomOf = (file: string): Room | undefined => ROOMS.find((room) => file.startsWith(room.path));

function importsOf(source: string): Import[] {
  const statements = /^[ \t]*(?:import|export)\s+(type\s)?(?:[^'"=;]+?\sfrom\s*)?['"]([^'"]+)['"]/gm;
  const calls = /\bimport\(\s*['"]([^'"]+)['"]/g;
  return [
    ...[...source.matchAll(statements)].map((match) => ({ specifier: match[2]!, isValue: match[1] === undefined })),
    ...[...source.matchAll(calls)].map((match) => ({ specifier: match[1]!, isValue: false })),
  ];
}

const targetOf = (file: string, specifier: string): string =>
  normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts');

/** Returns each import against the table as a line `from -> to: why`, then each circle of value imports. */
function violations(files: Map<string, string>, packages: string[]): string[] {
  const found: string[] = [];
  const edges = new Map<string, string[]>();
  for (const [file, source] of files) {
    const room = roomOf(file);
    if (room === undefined) {
      found.push(`${file}: belongs to no room, add it to the table`);
      continue;
    }
    for (const { specifier, isValue } of importsOf(source)) {
      if (!specifier.startsWith('.')) {
        const isNode = specifier.startsWith('node:');
        const isDeclared = packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
        if (isNode && room.outside === 'nothing') found.push(`${file} -> ${specifier}: only the edges may know Node`);
        if (!isNode && room.outside !== 'packages') found.push(`${file} -> ${specifier}: no packages in ${room.path}`);
        else if (!isNode && !isDeclared) found.push(`${file} -> ${specifier}: not among the dependencies`);
        continue;
      }
      const target = targetOf(file, specifier);
      const targetRoom = roomOf(target);
      if (!files.has(target)) found.push(`${file} -> ${target}: no such source file`);
      else if (targetRoom !== room && !room.below.includes(targetRoom!.path)) {
        found.push(`${file} -> ${target}: ${room.path} may not import ${targetRoom!.path}`);
      }
      if (isValue) edges.set(file, [...(edges.get(file) ?? []), target]);
    }
  }
  return [...found, ...circles(edges)];
}

function circles(edges: Map<string, string[]>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) found.push(`circle: ${[...path.slice(path.indexOf(file)), file].join(' -> ')}`);
    if (finished.has(file) || path.includes(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
    finished.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

function readSources(): { files: Map<string, string>; packages: string[] } {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const names = ['engine', 'selfplay', 'tuner', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    files: new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')])),
    packages: Object.keys(dependencies),
  };
}

test('imports follow the layout and never go in a circle', () => {
  const { files, packages } = readSources();
  expect(violations(files, packages)).toEqual([]);
});

const PLANTED: [name: string, file: string, source: string, expected: string][] = [
  ['upward', 'engine/board/a.ts', "import { x } from '../eval/e.js';", 'engine/board/ may not import engine/eval/'],
  [
    'types',
    'engine/eval/a.ts',
    "import type {\n  X, // why (so)\n} from '../search/s.js';",
    'may not import engine/search/',
  ],
  ['re-export', 'engine/search/a.ts', "export { f } from '../engine.js';", 'engine/search/ may not import engine/'],
  ['out of the engine', 'engine/main.ts', "import '../selfplay/p.js';", 'engine/main.ts may not import selfplay/'],
  ['import()', 'selfplay/a.ts', "const t = await import('../tuner/t.js');", 'selfplay/ may not import tuner/'],
  ['test', 'tuner/a.ts', "import { o } from '../test/oracle.js';", 'test/oracle.ts: no such source file'],
  ['scripts', 'tuner/a.ts', "import { r } from '../scripts/r.js';", 'tuner/ may not import scripts/'],
  ['an edge', 'selfplay/a.ts', "import '../engine/main.js';", 'selfplay/ may not import engine/main.ts'],
  ['Node in the core', 'engine/uci/a.ts', "import { f } from 'node:fs';", 'only the edges may know Node'],
  ['package', 'engine/worker.ts', "import p from 'tinypool';", 'no packages in engine/worker.ts'],
  ['undeclared package', 'tuner/a.ts', "import _ from 'lodash/fp';", 'not among the dependencies'],
  ['circle', 'engine/eval/e.ts', "import { e } from './e.js';", 'circle: engine/eval/e.ts -> engine/eval/e.ts'],
  ['new folder', 'engine.ts', '', 'belongs to no room'],
];

test.each(PLANTED)('a planted violation is named: %s', (_, file, source, expected) => {
  const others = ['engine/eval/e.ts', 'engine/search/s.ts', 'engine/engine.ts', 'engine/main.ts', 'selfplay/p.ts'];
  const files = new Map([...others, 'tuner/t.ts', 'scripts/r.ts'].map((name) => [name, '']));
  files.set(file, source);
  const found = violations(files, ['tinypool']);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});

test('a circle through three files is named, one of types alone is none', () => {
  const ring = (statement: string): Map<string, string> =>
    new Map(['a', 'b', 'c'].map((name, i) => [`tuner/${name}.ts`, `${statement} { x } from './${'bca'[i]}.js';`]));
  expect(violations(ring('import'), [])).toEqual(['circle: tuner/a.ts -> tuner/b.ts -> tuner/c.ts -> tuner/a.ts']);
  expect(violations(ring('import type'), [])).toEqual([]);
});
