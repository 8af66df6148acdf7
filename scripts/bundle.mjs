// Bundles the sources for the build, the npm package, the page, and the program in one file that needs only Node. Otherwise, loading a
// hundred small modules would take most of a program's start-up time.

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const ENGINE = join(ROOT, 'engine');

// Loaded on first use, because --help does not need it
const build = async (options) => (await import('rolldown')).build(options);

/**
 * Defines `require`, also for files without an extension, which Node treats as ES modules below a package.json of type module. Unused in
 * browsers.
 */
const REQUIRE = 'var require = globalThis.process?.getBuiltinModule ?? (() => ({}));';

/** Removes comments and white space but keeps names, so error messages are readable. */
const SHORT = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

/** Shortens names except those of functions and classes, and keeps line breaks, because Node prints the line of an uncaught error. */
const READABLE = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: false } };

/** Returns rolldown's options for these entries. */
export const bundleOptions = (
  input,
  { format, define = {}, banner = '', minify = SHORT, plugins = [], platform = format === 'cjs' ? 'node' : 'neutral' },
) => ({
  input,
  plugins: [WITHOUT_PROVENANCE, ...plugins],
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

/** Returns the code of a source with all its imports except Node's modules; `define` replaces names with values. */
export async function bundle(file, how) {
  const { output, ...more } = bundleOptions(join(ROOT, file), how);
  const built = await build({ ...more, output: { ...output, codeSplitting: false } });
  return built.output[0].code;
}

/** Removes the provenance of the weights, which is unused here. */
const WITHOUT_PROVENANCE = {
  name: 'without-provenance',
  async load(id) {
    if (id !== join(ENGINE, 'eval/weights.ts')) return null;
    const { WEIGHTS } = await import(pathToFileURL(join(ROOT, 'dist/engine/eval/weights.js')).href);
    return `export const WEIGHTS = ${JSON.stringify({ provenance: {}, terms: WEIGHTS.terms })};`;
  },
};

/** Excludes the weights, because engines with other weights replace that file, and dynamic imports, which most runs never need. */
const LEFT_BESIDE = {
  name: 'left-beside',
  resolveId(source, _importer, { kind }) {
    if (source.endsWith('/weights.js')) return { id: './eval/weights.js', external: true };
    return kind === 'dynamic-import' ? { id: source, external: true } : null;
  },
};

/** Uses embedded parts instead of separate files, and `code` (source or address of a module) for embedded/code.ts. */
const embedded = (code) => ({
  name: 'embedded',
  resolveId(source) {
    if (source.endsWith('/parts.js')) return join(ENGINE, 'embedded/parts.ts');
    if (!source.endsWith('/code.js')) return null;
    return code.startsWith('./') ? { id: code, external: true } : CODE_ID;
  },
  load: (id) => (id === CODE_ID ? code : null),
});
const CODE_ID = '\0code';

/** Returns the code of an entry for the build; modules that change or that most runs never need remain separate files. */
export const bundleEntry = (file) => bundle(file, { format: 'esm', minify: false, plugins: [LEFT_BESIDE] });

/** Modules that remain separate files: the weights, and ECharts, needed only for reports. */
const SEPARATE = ['engine/eval/weights.js', 'selfplay/web/echarts.js'];
/** Placeholder for the folder dist/, replaced as soon as the folder of the bundled file is known. */
const DIST = 'HEFT_DIST';

const slashed = (path) => path.replaceAll('\\', '/');

/** Gives each bundled module the URL of its separate file, so relative paths remain valid. */
const AS_SEPARATE_FILES = {
  name: 'as-separate-files',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const path = slashed(relative(ROOT, join(dirname(importer), source)));
    return SEPARATE.includes(path) ? { id: `${DIST}/${path}`, external: true } : null;
  },
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    // node_modules may be a link to another folder
    const place = id.endsWith('.ts') ? relative(ROOT, id).replace(/\.ts$/, '.js') : relative(join(ROOT, 'dist'), id);
    return code.replaceAll('import.meta.url', `new URL('${DIST}/${slashed(place)}', import.meta.url).href`);
  },
  renderChunk: (code, { fileName }) => code.replaceAll(DIST, slashed(relative(dirname(fileName), '.'))),
};

/** Returns the bundles of several programs and threads and their shared chunks, by file name in dist/. */
export async function bundlePrograms(names) {
  const input = Object.fromEntries(names.map((name) => [name, join(ROOT, `${name}.ts`)]));
  const how = { format: 'esm', platform: 'node', minify: false, plugins: [AS_SEPARATE_FILES] };
  const { output, ...more } = bundleOptions(input, how);
  // A running program may load a chunk after the next build, so its name is not a hash
  const chunkFileNames = ({ name, moduleIds: [id = ''] }) => {
    const place = id.startsWith(ROOT) ? slashed(relative(ROOT, id)).replace(/\.\w+$/, '') : name;
    return `chunks/${place}.js`;
  };
  const built = await build({ ...more, output: { ...output, chunkFileNames } });
  return new Map(built.output.map(({ fileName, code }) => [fileName, code]));
}

/** Returns the bundles of several entries and their shared chunks by file name; they import the inlined code from `code.js`. */
export async function bundleAll(files) {
  const input = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(ENGINE, file)]));
  const how = { format: 'esm', minify: READABLE, plugins: [embedded('./code.js')] };
  const { output, ...more } = bundleOptions(input, how);
  const built = await build({ ...more, output: { ...output, comments: { jsdoc: false } } });
  return new Map(built.output.map(({ fileName, code }) => [fileName, code]));
}

/** Returns the built kernel's modules, deflated and base64-encoded. */
function kernelBase64() {
  const deflated = (name) => deflateRawSync(readFileSync(join(ROOT, `dist/engine/kernel/${name}.wasm`)), { level: 9 });
  const [search, table, trace] = ['search', 'table', 'trace'].map((name) => deflated(name).toString('base64'));
  return { search, table, trace };
}

/** Returns the replacement for embedded/code.ts. */
export async function embeddedCode() {
  const worker = await bundle('engine/embedded/worker.ts', {
    format: 'cjs',
    banner: REQUIRE,
    minify: true,
    plugins: [embedded('export const CODE = {};')],
  });
  return `export const CODE=${JSON.stringify({ worker, kernel: kernelBase64() })};\n`;
}

/** Returns the self-contained code of a browser module, with its thread and the kernel embedded. */
export async function inlined(file, format) {
  return bundle(file, { format, minify: true, plugins: [embedded(await embeddedCode())] });
}

/** Returns the drop-in worker, one classic script: a function that starts further workers from its own source. */
export async function dropIn() {
  const code = await bundle('engine/worker-uci.ts', {
    format: 'iife',
    define: { HEFT_KERNEL: Object.values(kernelBase64()) },
    minify: true,
  });
  return `/*! Heft (MIT licence), with code from AssemblyScript (Apache-2.0); see third-party-notices.txt in the npm package heft-chess */
function heft() {
${code}}
heft();
`;
}

/** Returns the engine as one script; the given arguments are prepended to those of the command line. */
export async function program(args = []) {
  return bundle('engine/main.ts', {
    format: 'cjs',
    banner: REQUIRE,
    define: { HEFT_ARGUMENTS: args },
    plugins: [embedded(await embeddedCode())],
  });
}
