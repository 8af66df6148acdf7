// compileEngine() and installWeights(): create an engine with given weights, a copy of the built engine with another weights module. The
// weights module is both valid TypeScript and JavaScript, so no compiler is needed. Checksums detect changes of the copy.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { projectFile, workerFile } from '../../selfplay/common/program.js';
import { sealedJson, sha256, unsealedJson } from '../../selfplay/common/run-files.js';
import { HEFT } from '../model/heft.js';
import { formatWeights } from './weights-file.js';
import { renderWeightsModule } from './weights-module.js';

/** Builds an engine with these weights atomically in the folder; its program is `engine/main.js`. */
export function compileEngine(weights: WeightSet, folder: string): void {
  const built = fileURLToPath(workerFile('engine'));
  const source = built.slice(0, -'.js'.length);
  if (!existsSync(source)) throw new UserError(`no built engine in ${source}; run npm run build`);
  const draft = `${folder}.tmp`;
  makeFolder(dirname(folder));
  try {
    rmSync(draft, { recursive: true, force: true });
    cpSync(source, join(draft, 'engine'), { recursive: true });
    writeFileAtomic(join(draft, 'engine/eval/weights.js'), renderWeightsModule(weights));
    writeFileAtomic(join(draft, 'package.json'), `${JSON.stringify({ type: 'module', private: true })}\n`);
    writeFileAtomic(join(draft, CHECKSUMS), `${sealedJson(checksumsOf(draft), 2)}\n`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    throw new UserError(`cannot compile an engine into ${folder}: ${(error as Error).message}`);
  }
}

const CHECKSUMS = 'checksums.json';

function checksumsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => name !== CHECKSUMS && statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, sha256(readFileSync(join(folder, name)))]));
}

/** Throws a UserError that names the first changed or missing file of a compiled engine; earlier versions had no checksums. */
export function checkEngine(folder: string): void {
  const list = join(folder, CHECKSUMS);
  if (!existsSync(list)) return;
  const remedy = `delete ${folder} to compile the engine again`;
  let expected: Record<string, string>;
  try {
    expected = unsealedJson(readFileSync(list, 'utf8')) as Record<string, string>;
  } catch {
    throw new UserError(`${list}: damaged; ${remedy}`);
  }
  const found = checksumsOf(folder);
  const changed = Object.keys(expected).find((name) => expected[name] !== found[name]);
  if (changed !== undefined)
    throw new UserError(`${join(folder, changed)}: ${found[changed] === undefined ? 'missing' : 'changed'}; ${remedy}`);
}

/** Installs the weights as shipped: writes engine/eval/weights.json and weights.ts for the next build. */
export function installWeights(weights: WeightSet): void {
  writeFileAtomic(fileURLToPath(projectFile('engine/eval/weights.json')), formatWeights(HEFT, weights));
  writeFileAtomic(fileURLToPath(projectFile('engine/eval/weights.ts')), renderWeightsModule(weights));
}

/** Builds dist/ from the changed sources. */
export function rebuild(): void {
  const bootstrap = fileURLToPath(projectFile('scripts/bootstrap.mjs'));
  try {
    execFileSync(process.execPath, [bootstrap], { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    throw new UserError('the sources hold the new values, but the build failed: run npm run build');
  }
}
