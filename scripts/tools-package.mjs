// Fills tools/dist, from which `npm pack -w heft-tools` builds the npm package of the commands. The package contains one program, the
// scripts of its threads, and the built engine for matches and loops. Dependencies are bundled, so nothing else has to be installed.

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'rolldown';
import { minifySync } from 'rolldown/experimental';
import { bundleOptions, ROOT } from './bundle.mjs';
import { KERNEL_PACKAGES, notices, packagesIn } from './notices.mjs';

const PACKAGE = join(ROOT, 'tools');
const DIST = join(PACKAGE, 'dist');
const PROGRAM = 'heft-tools';
/** Threads and programs started by file path. */
const THREADS = [
  'selfplay/match/main',
  'selfplay/datagen/worker',
  'tuner/labels/worker',
  'tuner/objective/gradient-worker',
  'tuner/trace/worker',
];
/** The thread script of the worker pool. */
const POOL = 'packages/tinypool/dist/entry/worker';
/** Data files of the build. */
const ASSETS = ['tuner/passes/pass.wasm', 'tuner/matrix/matrix.wasm'];
const WEIGHTS = ['engine/eval/material.json', 'engine/eval/zero.json'];

// node_modules may be a link to another folder
const placeOf = (path) =>
  relative(ROOT, path)
    .replaceAll('\\', '/')
    .replace(/^.*?\bnode_modules\//, 'packages/');

/** Gives each bundled module the URL of its built file, so relative paths remain valid. */
const KEEP_PLACES = {
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    const place = placeOf(id).replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `new URL('./${place}', import.meta.url).href`);
  },
};

/** Also shortens names in packages, because ECharts is half of the code. */
const SHORTEN_PACKAGES = {
  name: 'shorten-packages',
  renderChunk(code, { moduleIds, fileName }) {
    const isPackages = moduleIds.length > 0 && moduleIds.every((id) => id.includes('node_modules'));
    return isPackages ? { code: minifySync(fileName, code, { module: true }).code } : null;
  },
};

/** Writes the program and its threads; returns the packages in them, whose licences require a notice. */
async function bundleProgram() {
  const threads = Object.fromEntries(THREADS.map((name) => [name.replaceAll('/', '-'), join(ROOT, `${name}.ts`)]));
  const input = {
    [PROGRAM]: join(ROOT, 'tools/main.ts'),
    ...threads,
    [POOL.replaceAll('/', '-')]: join(ROOT, 'node_modules', POOL.slice('packages/'.length)).concat('.js'),
  };
  const options = bundleOptions(input, { format: 'esm', platform: 'node', plugins: [KEEP_PLACES, SHORTEN_PACKAGES] });
  options.output.codeSplitting = {
    groups: [{ name: 'charts', test: /node_modules[\\/](echarts|zrender|tslib)[\\/]/ }],
  };
  const { output } = await build(options);
  for (const { fileName, code } of output) {
    const isProgram = fileName === `${PROGRAM}.js`;
    writeFileSync(join(DIST, fileName), isProgram ? `#!/usr/bin/env node\n${code}` : code, {
      mode: isProgram ? 0o755 : 0o644,
    });
  }
  for (const place of [...THREADS, POOL]) {
    const entry = output.find(({ name, isEntry }) => isEntry && name === place.replaceAll('/', '-'));
    const target = posix.relative(posix.dirname(place), entry.fileName);
    const exported = entry.exports.includes('default')
      ? `export { default } from '${target}';\n`
      : `import '${target}';\n`;
    write(`${place}.js`, exported);
  }
  return packagesIn(output);
}

function write(path, text) {
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  writeFileSync(join(DIST, path), text);
}

rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST, { recursive: true });
const packages = await bundleProgram();
const isCode = (path) => !path.endsWith('.json');
cpSync(join(ROOT, 'dist/engine'), join(DIST, 'engine'), { recursive: true, filter: isCode });
for (const path of ASSETS) cpSync(join(ROOT, 'dist', path), join(DIST, path));
for (const path of WEIGHTS) cpSync(join(ROOT, path), join(PACKAGE, path));
cpSync(join(ROOT, 'node_modules/yargs/locales/en.json'), join(DIST, 'packages/yargs/locales/en.json'));
cpSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
writeFileSync(join(DIST, 'THIRD-PARTY-NOTICES.txt'), notices([...packages, ...KERNEL_PACKAGES]));
