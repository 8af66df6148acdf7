// Rules for dependencies: no script runs at install time, and every licence has been reviewed.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  license?: string;
  hasInstallScript?: boolean;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
}
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
);

/** Licences permitted in shipped code, and licences permitted only in development tools. */
const ANYWHERE = ['MIT', 'MIT OR Apache-2.0', '0BSD', 'Apache-2.0', 'ISC', 'BSD-3-Clause', 'BSD-2-Clause'];
const TOOLS_ONLY = ['MPL-2.0', 'GPL-3.0-or-later'];

test('no package has an install script', () => {
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
  for (const file of ['.ci/run', 'scripts/bootstrap.mjs'])
    expect(readFileSync(file, 'utf8')).toContain('--ignore-scripts');
});

test('every package has a checksum', () => {
  expect(
    packages.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([path]) => path),
  ).toEqual([]);
});

test('every licence is permitted', () => {
  const unknown = packages.filter(
    ([, { license = '', dev }]) => !ANYWHERE.includes(license) && !(dev === true && TOOLS_ONLY.includes(license)),
  );
  expect(unknown.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('every action is pinned to a commit, with its version in a comment', () => {
  const workflows = readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`);
  const uses = ['action.yml', ...workflows].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, what]) => what),
  );
  expect(uses.length).toBeGreaterThan(3);
  for (const what of uses) expect(what).toMatch(/^(\.\/|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/);
});
