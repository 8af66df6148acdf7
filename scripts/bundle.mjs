// Bundles the engine's sources: for the build, as a program in one file that needs only Node, and for the npm package. Loading a hundred small
// modules would take most of the engine's start.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'rolldown';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const ENGINE = join(ROOT, 'engine');

/** What a CommonJS script calls `require`, also where Node takes a file without an ending for an ES module. */
const REQUIRE = 'var require = process.getBuiltinModule;';

/** Without comments and blanks; names stay, so that messages of errors can be read. */
const SHORT = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

/** Returns rolldown's options for these entries. */
export const bundleOptions = (
  input,
  { format, define = {}, banner = '', minify = SHORT, plugins = [], platform = format === 'cjs' ? 'node' : 'neutral' },
) => ({
  input,
  plugins,
  external: /^node:/,
  platform,
  transform: {
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
  },
  output: { format, banner, minify, entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' },
  write: false,
  resolve: { extensionAlias: { '.js': ['.js', '.ts'] } },
  logLevel: 'warn',
});

/** Returns the code of a source with all that it imports, without Node's own modules; `define` replaces names by values. */
export async function bundle(file, how) {
  const { output, ...more } = bundleOptions(join(ROOT, file), how);
  const built = await build({ ...more, output: { ...output, codeSplitting: false } });
  return built.output[0].code;
}

/** Leaves out the weights, which an engine with others has in their file's place, and what is imported later, which most runs never need. */
const LEFT_BESIDE = {
  name: 'left-beside',
  resolveId(source, _importer, { kind }) {
    if (source.endsWith('/weights.js')) return { id: './eval/weights.js', external: true };
    return kind === 'dynamic-import' ? { id: source, external: true } : null;
  },
};

/** Returns the code of an entry in engine/ for the build, where the other modules lie beside it. */
export const bundleEntry = (file) => bundle(file, { format: 'esm', minify: false, plugins: [LEFT_BESIDE] });

/** Returns the code of several files, by the name that each gets, and of what they have in common, by file name; as small as it gets. */
export async function bundleAll(files) {
  const input = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(ENGINE, file)]));
  const built = await build(bundleOptions(input, { format: 'esm', minify: true }));
  return new Map(built.output.map(({ fileName, code }) => [fileName, code]));
}

/** Returns the bytes for scripts of browsers, which inflate them. */
const deflate = (bytes) => deflateRawSync(bytes, { level: 9 });

/** Returns the built kernel's modules in base64, packed by a function. */
export function kernelBase64(pack = (bytes) => bytes) {
  const code = (name) => pack(readFileSync(join(ROOT, `dist/engine/kernel/${name}.wasm`))).toString('base64');
  return { search: code('search'), table: code('table'), trace: code('trace') };
}

/** Returns the code of a module for browsers with the thread it starts and the kernel inside, which needs no other file. */
export async function inlined(file, format) {
  const small = { minify: true };
  const worker = await bundle('engine/worker-browser.ts', {
    ...small,
    format: 'iife',
    define: { HEFT_KERNEL: Object.values(kernelBase64(deflate)) },
  });
  return bundle(file, { ...small, format, define: { HEFT_WORKER: worker } });
}

/** Returns the drop-in worker, one classic script: a function that starts further workers from its own text. */
export async function dropIn() {
  const code = await bundle('engine/worker-uci.ts', {
    format: 'iife',
    define: { HEFT_KERNEL: Object.values(kernelBase64(deflate)) },
    minify: true,
  });
  return `/*! Heft, MIT licence, and code of AssemblyScript, Apache-2.0: see third-party-notices.txt in npm's heft-chess */
function heft() {
${code}}
heft();
`;
}

/** Returns the engine as a script of one file; the arguments go before those of the command line. */
export async function program(args = []) {
  const cjs = { format: 'cjs', banner: REQUIRE };
  const worker = await bundle('engine/worker.ts', cjs);
  const embedded = { worker, kernel: kernelBase64(), arguments: args };
  return bundle('engine/main.ts', { ...cjs, define: { HEFT_EMBEDDED: embedded } });
}
