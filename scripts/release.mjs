// npm run release: checks everything, builds the files of a release and prints the commands that publish them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScript } from './script.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = 'runs/release';
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const run = (command, ...args) => execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' });
const output = (command, ...args) => execFileSync(command, args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Returns the version; throws if the repository is not ready for a release. */
function checkedVersion() {
  const { version } = JSON.parse(read('package.json'));
  const stated = {
    'engine/npm/package.json': `"version": "${version}"`,
    'tools/package.json': `"version": "${version}"`,
    'engine/uci/options.ts': `'Heft ${version}'`,
    'CITATION.cff': `\nversion: ${version}\n`,
  };
  for (const [path, text] of Object.entries(stated))
    if (!read(path).includes(text)) throw new Error(`${path}: expected ${text.trim()}`);
  const guides = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  for (const path of guides)
    for (const [name, stated] of read(path).matchAll(/heft-(?:chess|tools)-(\d+\.\d+\.\d+)\.tgz/g))
      if (stated !== version) throw new Error(`${path}: ${name} does not match version ${version}`);
  if (!new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm').test(read('CHANGELOG.md')))
    throw new Error(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)"`);
  if (output('git', 'status', '--porcelain') !== '') throw new Error('there are uncommitted changes');
  if (output('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`v${version} has already been released`);
  return version;
}

/** Builds packages, page, program and executable, and checks the bench of the programs. */
function makeFiles(version) {
  const [heft, script, page] = [`heft-${process.platform}-${process.arch}`, 'heft.js', 'play.html'].map(
    (name) => `${OUT}/${name}`,
  );
  rmSync(join(ROOT, OUT), { recursive: true, force: true });
  mkdirSync(join(ROOT, OUT), { recursive: true });
  for (const name of ['heft-chess', 'heft-tools'])
    run('npm', 'pack', '-w', name, '--pack-destination', OUT, '--silent');
  run('node', 'scripts/page.mjs', page);
  run('node', 'scripts/standalone.mjs', script);
  run('node', 'scripts/executable.mjs', heft);
  run('tar', '-xzf', `${OUT}/heft-chess-${version}.tgz`, '-C', OUT);
  const bench = read('test/data/bench.txt').trim();
  for (const [command, ...args] of [[`./${heft}`], ['node', script], ['node', `${OUT}/package/dist/heft.js`]]) {
    const [nodes] = output(command, ...args, 'bench').split(' ');
    if (nodes !== bench) throw new Error(`${[command, ...args].join(' ')} has bench ${nodes}; expected ${bench}`);
  }
  rmSync(join(ROOT, OUT, 'package'), { recursive: true });
  writeSums();
}

/** Writes the checksums of the files in sha256sum's format. */
function writeSums() {
  const sums = readdirSync(join(ROOT, OUT)).map((name) => {
    const sum = createHash('sha256').update(readFileSync(join(ROOT, OUT, name)));
    return `${sum.digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(ROOT, OUT, 'SHA256SUMS'), sums.join(''));
}

const USAGE = `npm run release

Runs all checks, writes the release files to ${OUT}, and prints the commands that publish them.`;

await runScript('release', USAGE, () => {
  const version = checkedVersion();
  run('.ci/run');
  makeFiles(version);
  process.stdout.write(`
${OUT} contains ${readdirSync(join(ROOT, OUT)).join(', ')}. To publish:
  git tag v${version} && git push origin v${version}
  npm publish ${OUT}/heft-chess-${version}.tgz
  npm publish ${OUT}/heft-tools-${version}.tgz
`);
});
