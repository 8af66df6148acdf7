// compileEngine() and installWeights(): compile weights into an engine, a copy of the built engine whose weights module is
// replaced. The weights module is the same text in TypeScript and JavaScript, so no compiler is needed and the copy plays exactly these
// weights.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { projectFile, workerFile } from '../../selfplay/common/program.js';
import { HEFT } from '../model/heft.js';
import { formatWeights } from './weights-file.js';
import { renderWeightsModule } from './weights-module.js';

/** Builds an engine with these weights in the folder, whole or not at all; its program is `engine/main.js` there. */
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
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    throw new UserError(`cannot compile an engine into ${folder}: ${(error as Error).message}`);
  }
}

/** Makes the weights the shipped ones: writes engine/eval/weights.json and weights.ts, which the next build compiles in. */
export function installWeights(weights: WeightSet): void {
  writeFileAtomic(fileURLToPath(projectFile('engine/eval/weights.json')), formatWeights(HEFT, weights));
  writeFileAtomic(fileURLToPath(projectFile('engine/eval/weights.ts')), renderWeightsModule(weights));
}

/** Builds dist/ from sources that have just been written. */
export function rebuild(): void {
  const bootstrap = fileURLToPath(projectFile('scripts/bootstrap.mjs'));
  try {
    execFileSync(process.execPath, [bootstrap], { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    throw new UserError('the sources hold the new values, but the build failed: run npm run build');
  }
}
