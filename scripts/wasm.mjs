// Compiles TypeScript in AssemblyScript's subset to WebAssembly; most of these sources are also compiled to JavaScript. They may import
// - modules with one implementation per target; the one for AssemblyScript has the same name and lies in the folder wasm/ beside the other;
// - other sources of the same kind, which are compiled as they are;
// - ordinary TypeScript that declares constants and tables, whose values and addresses in JavaScript are passed to WebAssembly.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const GLOBALS = 'engine/kernel/wasm/globals.ts';
/** Lists the engine's kernel sources; the tuner's are all files in its passes folder. */
const KERNEL = 'engine/tsconfig.kernel.json';
const PASSES = 'tuner/passes/';
const FLAGS = '-O3 --runtime stub --importMemory --noAssert';
/** Flags of modules that use the engine's memory. */
const ENGINE_FLAGS = '--lowMemoryLimit 0 --enable simd';

/**
 * The modules: their entry sources and file, further flags, constants that differ from JavaScript, sources used although wasm/ has another
 * implementation, and whether Binaryen specialises the output.
 */
const MODULES = [
  {
    entries: ['engine/search/module.ts'],
    file: 'engine/kernel/search.wasm',
    flags: ENGINE_FLAGS,
    constants: { TRACING: false, AUDITING: false },
    isSpecialised: true,
  },
  {
    entries: ['engine/search/module.ts'],
    file: 'engine/kernel/audit.wasm',
    flags: ENGINE_FLAGS,
    constants: { TRACING: false, AUDITING: true },
  },
  {
    entries: ['engine/eval/candidates.ts'],
    file: 'engine/kernel/trace.wasm',
    flags: ENGINE_FLAGS,
    constants: { TRACING: true },
  },
  {
    // The implementation in wasm/ only declares these functions, which the search imports
    entries: ['engine/search/tt/entries.ts', 'engine/search/tt/ints.ts'],
    asSource: ['engine/search/tt/entries.ts'],
    file: 'engine/kernel/table.wasm',
    flags: '--sharedMemory --maximumMemory 65536 --enable threads --enable bulk-memory',
  },
  {
    entries: ['tuner/passes/pass.ts', 'tuner/passes/tables.ts'],
    file: 'tuner/passes/pass.wasm',
    flags: '--sharedMemory --initialMemory 1 --maximumMemory 65536 --enable threads --enable simd',
  },
  {
    // These sources exist only for WebAssembly
    entries: ['tuner/matrix/elimination.ts', 'tuner/matrix/squares.ts'],
    file: 'tuner/matrix/matrix.wasm',
    flags: '--enable simd',
  },
];

/** Kinds of tables: AssemblyScript class, and element type there and in memory. */
const TABLES = {
  Uint8Array: { name: 'U8s', element: 'i32', stored: 'u8' },
  Int16Array: { name: 'I16s', element: 'i32', stored: 'i16' },
  Int32Array: { name: 'I32s', element: 'i32', stored: 'i32' },
  BigUint64Array: { name: 'U64s', element: 'u64', stored: 'u64' },
  Float64Array: { name: 'F64s', element: 'f64', stored: 'f64' },
};

function literal(value) {
  if (typeof value === 'boolean') return `bool = ${value}`;
  if (typeof value === 'bigint') return `u64 = ${BigInt.asUintN(64, value)}`;
  return Number.isInteger(value) && !Object.is(value, -0) ? `i32 = ${value}` : `f64 = ${value}`;
}

/** Returns a class whose static accessors load and store the elements of a table by name. */
function namedElements(className, { table, names }) {
  const { element, stored } = TABLES[table.constructor.name];
  const accessors = names.map((name, i) => {
    const address = table.byteOffset + i * table.BYTES_PER_ELEMENT;
    return `  @inline static get ${name}(): ${element} { return load<${stored}>(${address}); }
  @inline static set ${name}(value: ${element}) { store<${stored}>(${address}, value); }`;
  });
  return `export class ${className} {\n${accessors.join('\n')}\n}`;
}

/**
 * Returns AssemblyScript that declares the exports of a TypeScript module: numbers, bitboards, flags, tables, and objects of fields or
 * tables.
 */
async function declarationsOf(script, { isTable, namesOf }, { constants = {}, classOf }) {
  const lines = [];
  // A table is declared by address
  const tableAt = (name, table) => {
    const kind = TABLES[table.constructor.name];
    let type = kind.name;
    if (classOf !== undefined) {
      type += `_${table.byteOffset}`;
      lines.push(classOf(type, table, kind));
    }
    return `${name}: ${type} = changetype<${type}>(${table.byteOffset});`;
  };
  const exported = await import(pathToFileURL(script).href);
  for (const [name, declared] of Object.entries(exported)) {
    const value = constants[name] ?? declared;
    if (['number', 'bigint', 'boolean'].includes(typeof value)) lines.push(`export const ${name}: ${literal(value)};`);
    else if (isTable(value)) lines.push(`export const ${tableAt(name, value)}`);
    else if (typeof value !== 'object' || value === null) continue;
    else if (namesOf(value) !== undefined) lines.push(namedElements(name, namesOf(value)));
    else if (Object.values(value).some(isTable)) {
      const members = Object.entries(value).map(([key, table]) => `  static readonly ${tableAt(key, table)}`);
      lines.push(`export class ${name} {\n${members.join('\n')}\n}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the module with functions specialised for constant arguments, such as a side or kind of piece, and with more inlining than asc:
 * up to 60 of Binaryen's units, or 300 without loops and calls. A second round specialises callees of the first.
 */
async function specialise(code) {
  const { default: binaryen } = await import('binaryen');
  const module = binaryen.readBinary(code);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(60);
  binaryen.setFlexibleInlineMaxSize(300);
  binaryen.setOneCallerInlineMaxSize(-1);
  binaryen.setAllowInliningFunctionsWithLoops(false);
  // Functions are specialised if this saves at least one per cent
  binaryen.setPassArgument('monomorphize-min-benefit', '1');
  for (let round = 0; round < 2; round++) {
    module.runPasses(['monomorphize']);
    module.optimize();
  }
  return module.emitBinary();
}

/**
 * Returns a function that compiles a module from the sources below `root` and their JavaScript below `dist`; that function throws an Error
 * with the compiler's messages.
 */
async function compilerOf(root, dist) {
  const { default: asc } = await import('assemblyscript/asc');
  const memory = await import(pathToFileURL(join(dist, 'engine/kernel/memory.js')).href);
  const text = (path) => readFileSync(join(root, path), 'utf8');
  const kernel = new Set(JSON.parse(text(KERNEL)).files.map((path) => join('engine', path)));
  const isSource = (path) => kernel.has(path) || path.startsWith(PASSES);

  return async (module) => {
    const { entries, asSource = [], file, flags, isSpecialised } = module;
    // Imports end with .js as in all sources, and the compiler appends .ts to that
    const readFile = async (name, folder) => {
      const path = join(folder, name).replace(/\.js\.ts$/, '.ts');
      const body = join(dirname(path), 'wasm', basename(path));
      if (path === GLOBALS) return text(path);
      // An implementation in wasm/ replaces the source one folder up, and its imports are resolved from that folder
      if (!asSource.includes(path) && existsSync(join(root, body)))
        return text(body).replaceAll("from '../", "from './");
      if (existsSync(join(root, path)) && isSource(path)) return text(path);
      const script = join(dist, path.replace(/\.ts$/, '.js'));
      return existsSync(script) ? declarationsOf(script, memory, module) : null;
    };
    const name = basename(file);
    let code;
    const writeFile = (written, content) => {
      if (written === name) code = content;
    };
    // Entries have the same names as in imports; otherwise the compiler would compile an imported entry twice
    const modules = entries.map((entry) => entry.replace(/\.ts$/, '.js.ts'));
    const args = [...modules, '--outFile', name, '--lib', GLOBALS, ...`${FLAGS} ${flags}`.split(' ')];
    const { error, stderr } = await asc.main(args, { readFile, writeFile, listFiles: () => [] });
    if (error) throw new Error(`asc could not compile ${file}: ${error.message}\n${stderr}`);
    return isSpecialised ? specialise(code) : code;
  };
}

/** Compiles all modules into `dist`. */
export async function compileModules(root, dist) {
  const compile = await compilerOf(root, dist);
  for (const module of MODULES) {
    const code = await compile(module);
    mkdirSync(join(dist, dirname(module.file)), { recursive: true });
    writeFileSync(join(dist, module.file), code);
  }
}

/** Returns the search's module with a class of its own for each table, for tests. */
export async function compileSearch(root, dist, classOf) {
  const compile = await compilerOf(root, dist);
  return compile({ ...MODULES[0], isSpecialised: false, classOf });
}
