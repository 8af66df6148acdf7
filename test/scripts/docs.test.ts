// Checks that the guides and the README name existing commands, options and files, and that each command is listed as tried.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { slowTest } from '../support/slow.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const guides = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const FILES = ['README.md', 'engine/npm/README.md', 'tools/README.md', ...guides];
/** All other pages that name commands or files. */
const PAGES = [
  '.',
  'books',
  'engine',
  'engine/eval',
  'engine/search',
  'selfplay',
  'selfplay/positions',
  'tuner',
  'tuner/spsa',
]
  .flatMap((folder) => ['README.md', 'RESULTS.md', 'CONTRIBUTING.md'].map((name) => join(folder, name)))
  .filter((file) => existsSync(join(ROOT, file)));
const ALL = [...new Set([...FILES, ...PAGES])];
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Returns the commands of `npm run` with their arguments: `npm run match -- sprt --elo0 0` is `match` with its words. */
function commandsIn(text: string): { name: string; words: string[] }[] {
  const found = text.matchAll(/npm run ([\w:-]+)(?: -- ([^`\n|#]*))?/g);
  return Array.from(found, ([, name, rest = '']) => ({ name, words: rest.trim().split(/\s+/) }));
}

const helps = new Map<string, string>();
function helpOf(name: string, subcommand: string): string {
  const key = `${name} ${subcommand}`;
  const [, program, ...args] = scripts[name].split(' ');
  const words = [program, ...args, ...(subcommand === '' ? [] : [subcommand]), '--help'];
  const help = helps.get(key) ?? execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
  helps.set(key, help);
  return help;
}

slowTest.each(ALL)(
  '%s names only existing npm scripts and options',
  (file) => {
    for (const { name, words } of commandsIn(read(file))) {
      expect(Object.keys(scripts)).toContain(name);
      // The help lists an option that is on by default without the prefix no-
      const options = words
        .filter((word) => /^--[a-z]/.test(word))
        .map((word) => word.split('=')[0].replace('--no-', '--'));
      const subcommand = [
        'compare',
        'eval',
        'label',
        'mean',
        'install',
        'sprt',
        'lines',
        'apply',
        'add',
        'check',
        'convert',
        'suite',
      ].includes(words[0])
        ? words[0]
        : '';
      for (const option of options) expect(`${name}: ${helpOf(name, subcommand)}`).toContain(option);
    }
  },
  240_000,
);

test.each(ALL)('%s links only to existing files', (file) => {
  const targets = Array.from(read(file).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g), ([, target]) => target);
  for (const target of targets) expect([target, existsSync(join(ROOT, dirname(file), target))]).toEqual([target, true]);
});

/** Paths of all source files, each with a leading slash. */
const sources = execFileSync('git', ['ls-files', '*.ts', '*.mjs'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((file) => `/${file}`);
const isSource = (name: string): boolean => sources.some((file) => file.endsWith(`/${name}`));

test.each(ALL.filter((file) => !file.startsWith('docs/lab/')))('%s names only existing source files', (file) => {
  const names = Array.from(read(file).matchAll(/`([\w./-]+\.(?:ts|mjs))`/g), ([, name]) => name);
  expect(names.filter((name) => !isSource(name))).toEqual([]);
});

test('comments name only existing file paths', () => {
  const wrong = sources.flatMap((file) => {
    const comments = read(file.slice(1)).matchAll(/^\s*(?:\/\/|\/?\*).*$/gm);
    const names = Array.from(comments, ([line]) => line.match(/[\w-]+\/[\w/-]+\.(?:ts|mjs)\b/g) ?? []).flat();
    return names.filter((name) => !isSource(name)).map((name) => `${file}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

test('every figure with an error margin quoted on a page is also in a RESULTS.md or the lab log', () => {
  const figuresIn = (file: string): string[] => read(file).match(/\d+(?:\.\d+)? ± \d+(?:\.\d+)?/g) ?? [];
  const isResults = (file: string): boolean => file.endsWith('RESULTS.md') || file.startsWith('docs/lab/');
  const measured = new Set(ALL.filter(isResults).flatMap(figuresIn));
  const repeated = ALL.filter((file) => !isResults(file)).flatMap(figuresIn);
  expect(measured.size).toBeGreaterThan(0);
  expect(repeated.filter((figure) => !measured.has(figure))).toEqual([]);
});

const PROGRAMS =
  /^(npm|npx|make|node|git|heft|xboard|cutechess-cli|fastchess|scp|bunzip2|signtool|codesign|xattr|heft-tools) /;

/** Returns the commands in blocks, without their comments, and in the text. */
const typedIn = (text: string): string[] =>
  Array.from(text.matchAll(/^ {4,}(\S.*?)(?: +#.*)?$|`([^`\n]+)`/gm), ([, line, inline]) => line ?? inline).filter(
    (words) => PROGRAMS.test(words),
  );

test('docs/tried.md lists every command in the guides', () => {
  const list = read('docs/tried.md');
  expect(typedIn('the `heft bench`:\n\n    npm test   # all\n    5+5\n')).toEqual(['heft bench', 'npm test']);
  const tried = new Set(Array.from(list.matchAll(/`([^`\n]+)`/g), ([, command]) => command));
  // The lab log records past commands
  const pages = FILES.filter((file) => !file.startsWith('docs/lab/'));
  expect(pages.flatMap((file) => typedIn(read(file)).filter((command) => !tried.has(command)))).toEqual([]);
  for (const [name] of list.matchAll(/test\/[\w/-]+\.test\.ts/g))
    expect([name, existsSync(join(ROOT, name))]).toEqual([name, true]);
});

test('the OpenBench entry has the fields required by the server', () => {
  const entry = JSON.parse(read('docs/openbench/Heft.json'));
  expect(Object.keys(entry)).toEqual(
    expect.arrayContaining(['private', 'nps', 'source', 'build', 'test_presets', 'tune_presets', 'datagen_presets']),
  );
  for (const kind of ['test_presets', 'tune_presets', 'datagen_presets']) expect(entry[kind]).toHaveProperty('default');
});
