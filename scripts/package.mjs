// Fills engine/npm/dist, from which `npm pack -w heft-chess` makes the npm package: the program, the library for Node and for browsers with
// the threads they start, the drop-in worker, the kernel's modules and the declarations of types.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleAll, dropIn, inlined, ROOT } from './bundle.mjs';
import { KERNEL_PACKAGES, notices } from './notices.mjs';

const PACKAGE = join(ROOT, 'engine/npm');
const DIST = join(PACKAGE, 'dist');
const ENTRIES = {
  heft: 'main.ts',
  node: 'library/node.ts',
  worker: 'worker.ts',
  browser: 'library/browser.ts',
  'worker-browser': 'worker-browser.ts',
};
/** These import nothing but each other. */
const DECLARATIONS = ['node', 'browser', 'engine-error', 'position', 'types'];

function copyDeclarations() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', PACKAGE], { stdio: 'inherit' });
  for (const name of DECLARATIONS) {
    // Modules imported for what they do have no types here
    const text = readFileSync(join(DIST, `types/library/${name}.d.ts`), 'utf8').replace(/^import '[^']*';\n/gm, '');
    writeFileSync(join(DIST, `${name}.d.ts`), text);
  }
  rmSync(join(DIST, 'types'), { recursive: true });
}

rmSync(DIST, { recursive: true, force: true });
mkdirSync(join(DIST, 'kernel'), { recursive: true });
for (const [file, code] of await bundleAll(ENTRIES)) writeFileSync(join(DIST, file), code, { mode: 0o755 });
for (const name of ['search', 'table', 'trace'])
  copyFileSync(join(ROOT, `dist/engine/kernel/${name}.wasm`), join(DIST, `kernel/${name}.wasm`));
writeFileSync(join(DIST, 'inline.js'), await inlined('engine/library/browser.ts', 'esm'));
copyDeclarations();
copyFileSync(join(DIST, 'browser.d.ts'), join(DIST, 'inline.d.ts'));
writeFileSync(join(PACKAGE, 'uci.js'), await dropIn());
// Resolvers that read no exports look for files of the entries' names
for (const name of ['browser', 'inline'])
  for (const ending of ['js', 'd.ts'])
    writeFileSync(join(PACKAGE, `${name}.${ending}`), `export * from './dist/${name}.js';\n`);
copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
writeFileSync(join(DIST, 'third-party-notices.txt'), notices(KERNEL_PACKAGES));
