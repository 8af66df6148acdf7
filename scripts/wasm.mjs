// Compiles the engine's kernel to WebAssembly with AssemblyScript's compiler, from the same sources as JavaScript. What a source imports is
// - another source of the kernel (listed in engine/tsconfig.kernel.json), compiled as it is;
// - a module with a body for each target: its other body is in engine/kernel/assemblyscript/;
// - or ordinary TypeScript that declares constants and tables: WebAssembly gets the values and addresses that these have in JavaScript.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BODIES = 'engine/kernel/assemblyscript';
const GLOBALS = 'engine/kernel/assemblyscript/globals.ts';
const FLAGS = ['-O3', '--runtime', 'stub', '--importMemory', '--noAssert'];

/** The modules: sources whose exports they export, file, further flags, and bodies of the first kind although another body exists. */
const MODULES = [
  {
    entries: ['engine/search/search.ts', 'engine/search/qsearch.ts', 'engine/board/perft.ts'],
    file: 'search.wasm',
    flags: ['--lowMemoryLimit', '0'],
    plain: [],
  },
  {
    entries: ['engine/search/tt-entries.ts'],
    file: 'table.wasm',
    flags: ['--sharedMemory', '--maximumMemory', '65536', '--enable', 'threads'],
    plain: ['tt-entries.ts'],
  },
];

const CLASSES = { Uint8Array: 'U8s', Int16Array: 'I16s', Int32Array: 'I32s', Float64Array: 'F64s' };

function literal(value) {
  return Number.isInteger(value) && !Object.is(value, -0) ? `i32 = ${value}` : `f64 = ${value}`;
}

/** Returns AssemblyScript that declares what a module of ordinary TypeScript exports: numbers, and tables by their addresses. */
async function declarationsOf(script, isTable) {
  const lines = [];
  for (const [name, value] of Object.entries(await import(pathToFileURL(script).href))) {
    if (typeof value === 'number') lines.push(`export const ${name}: ${literal(value)};`);
    else if (ArrayBuffer.isView(value) && isTable(value)) {
      const type = CLASSES[value.constructor.name];
      lines.push(`export const ${name}: ${type} = changetype<${type}>(${value.byteOffset});`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Compiles the kernel's modules from the sources below `root` and their compiled JavaScript below `dist`; throws an Error with the compiler's messages. */
export async function compileKernel(root, dist) {
  const { default: asc } = await import('assemblyscript/asc');
  const kernel = JSON.parse(readFileSync(join(root, 'engine/tsconfig.kernel.json'), 'utf8'));
  const sources = new Set(kernel.files.map((path) => join('engine', path)));
  const { isTable } = await import(pathToFileURL(join(dist, 'engine/kernel/memory.js')).href);
  const text = (path) => readFileSync(join(root, path), 'utf8');

  for (const { entries, file, flags, plain } of MODULES) {
    const readFile = async (name, folder) => {
      const path = join(folder, name).replace(/\.js\.ts$/, '.ts');
      const body = join(BODIES, basename(path));
      if (path.startsWith(BODIES) || (sources.has(path) && plain.includes(basename(path)))) return text(path);
      if (path.startsWith('engine/') && existsSync(join(root, body))) return text(body);
      if (sources.has(path)) return text(path);
      const script = join(dist, path.replace(/\.ts$/, '.js'));
      return existsSync(script) ? declarationsOf(script, isTable) : null;
    };
    const output = {};
    const { error, stderr } = await asc.main(
      [...entries, '--outFile', file, '--textFile', 'text.wat', ...FLAGS, ...flags, '--lib', GLOBALS],
      {
        readFile,
        writeFile: (name, contents) => {
          output[name] = contents;
        },
        listFiles: () => [],
      },
    );
    if (error) throw new Error(`asc could not compile ${file}: ${error.message}\n${stderr.toString()}`);
    const folder = join(dist, 'engine/kernel');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), output[file]);
    if (process.env.WAT) writeFileSync(`/tmp/${file}.wat`, output['text.wat']);
  }
}
