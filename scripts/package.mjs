// Fills engine/npm, from which `npm pack -w heft-chess` builds the npm package. The package contains the program, the library for Node and
// for browsers, the code that their threads share, the drop-in worker, and the type declarations.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleAll, dropIn, embeddedCode, ROOT } from './bundle.mjs';
import { KERNEL_PACKAGES, notices } from './notices.mjs';

const PACKAGE = join(ROOT, 'engine/npm');
const DIST = join(PACKAGE, 'dist');
const ENTRIES = {
  heft: 'main.ts',
  node: 'library/node.ts',
  browser: 'library/browser.ts',
  inline: 'library/inline.ts',
};
/** A page's worker in the sources, which uses separate files; the package has the drop-in worker instead. */
const PAGE_WORKER = '../worker-browser.js';
/** These declarations import only each other. */
const DECLARATIONS = ['library/node', 'library/browser', 'library/position', 'library/types', 'explain/explanation'];

function copyDeclarations() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', PACKAGE], { stdio: 'inherit' });
  for (const name of DECLARATIONS) {
    // Modules imported for their side effects have no declarations here
    const text = readFileSync(join(DIST, `types/${name}.d.ts`), 'utf8').replace(/^import '[^']*';\n/gm, '');
    writeFileSync(join(DIST, `${basename(name)}.d.ts`), text.replaceAll('../explain/', './'));
  }
  rmSync(join(DIST, 'types'), { recursive: true });
}

rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST, { recursive: true });
for (const [file, code] of await bundleAll(ENTRIES))
  writeFileSync(join(DIST, file), code.replaceAll(PAGE_WORKER, '../uci.js'), { mode: 0o755 });
writeFileSync(join(DIST, 'code.js'), await embeddedCode());
copyDeclarations();
copyFileSync(join(DIST, 'browser.d.ts'), join(DIST, 'inline.d.ts'));
writeFileSync(join(PACKAGE, 'uci.js'), await dropIn());
// Resolvers without support for exports look for files named after the entries
for (const name of ['browser', 'inline'])
  for (const ending of ['js', 'd.ts'])
    writeFileSync(join(PACKAGE, `${name}.${ending}`), `export * from './dist/${name}.js';\n`);
copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
writeFileSync(join(DIST, 'third-party-notices.txt'), notices(KERNEL_PACKAGES));
