// Packs the built engine into one script that needs only Node: node scripts/standalone.mjs FILE [WEIGHTS [1]]; the argument 1 offers the
// search parameters as UCI options. A single file is needed because OpenBench keeps only the file that `make` creates.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { program } from './bundle.mjs';
import { runScript } from './script.mjs';

/** Returns the text of a weights file; throws an Error if it is invalid, because the program would not start with it. */
async function validWeights(file) {
  const { parseWeightSet } = await import('../dist/engine/eval/weight-set.js');
  const text = readFileSync(file, 'utf8');
  try {
    parseWeightSet(text);
  } catch (error) {
    throw new Error(`${file}: ${error.message}`);
  }
  return text;
}

await runScript('standalone', 'node scripts/standalone.mjs FILE [WEIGHTS [1]]', async (file, weights, tune) => {
  if (!file) throw new Error('expected the name of the output file');
  const { dataUrl } = await import('../dist/engine/names.js');
  const args = weights ? ['--weights', dataUrl(await validWeights(weights))] : [];
  if (tune && tune !== '0') args.push('--tune-options');
  const code = await program(args);
  // A running engine keeps its original file
  rmSync(file, { force: true });
  writeFileSync(file, code, { mode: 0o755 });
});
