// Prints the section of CHANGELOG.md for the current version, as the release notes.

import { readFileSync } from 'node:fs';
import { runScript } from './script.mjs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const USAGE = `node scripts/release-notes.mjs

Prints the section of CHANGELOG.md for the version in package.json.`;

await runScript('release-notes', USAGE, () => {
  const { version } = JSON.parse(read('package.json'));
  const parts = read('CHANGELOG.md').split(/^(?=## )/m);
  const found = parts.find((part) => part.startsWith(`## ${version} (`));
  if (found === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)"`);
  process.stdout.write(`${found.replace(/^## .*\n+/, '').trim()}\n`);
});
