// Prepares a clone: installs the dependencies and builds Heft if needed. The npm scripts call it first. It installs if npm's record of
// node_modules differs from package-lock.json, and builds if the hash of the sources or a file in dist/ differs from the stamp of the last
// build. It prints to stderr, and only if there is something to do.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileModules } from './wasm.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const SOURCE_FOLDERS = ['engine', 'selfplay', 'tuner', 'scripts', 'tools'];
/** Packaging output, which is not a source of the build. */
const PACKAGES = [join('engine', 'npm'), join('tools', 'dist'), join('tools', 'engine'), join('tools', 'package.json')];
const BUILD_SCRIPTS = ['scripts/bootstrap.mjs', 'scripts/bundle.mjs', 'scripts/wasm.mjs'];
const BUILD_FILES = ['tsconfig.json', 'engine/tsconfig.kernel.json', ...BUILD_SCRIPTS];
const COMPILERS = ['typescript', 'assemblyscript', 'binaryen', 'rolldown', 'echarts'];
/** Entries bundled into one file each for a fast start. */
const BUNDLED = ['engine/main', 'engine/worker', 'selfplay/web/echarts'];
/** Programs and threads bundled with shared chunks, also for a fast start; all other modules remain separate files. */
const PROGRAMS = [
  'scripts/ablation',
  'scripts/calibrate-elo',
  'scripts/fit-wdl',
  'scripts/opening-book',
  'scripts/pruning-audit',
  'scripts/scaling',
  'selfplay/data/main',
  'selfplay/datagen/main',
  'selfplay/datagen/worker',
  'selfplay/match/main',
  'selfplay/queue/main',
  'selfplay/ratings/main',
  'tuner/commands/tune-main',
  'tuner/labels/worker',
  'tuner/loop/loop-main',
  'tuner/objective/gradient-worker',
  'tuner/spsa/main',
  'tuner/trace/worker',
];
const STAMP = 'dist/.stamp.json';
const LOCK = '.bootstrap.lock';
const LOCK_PATIENCE_MS = 15 * 60_000;

const USAGE = `usage: npm run build [-- OPTION], or node scripts/bootstrap.mjs [OPTION]

Installs packages into node_modules/ and builds into dist/; by default only after changes.

  --force         always builds, as npm run build does
  --install-only  installs the packages and builds nothing
  --help          prints this text
  --version       prints the version`;

/** An error that is reported on one line. */
class BootstrapError extends Error {}

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the files below a folder of the repository, without packaging output, as sorted paths from the root; none if the folder does not
 * exist.
 */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !PACKAGES.some((folder) => path.startsWith(folder)))
    .sort();
}

/** Runs a program with its output on stderr; throws if it fails or cannot be started. */
function run(what, command, args) {
  const shell = process.platform === 'win32';
  const { status, signal, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], shell });
  if (error) throw new BootstrapError(`cannot start ${what}: ${error.message}`);
  if (status !== 0)
    throw new BootstrapError(`${what} failed (${signal ?? `exit code ${status}`}); see its output above`);
}

function isInstalled() {
  const wanted = readJson('package-lock.json')?.packages;
  const present = readJson('node_modules/.package-lock.json')?.packages;
  if (wanted === undefined)
    throw new BootstrapError('package-lock.json is missing or damaged; restore it with git checkout package-lock.json');
  if (present === undefined) return false;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.integrity === entry.integrity,
  );
}

/** Returns the paths of the build's inputs: TypeScript sources and JSON assets. */
function sourceFiles() {
  // As the compiler does, skip hidden files, such as Emacs's locks, which are dangling links
  const sources = SOURCE_FOLDERS.flatMap(filesBelow).filter((path) => !basename(path).startsWith('.'));
  const isAsset = (path) => path.endsWith('.json') && !basename(path).startsWith('tsconfig.');
  return {
    code: sources.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts')),
    assets: sources.filter(isAsset),
  };
}

function sourceHash({ code, assets }) {
  const hash = createHash('sha256');
  const { version, type } = readJson('package.json') ?? {};
  hash.update(
    JSON.stringify([version, type, COMPILERS.map((name) => readJson(`node_modules/${name}/package.json`)?.version)]),
  );
  for (const path of [...BUILD_FILES, ...code, ...assets]) {
    const content = readFileSync(path);
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

// Returns the size and time of a built file, which reveal changes without reading it
function fingerprint(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.size} ${Math.floor(stat.mtimeMs)}`;
}

function isBuilt(hash) {
  const stamp = readJson(STAMP);
  return stamp?.hash === hash && Object.entries(stamp.files).every(([path, mark]) => fingerprint(path) === mark);
}

async function build() {
  const sources = sourceFiles();
  const hash = sourceHash(sources);
  rmSync(STAMP, { force: true });

  // Compile to a separate folder so that a failure leaves the old files intact
  const fresh = `dist/.build-${process.pid}`;
  try {
    const compiler = join('node_modules', '.bin', 'tsc');
    run('the TypeScript compiler', compiler, ['-p', 'tsconfig.json', '--outDir', fresh]);
    for (const path of sources.assets) cpSync(path, join(fresh, path));

    try {
      await compileModules(ROOT, join(ROOT, fresh));
      // Available only after the packages are installed
      const { bundleEntry, bundlePrograms } = await import('./bundle.mjs');
      const bundles = await bundlePrograms(PROGRAMS);
      for (const name of BUNDLED) bundles.set(`${name}.js`, await bundleEntry(`${name}.ts`));
      for (const [path, code] of bundles) {
        mkdirSync(join(fresh, dirname(path)), { recursive: true });
        writeFileSync(join(fresh, path), code);
      }
    } catch (error) {
      throw new BootstrapError(error.message);
    }

    // Replace changed files one by one so that a running engine never finds a missing or partial file
    const files = filesBelow(fresh).map((path) => join('dist', relative(fresh, path)));
    for (const path of files) {
      const from = join(fresh, relative('dist', path));
      if (isFile(path) && readFileSync(from).equals(readFileSync(path))) continue;
      if (existsSync(path) && !isFile(path)) rmSync(path, { recursive: true });
      mkdirSync(dirname(path), { recursive: true });
      renameSync(from, path);
    }
    rmSync(fresh, { recursive: true });
    const kept = new Set(files);
    for (const path of filesBelow('dist')) if (!kept.has(path)) rmSync(path);

    // GUIs start the engine by its file name
    const engine = 'dist/engine/main.js';
    if (kept.has(engine)) chmodSync(engine, 0o755);
    const marks = Object.fromEntries(files.map((path) => [path, fingerprint(path)]));
    writeFileSync(`${STAMP}.tmp`, JSON.stringify({ hash, files: marks }));
    renameSync(`${STAMP}.tmp`, STAMP);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// If several processes find the holder dead, only one can rename its lock; a lock that already belongs to a new holder is restored
function removeStaleLock(lock, grave, deadHolder) {
  try {
    renameSync(lock, grave);
    if (Number(readFileSync(grave, 'utf8')) !== deadHolder) linkSync(grave, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(grave, { force: true });
  }
}

/** Returns the process that holds the lock; 0 if the lock has just been released. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return 0;
  }
}

/** Waits for other bootstraps in this folder and takes the lock; returns the release function. */
function takeLock() {
  const lock = join(ROOT, LOCK);
  const mine = `${lock}-${process.pid}`;
  const giveUp = Date.now() + LOCK_PATIENCE_MS;
  writeFileSync(mine, `${process.pid}`);
  try {
    for (let waited = 0; ; waited++) {
      try {
        linkSync(mine, lock); // appears with its content, or fails because another process holds the lock
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = holderOf(lock);
      // In a container, a killed bootstrap may have had the same process id. Containers that share this folder must not start at the same
      // time
      if (holder > 0 && (holder === process.pid || !isAlive(holder))) removeStaleLock(lock, `${mine}-stale`, holder);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      if (waited === 20)
        process.stderr.write(`bootstrap: waiting for process ${holder}, which is installing or building here\n`);
      if (Date.now() > giveUp)
        throw new BootstrapError(`process ${holder} has not finished; if it hangs, end it and remove ${lock}`);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

async function bootstrap({ installOnly, force }) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new BootstrapError(`Node 20.19 or later is required; this is ${process.version}`);
  }
  const needsBuild = () => !installOnly && (force || !isBuilt(sourceHash(sourceFiles())));
  if (isInstalled() && !needsBuild()) return;

  const release = takeLock();
  try {
    // Checked again, because another process may have done the work meanwhile. The build tools are development packages
    if (!isInstalled()) run('npm ci', 'npm', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']);
    if (needsBuild()) await build();
  } finally {
    release();
  }
}

// All paths are relative to the clone
process.chdir(ROOT);
try {
  const names = ['install-only', 'force', 'help', 'version'];
  const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])) });
  if (values.help) console.log(USAGE);
  else if (values.version) console.log(readJson('package.json').version);
  else await bootstrap({ installOnly: values['install-only'] ?? false, force: values.force ?? false });
} catch (error) {
  const isUsage = error.code?.startsWith('ERR_PARSE_ARGS');
  const expected = isUsage || error instanceof BootstrapError || error.syscall !== undefined;
  process.stderr.write(`bootstrap: ${expected ? error.message : error.stack}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
