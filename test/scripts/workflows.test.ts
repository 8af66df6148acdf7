// Workflows run only existing files, and actions pinned to a commit.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = '.github/workflows';
const files = [...readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`), 'action.yml'];
const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  version: string;
};

test.each(texts)('%s pins its actions to commits and runs only existing files', (_, text) => {
  const actions = Array.from(text.matchAll(/uses: (\S+)(.*)/g), ([, action, comment]) => [action, comment.trim()]);
  for (const [action, comment] of actions) {
    if (action === './') continue;
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    expect(comment).toMatch(/^# v\d+\.\d+\.\d+$/);
  }
  for (const [, name] of text.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name);
  for (const [path] of text.matchAll(/\b(?:scripts|test|books|engine)\/[\w./-]*\w/g)) {
    // Created by npm pack
    if (path !== 'engine/npm/uci.js') expect([path, existsSync(path)]).toEqual([path, true]);
  }
});

test('a release downloads its own artifacts but not the page', () => {
  const text = readFileSync(`${FOLDER}/release.yml`, 'utf8');
  const names = Array.from(text.matchAll(/upload-artifact@[^\n]*\n +with:\n +name: (\S+)/g), ([, name]) => name);
  expect(names).toHaveLength(2);
  for (const name of names) expect(name).toMatch(/^release-/);
  expect(text).toMatch(/download-artifact@[^\n]*\n +with:\n( +#.*\n)? +pattern: release-\*\n/);
});

test('npm publish receives file paths, not GitHub shorthands', () => {
  const packages = readFileSync(`${FOLDER}/release.yml`, 'utf8').match(/\S+\.tgz\b/g) ?? [];
  expect(packages.filter((path) => !path.startsWith('./'))).toEqual([]);
  expect(packages).toHaveLength(2);
});

test('CITATION.cff has the same version as package.json', () => {
  expect(readFileSync('CITATION.cff', 'utf8')).toContain(`\nversion: ${version}\n`);
  expect(readFileSync('scripts/release.mjs', 'utf8')).toContain("'CITATION.cff'");
});

test('the release notes are the changelog section of the current version', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const run = (): string =>
    execFileSync(process.execPath, ['scripts/release-notes.mjs'], { encoding: 'utf8', stdio: 'pipe' });
  if (new RegExp(`^## ${version} \\(`, 'm').test(changelog)) expect(changelog).toContain(run().trim());
  else expect(run).toThrow(/has no heading/);
});
