// Compiles TypeScript in the subset of AssemblyScript to WebAssembly. Where a module has a body for each target, the one for
// AssemblyScript lies in the folder wasm/ beside it under the same name and is compiled in its place.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import asc from 'assemblyscript/asc';

/** What the tuner's loops are compiled from and how; paths from the top folder. */
export const TUNER_LOOPS = {
  entries: ['tuner/loops/pass.ts', 'tuner/loops/tables.ts'],
  output: 'tuner/loops/pass.wasm',
  flags: '--enable simd --enable threads --sharedMemory --initialMemory 1 --maximumMemory 65536'.split(' '),
};

/** Compiles `entries` below the folder `root` and returns the module; throws with the compiler's messages. */
export async function compileWasm({ entries, output, flags }, root) {
  let code;
  const file = basename(output);
  // Named as imports name them, or the compiler would take an entry that is also imported for two modules
  const modules = entries.map((entry) => entry.replace(/\.ts$/, '.js.ts'));
  const args = [...modules, '--outFile', file, '-O3', '--noAssert', '--runtime', 'stub', '--importMemory', ...flags];
  const { error, stderr } = await asc.main(args, {
    readFile: (name) => readSource(root, name),
    writeFile: (name, content) => {
      if (name === file) code = content;
    },
    listFiles: () => [],
  });
  if (error !== null) throw new Error(`the AssemblyScript compiler failed: ${error.message}\n${stderr}`);
  return code;
}

// Imports end with .js as in all of the sources, and the compiler appends .ts to that
function readSource(root, name) {
  const path = name.replace(/(\.js)?\.ts$/, '.ts');
  const body = join(dirname(path), 'wasm', basename(path));
  const found = [body, path].map((candidate) => join(root, candidate)).find(existsSync);
  return found === undefined ? null : readFileSync(found, 'utf8');
}
