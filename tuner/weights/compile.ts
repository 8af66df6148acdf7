// compileEngine() creates an engine with given weights: a copy of the built engine with another weights module. Checksums detect changes to
// the copy. installWeights() writes such a module, and weights.json, to the sources. The module is valid both as TypeScript and as
// JavaScript, so the copy needs no compiler.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pair, WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { projectFile, workerFile } from '../../selfplay/common/program.js';
import { compactJson, sealedJson, sha256, unsealedJson } from '../../selfplay/common/run-files.js';
import { loadWeights, readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { HEFT } from '../model/heft.js';
import { isBoard, type Term } from '../model/model.js';
import { PIECES } from '../model/names.js';
import { type Origin, recordShipped } from './shipped-ledger.js';
import { formatWeights, rowsOf } from './weights-file.js';

/** Creates an engine with these weights atomically in the folder; its program is `engine/main.js`. Throws a UserError if that fails. */
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

/** Throws a UserError that names the first changed or missing file of a compiled engine. An engine without checksums is accepted. */
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

/**
 * Makes these the shipped weights: writes engine/eval/weights.json and weights.ts for the next build. Their entry is added to the ledger
 * first so that the engine never has weights of unrecorded origin. Throws a UserError if other weights have been installed since this
 * program was built, because the match was played against the earlier ones.
 */
export function installWeights(weights: WeightSet, origin: Origin, entry: object): void {
  const file = fileURLToPath(projectFile('engine/eval/weights.json'));
  // An interrupted installation may have written the file already
  const expected = [loadWeights('shipped'), weights].map((set) => weightsHash(set));
  if (existsSync(file) && !expected.includes(weightsHash(readWeights(file))))
    throw new UserError(
      `not installed: ${file} has changed since the match began; play a match against the weights in it, and install with npm run tune -- install`,
    );
  recordShipped('weights', origin, entry);
  writeFileAtomic(file, formatWeights(HEFT, weights));
  writeFileAtomic(fileURLToPath(projectFile('engine/eval/weights.ts')), renderWeightsModule(weights));
}

/** Builds dist/ from the changed sources. Throws a UserError if that fails. */
export function rebuild(): void {
  const bootstrap = fileURLToPath(projectFile('scripts/bootstrap.mjs'));
  try {
    execFileSync(process.execPath, [bootstrap], { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    throw new UserError('the sources hold the new values, but the build failed: run npm run build');
  }
}

// renderWeightsModule(): the text of engine/eval/weights.ts, the built-in weights. It has no type annotations, so it is valid both as
// TypeScript and as JavaScript. A board has one rank per line, so diffs show the changed squares.

/** Returns the text of engine/eval/weights.ts for these weights. It omits the list of data files, which may be long. */
export function renderWeightsModule(weights: WeightSet): string {
  const { data, ...provenance } = weights.provenance;
  const terms = HEFT.terms.map((term) => renderTerm(term, weights.terms[term.name]));
  return `// Generated by \`npm run loop\`, \`npm run tune\` and \`npm run spsa\`. Do not edit: a test compares this file
// with weights.json. Each value is a [middlegame, endgame] pair; tables of squares are from White's side, one rank per line, a1 first.

export const WEIGHTS = {
  provenance: ${compactJson(provenance, '  ')},
  terms: {
${terms.join('\n')}
  },
};
`;
}

function renderTerm(term: Term, pairs: readonly Pair[]): string {
  const width = Math.max(...pairs.flat().map((value) => String(value).length));
  const cell = (value: number): string => String(value).padStart(width);
  const isByPiece = isBoard(term) && term.shape[0] === PIECES.length;
  const rows = rowsOf(term, pairs).map((row, index) => {
    const heading = isByPiece && index % 8 === 0 ? `      // ${PIECES[index / 8]}\n` : '';
    return `${heading}      ${row.map(([mg, eg]) => `[${cell(mg)}, ${cell(eg)}]`).join(', ')},`;
  });
  return `    ${term.name}: [\n${rows.join('\n')}\n    ],`;
}
