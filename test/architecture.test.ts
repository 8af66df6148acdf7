// Checks the layout: each folder imports only the folders listed for it, which precede it in the table; only folders marked for it import
// Node or packages; imports have no cycles (type imports count); no folder has too many files; no exported name has two meanings.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Room {
  /** A file, or a folder with a trailing slash. A file belongs to the room with the longest matching prefix. */
  path: string;
  /** Rooms that it may import besides itself; all precede it in the list. */
  below: string[];
  outside: 'nothing' | 'node' | 'packages';
}

const inFolder = (folder: string, names: string): string[] => names.split(' ').map((name) => `${folder}/${name}/`);
const selfplay = (names: string): string[] => inFolder('selfplay', names);
const tuner = (names: string): string[] => inFolder('tuner', names);

const BOARD = [...inFolder('engine', 'kernel board/bitboards board'), 'engine/board/types.ts'];
const EVALUATE = 'engine/eval/evaluate.ts';
const EVAL_KERNEL = 'engine/eval/kernel.ts';
const CANDIDATES = 'engine/eval/candidates.ts';
const EVAL = [...inFolder('engine', 'eval eval/pawns eval/pieces eval/endgame'), EVALUATE, EVAL_KERNEL];
const SEARCH = ['engine/search/score.ts', ...inFolder('engine', 'search/tt search search/root')];
const CORE = [...BOARD, ...EVAL, ...SEARCH, 'engine/strength/'];
/** The engine as other folders use it. `engine/` contains engine.ts and similar entry files. */
const ENGINE = [...CORE, 'engine/', 'engine/commands/'];
const PARTS = 'engine/parts.ts';
const BROWSER_SEARCH = 'engine/browser-search.ts';
const COMMAND_WORKER = 'engine/command-worker.ts';
const CODE = 'engine/embedded/code.ts';
const NODE_THREAD = 'engine/node-thread.ts';
const HELPER_MEMORY = 'engine/helper-memory.ts';
const MACHINE = 'engine/machine.ts';
const FAILURE = 'engine/start-failure.ts';
const CATCHING = 'engine/catch-failures.ts';
const KERNEL_NODE = 'engine/kernel-node.ts';
const READERS = selfplay('text notation positions');
const BELOW_SERIES = [...selfplay('common statistics'), ...READERS, ...selfplay('records games engines')];
const BELOW_MATCH = [...BELOW_SERIES, ...selfplay('series live')];
const BELOW_FIT = tuner('model weights dataset matrix objective priors trace rows methods');

const ROOMS: Room[] = [
  { path: 'engine/kernel/', below: [], outside: 'nothing' },
  { path: 'engine/board/types.ts', below: [], outside: 'nothing' },
  { path: 'engine/board/bitboards/', below: ['engine/kernel/', 'engine/board/types.ts'], outside: 'nothing' },
  { path: 'engine/board/', below: BOARD.filter((path) => path !== 'engine/board/'), outside: 'nothing' },
  { path: 'engine/eval/', below: BOARD, outside: 'nothing' },
  { path: 'engine/eval/pawns/', below: [...BOARD, 'engine/eval/'], outside: 'nothing' },
  { path: 'engine/eval/pieces/', below: [...BOARD, 'engine/eval/'], outside: 'nothing' },
  { path: 'engine/eval/endgame/', below: [...BOARD, 'engine/eval/'], outside: 'nothing' },
  {
    path: EVALUATE,
    below: [...BOARD, ...inFolder('engine', 'eval eval/pawns eval/pieces eval/endgame')],
    outside: 'nothing',
  },
  { path: CANDIDATES, below: [...BOARD, 'engine/eval/', 'engine/eval/endgame/', EVALUATE], outside: 'nothing' },
  {
    path: EVAL_KERNEL,
    below: [...BOARD, 'engine/eval/', 'engine/eval/endgame/', EVALUATE, CANDIDATES],
    outside: 'nothing',
  },
  { path: 'engine/search/score.ts', below: [], outside: 'nothing' },
  {
    path: 'engine/search/tt/',
    below: [...BOARD, 'engine/eval/endgame/', 'engine/search/score.ts'],
    outside: 'nothing',
  },
  { path: 'engine/search/', below: [...BOARD, ...EVAL, CANDIDATES, ...SEARCH.slice(0, 2)], outside: 'nothing' },
  { path: 'engine/search/root/', below: [...BOARD, ...EVAL, ...SEARCH.slice(0, 3)], outside: 'nothing' },
  { path: 'engine/strength/', below: [...BOARD, ...EVAL, ...SEARCH], outside: 'nothing' },
  { path: 'engine/', below: CORE, outside: 'nothing' },
  { path: 'engine/commands/', below: [...CORE, 'engine/'], outside: 'nothing' },
  { path: 'engine/explain/', below: CORE, outside: 'nothing' },
  { path: 'engine/uci/', below: [...ENGINE, 'engine/explain/'], outside: 'nothing' },
  { path: PARTS, below: CORE, outside: 'node' },
  { path: CODE, below: [], outside: 'nothing' },
  { path: 'engine/embedded/parts.ts', below: [...CORE, CODE], outside: 'node' },
  { path: KERNEL_NODE, below: [...CORE, PARTS], outside: 'node' },
  { path: MACHINE, below: [], outside: 'node' },
  { path: FAILURE, below: [], outside: 'node' },
  { path: CATCHING, below: [FAILURE], outside: 'node' },
  { path: 'engine/search-thread.ts', below: [...ENGINE, 'engine/uci/'], outside: 'nothing' },
  { path: NODE_THREAD, below: [...CORE, 'engine/uci/', PARTS, FAILURE], outside: 'node' },
  { path: HELPER_MEMORY, below: [...CORE, 'engine/uci/', NODE_THREAD], outside: 'node' },
  { path: BROWSER_SEARCH, below: [...CORE, 'engine/uci/', 'engine/search-thread.ts'], outside: 'nothing' },
  {
    path: 'engine/library/',
    below: [...ENGINE, 'engine/explain/', 'engine/uci/', CODE],
    outside: 'nothing',
  },
  { path: 'engine/library/node.ts', below: [KERNEL_NODE, 'engine/library/', NODE_THREAD], outside: 'nothing' },
  {
    path: 'engine/worker.ts',
    below: [
      ...CORE,
      'engine/uci/',
      KERNEL_NODE,
      MACHINE,
      FAILURE,
      NODE_THREAD,
      HELPER_MEMORY,
      'engine/search-thread.ts',
    ],
    outside: 'node',
  },
  { path: 'engine/worker-browser.ts', below: [BROWSER_SEARCH], outside: 'nothing' },
  { path: 'engine/worker-uci.ts', below: ['engine/library/', 'engine/uci/', BROWSER_SEARCH], outside: 'nothing' },
  { path: COMMAND_WORKER, below: [...ENGINE, KERNEL_NODE, MACHINE], outside: 'node' },
  {
    path: 'engine/embedded/',
    below: ['engine/worker.ts', COMMAND_WORKER, BROWSER_SEARCH],
    outside: 'node',
  },
  {
    path: 'engine/main.ts',
    below: [...ENGINE, 'engine/uci/', PARTS, COMMAND_WORKER, MACHINE, FAILURE, CATCHING, NODE_THREAD],
    outside: 'node',
  },

  { path: 'selfplay/common/', below: [...ENGINE, FAILURE], outside: 'packages' },
  { path: 'selfplay/web/', below: [], outside: 'packages' },
  { path: 'selfplay/statistics/', below: selfplay('common'), outside: 'node' },
  { path: 'selfplay/text/', below: selfplay('common'), outside: 'packages' },
  { path: 'selfplay/notation/', below: [...ENGINE, ...selfplay('common text')], outside: 'nothing' },
  { path: 'selfplay/positions/', below: selfplay('common text notation'), outside: 'nothing' },
  { path: 'selfplay/records/', below: [...ENGINE, ...selfplay('common text notation positions')], outside: 'packages' },
  { path: 'selfplay/games/', below: [...ENGINE, ...selfplay('common text notation records')], outside: 'node' },
  { path: 'selfplay/engines/', below: [...ENGINE, ...selfplay('common records games')], outside: 'node' },
  { path: 'selfplay/series/', below: [...ENGINE, ...BELOW_SERIES], outside: 'packages' },
  { path: 'selfplay/live/', below: [...ENGINE, ...BELOW_SERIES, ...selfplay('web series')], outside: 'node' },
  { path: 'selfplay/data/options.ts', below: selfplay('common text'), outside: 'nothing' },
  {
    path: 'selfplay/data/suite/',
    below: [...ENGINE, ...BELOW_SERIES, 'selfplay/data/options.ts'],
    outside: 'packages',
  },
  {
    path: 'selfplay/data/',
    below: [
      ...ENGINE,
      KERNEL_NODE,
      ...BELOW_SERIES,
      ...['options.ts', 'suite/'].map((name) => `selfplay/data/${name}`),
    ],
    outside: 'packages',
  },
  {
    path: 'selfplay/datagen/',
    below: [...ENGINE, KERNEL_NODE, ...READERS, ...selfplay('common records games data')],
    outside: 'packages',
  },
  {
    path: 'selfplay/ratings/',
    below: [...ENGINE, KERNEL_NODE, ...selfplay('common statistics records'), ...READERS],
    outside: 'packages',
  },
  { path: 'selfplay/foreign/', below: selfplay('common'), outside: 'node' },
  {
    path: 'selfplay/match/',
    below: [...ENGINE, KERNEL_NODE, ...BELOW_MATCH, ...selfplay('foreign')],
    outside: 'packages',
  },

  {
    path: 'selfplay/queue/',
    below: selfplay('common web statistics records games engines series live'),
    outside: 'packages',
  },

  { path: 'tuner/model/', below: ['engine/eval/'], outside: 'nothing' },
  { path: 'tuner/weights/', below: [...ENGINE, ...selfplay('common match'), ...tuner('model')], outside: 'node' },
  { path: 'tuner/dataset/', below: CORE, outside: 'node' },
  { path: 'tuner/matrix/', below: ['selfplay/common/', ...tuner('dataset')], outside: 'node' },
  { path: 'tuner/passes/', below: inFolder('engine', 'eval'), outside: 'node' },
  {
    path: 'tuner/objective/',
    below: [...selfplay('common records'), ...tuner('dataset matrix passes')],
    outside: 'node',
  },
  {
    path: 'tuner/priors/',
    below: ['engine/kernel/', 'engine/eval/', ...tuner('model dataset matrix objective')],
    outside: 'node',
  },
  {
    path: 'tuner/trace/',
    below: [
      ...ENGINE,
      KERNEL_NODE,
      ...READERS,
      ...selfplay('common records'),
      ...tuner('model weights dataset objective'),
    ],
    outside: 'packages',
  },
  {
    path: 'tuner/rows/',
    below: [...ENGINE, ...READERS, ...selfplay('common records'), ...tuner('model weights dataset objective trace')],
    outside: 'node',
  },
  {
    path: 'tuner/labels/',
    below: [...ENGINE, KERNEL_NODE, ...selfplay('common records'), ...tuner('trace')],
    outside: 'packages',
  },
  { path: 'tuner/methods/', below: [...CORE, ...tuner('dataset matrix objective priors')], outside: 'node' },
  { path: 'tuner/fit/', below: [...CORE, ...selfplay('common records'), ...BELOW_FIT], outside: 'node' },
  { path: 'tuner/study/', below: [...CORE, ...selfplay('common'), ...BELOW_FIT, ...tuner('fit')], outside: 'node' },
  {
    path: 'tuner/report/',
    below: [...CORE, ...selfplay('common web'), ...BELOW_FIT, ...tuner('fit study')],
    outside: 'packages',
  },
  { path: 'tuner/emit/', below: ['engine/eval/', 'selfplay/common/', ...tuner('model weights')], outside: 'node' },
  {
    path: 'tuner/generations/',
    below: [...CORE, ...BELOW_SERIES, ...selfplay('series match'), ...tuner('model weights trace fit')],
    outside: 'node',
  },
  {
    path: 'tuner/commands/',
    below: [
      ...ENGINE,
      KERNEL_NODE,
      ...BELOW_SERIES,
      ...selfplay('series match'),
      ...BELOW_FIT,
      ...tuner('labels fit study report emit generations'),
    ],
    outside: 'packages',
  },
  {
    path: 'tuner/film/',
    below: [...CORE, ...selfplay('common web records live'), ...tuner('model report generations')],
    outside: 'nothing',
  },
  {
    path: 'tuner/loop/',
    below: [
      ...ENGINE,
      KERNEL_NODE,
      ...BELOW_MATCH,
      ...selfplay('web datagen match'),
      ...BELOW_FIT,
      ...tuner('labels fit study report commands generations film'),
    ],
    outside: 'packages',
  },
  {
    path: 'tuner/spsa/',
    below: [...ENGINE, KERNEL_NODE, 'engine/uci/', ...BELOW_MATCH, ...selfplay('web match'), ...tuner('model weights')],
    outside: 'packages',
  },
  { path: 'tuner/wdl/', below: [...CORE, ...selfplay('common records'), ...tuner('passes matrix')], outside: 'node' },

  {
    path: 'tools/',
    below: [...selfplay('common data datagen ratings match queue'), ...tuner('commands loop spsa')],
    outside: 'node',
  },
  {
    path: 'scripts/',
    below: [
      ...ENGINE,
      'engine/library/',
      KERNEL_NODE,
      ...BELOW_MATCH,
      ...selfplay('match'),
      ...tuner('model weights wdl'),
    ],
    outside: 'packages',
  },
];

const MAX_FILES = 24;

function roomOf(file: string): Room | undefined {
  const rooms = ROOMS.filter(({ path }) => file.startsWith(path));
  return rooms.reduce<Room | undefined>(
    (a, b) => (a !== undefined && a.path.length > b.path.length ? a : b),
    undefined,
  );
}

/** Returns the specifiers that a source imports, including type imports and `import()`. */
function importsOf(source: string): string[] {
  const statements = /^[ \t]*(?:import|export)\s+(?:type\s)?(?:[^'"=;]+?\sfrom\s*)?['"]([^'"]+)['"]/gm;
  const calls = /\bimport\(\s*['"]([^'"]+)['"]/g;
  return [...source.matchAll(statements), ...source.matchAll(calls)].map((match) => match[1]!);
}

const targetOf = (file: string, specifier: string): string =>
  normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts');

/** Returns each forbidden import as a line `from -> to: reason`, then each import cycle. */
function violations(files: Map<string, string>, packages: string[]): string[] {
  const found: string[] = [];
  const edges = new Map<string, string[]>();
  for (const [file, source] of files) {
    const room = roomOf(file);
    if (room === undefined) {
      found.push(`${file}: belongs to no room, add it to the table`);
      continue;
    }
    for (const specifier of importsOf(source)) {
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
      edges.set(file, [...(edges.get(file) ?? []), target]);
    }
  }
  return [...found, ...circles(edges)];
}

/** Returns a line for each folder with too many files of any kind. */
function crowded(files: string[]): string[] {
  const counts = new Map<string, number>();
  for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const full = [...counts].filter(([, count]) => count > MAX_FILES);
  return full.map(([folder, count]) => `${folder}: ${count} files, at most ${MAX_FILES}`);
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

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns the paths of all files below these project folders, except build output. */
function filesBelow(...folders: string[]): string[] {
  const entries = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const paths = entries.map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).replaceAll('\\', '/'));
  return paths.filter((path) => !/^(engine\/npm|tools\/dist)\//.test(path));
}

function readSources(): { files: Map<string, string>; packages: string[] } {
  const names = filesBelow('engine', 'selfplay', 'tuner', 'scripts', 'tools').filter((name) => name.endsWith('.ts'));
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    files: new Map(names.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')])),
    packages: Object.keys(dependencies),
  };
}

test('imports follow the layout and have no cycles', () => {
  const { files, packages } = readSources();
  expect(violations(files, packages)).toEqual([]);
});

test('folders may import only folders listed before them', () => {
  const paths = ROOMS.map(({ path }) => path);
  const upwards = ROOMS.flatMap(({ path, below }, i) =>
    below.filter((other) => !paths.slice(0, i).includes(other)).map((other) => `${path} -> ${other}`),
  );
  expect(upwards).toEqual([]);
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
  [
    'out of the engine',
    'engine/main.ts',
    "import '../selfplay/match/p.js';",
    'engine/main.ts may not import selfplay/match/',
  ],
  [
    'import()',
    'selfplay/match/a.ts',
    "const t = await import('../../tuner/fit/t.js');",
    'selfplay/match/ may not import tuner/fit/',
  ],
  [
    'between folders',
    'selfplay/games/a.ts',
    "import type { P } from '../match/p.js';",
    'selfplay/games/ may not import selfplay/match/',
  ],
  ['test', 'tuner/fit/a.ts', "import { o } from '../../test/oracle.js';", 'test/oracle.ts: no such source file'],
  ['scripts', 'tuner/fit/a.ts', "import { r } from '../../scripts/r.js';", 'tuner/fit/ may not import scripts/'],
  [
    'an entry point',
    'selfplay/match/a.ts',
    "import '../../engine/main.js';",
    'selfplay/match/ may not import engine/main.ts',
  ],
  ['Node in the core', 'engine/uci/a.ts', "import { f } from 'node:fs';", 'only the edges may know Node'],
  ['package', 'engine/worker.ts', "import p from 'tinypool';", 'no packages in engine/worker.ts'],
  ['undeclared package', 'tuner/report/a.ts', "import _ from 'lodash/fp';", 'not among the dependencies'],
  ['circle', 'engine/eval/e.ts', "import { e } from './e.js';", 'circle: engine/eval/e.ts -> engine/eval/e.ts'],
  ['new folder', 'tuner/new/a.ts', '', 'belongs to no room'],
  ['file outside the folders', 'selfplay/a.ts', '', 'belongs to no room'],
];

test.each(PLANTED)('a planted violation is reported: %s', (_, file, source, expected) => {
  const others = [
    'engine/eval/e.ts',
    'engine/search/s.ts',
    'engine/engine.ts',
    'engine/main.ts',
    'selfplay/match/p.ts',
  ];
  const files = new Map([...others, 'tuner/fit/t.ts', 'scripts/r.ts'].map((name) => [name, '']));
  files.set(file, source);
  const found = violations(files, ['tinypool']);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});

test.each(['import', 'import type'])('a cycle of three files is reported: %s', (statement) => {
  const ring = new Map(
    ['a', 'b', 'c'].map((name, i) => [`tuner/fit/${name}.ts`, `${statement} { x } from './${'bca'[i]}.js';`]),
  );
  const [a, b, c] = [...ring.keys()];
  expect(violations(ring, [])).toEqual([`circle: ${a} -> ${b} -> ${c} -> ${a}`]);
});

test("in the tuner, only model/heft.ts imports the engine's terms", () => {
  const { files } = readSources();
  const importing = [...files].filter(
    ([file, source]) =>
      file.startsWith('tuner/') && importsOf(source).some((name) => targetOf(file, name) === 'engine/eval/terms.ts'),
  );
  expect(importing.map(([file]) => file)).toEqual(['tuner/model/heft.ts']);
});

test('no folder has too many files', () => {
  expect(crowded(filesBelow('engine', 'selfplay', 'tuner', 'scripts', 'tools', 'test', 'docs'))).toEqual([]);
});

test('a folder with too many files is reported', () => {
  const files = Array.from({ length: MAX_FILES + 1 }, (_, i) => `tuner/fit/file-${i}.${i % 2 ? 'ts' : 'json'}`);
  expect(crowded(files.slice(1))).toEqual([]);
  expect(crowded(files)).toEqual(['tuner/fit: 25 files, at most 24']);
});

/** Compound names with a meaning of their own. */
const OWN_NAMES = ['loop/loop-main', 'pieces/piece-terms', 'weights/weights-file', 'weights/weights-module'];

/** Returns the files whose names repeat the name of their folder, as in `spsa/spsa-main`. */
function repeating(files: string[]): string[] {
  return files.filter((file) => {
    const folder = basename(dirname(file));
    const [name] = basename(file).split('.');
    return (
      !OWN_NAMES.includes(`${folder}/${name}`) &&
      [folder, folder.replace(/s$/, '')].some((word) => name!.startsWith(`${word}-`))
    );
  });
}

test("no file name repeats its folder's name", () => {
  expect(repeating([...readSources().files.keys()])).toEqual([]);
  expect(repeating(['tuner/spsa/spsa-main.ts', 'tuner/spsa/main.ts', 'tuner/labels/label-run.ts'])).toHaveLength(2);
});

/** Names that two files export for a reason; all other exported names are unique. */
const SHARED_NAMES: readonly (readonly [reason: string, names: string])[] = [
  ['public types of the library', 'GameEnd SearchInfo SearchOptions SearchResult'],
  ["terms of any engine's model", 'Act Term'],
  ['one body for each target', 'createEngine moduleBytes newThread'],
  ['generated files, beside the template of their generator', 'STRENGTH WDL_MODEL WEIGHTS'],
  [
    'compiled functions of the kernel, beside their sources',
    'evaluate generateLegal hasLegalEp isInCheck isKingAttacked isLegal isMaterialDraw makeMove perft refreshBoards refreshSums repetitionCount unmakeMove',
  ],
];

/** Returns a line for each name that several files declare and export. Second bodies under wasm/ do not count. */
function sharedNames(files: Map<string, string>): string[] {
  const places = new Map<string, Set<string>>();
  for (const [file, source] of files) {
    if (file.includes('/wasm/') || file.endsWith('.d.ts')) continue;
    const single = /^export (?:declare |async |abstract )*(?:function\*?|const|let|class|interface|type) (\w+)/gm;
    const several = /^export (?:const|let) [{[]([^}\]]*)[}\]]/gm;
    const names = [
      ...[...source.matchAll(single)].map(([, name]) => name!),
      ...[...source.matchAll(several)].flatMap(([, list]) => list!.match(/\w+/g) ?? []),
    ];
    for (const name of names) places.set(name, (places.get(name) ?? new Set()).add(file));
  }
  const shared = [...places].filter(([, { size }]) => size > 1);
  return shared.map(([name, where]) => `${name}: ${[...where].join(', ')}`);
}

test('no two files export the same name, except those listed', () => {
  const allowed = SHARED_NAMES.flatMap(([, names]) => names.split(' '));
  const found = sharedNames(readSources().files);
  const isAllowed = (line: string): boolean => allowed.includes(line.split(':')[0]!);
  expect(found.filter((line) => !isAllowed(line))).toEqual([]);
  expect(found.filter(isAllowed)).toHaveLength(allowed.length);
});

test('a name exported by two files is reported', () => {
  const files = Object.entries({
    'a.ts': 'export const [x, y] = [1, 2];\nexport interface Z {}',
    'b.ts': "export function* x() {}\nexport { y } from './a.js';\nexport type { Z } from './a.js';\nconst z = 1;",
    'wasm/b.ts': 'export const Z = 1;',
    'c.ts': 'export let {\n  y,\n} = q;\nexport async function z() {}',
  });
  expect(sharedNames(new Map(files.map(([name, source]) => [`engine/${name}`, source])))).toEqual([
    'x: engine/a.ts, engine/b.ts',
    'y: engine/a.ts, engine/c.ts',
  ]);
});

const [FLOOR, CEILING] = [40, 250];
/** Files above the ceiling: generated, lists of declarations, or a single algorithm. */
const LONG = [
  'engine/eval/terms.ts',
  'engine/eval/weights.ts',
  'engine/search/root/iterate.ts',
  'engine/search/search.ts',
  'selfplay/engines/uci-engine.ts',
  'selfplay/series/pooled-run.ts',
];
/** Number of files below the floor: facades, entry points, and modules that are loaded separately. Lower it whenever files are merged. */
const SHORT_LEFT = 24;

test('source files have 40 to 250 lines, except those listed', () => {
  const lines = [...readSources().files].map(([file, source]) => ({ file, length: source.split('\n').length - 1 }));
  const tooLong = lines.filter(({ file, length }) => length > CEILING && !LONG.includes(file));
  expect(tooLong).toEqual([]);
  const short = lines.filter(({ file, length }) => length < FLOOR && !/\/wasm\/|\.d\.ts$/.test(file));
  expect(short.length, short.map(({ file }) => file).join(' ')).toBeLessThanOrEqual(SHORT_LEFT);
});
