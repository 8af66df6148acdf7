// Licences of the software in a built file, as one text, to be distributed with it.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './bundle.mjs';

const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8').trim();
const titled = (title, text) => `${title}\n${'='.repeat(title.length)}\n\n${text}\n`;

/** Returns the licence of a package, with its notice, if any. */
function packageNotice(name) {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(read(folder, 'package.json'));
  const texts = ['LICENSE', 'LICENSE.md', 'NOTICE'].filter((file) => existsSync(join(ROOT, folder, file)));
  return titled(`${name} ${version} (${license})`, texts.map((file) => read(folder, file)).join('\n\n'));
}

/** Returns the licence of the running Node. */
function nodeNotice() {
  const prefix = dirname(dirname(process.execPath));
  const places = [
    join(prefix, 'LICENSE'),
    join(prefix, 'share/doc/nodejs/LICENSE'),
    join(prefix, 'share/doc/node/LICENSE'),
  ];
  const file = places.find(existsSync);
  if (file !== undefined) return titled(`Node.js ${process.version}`, readFileSync(file, 'utf8').trim());
  const text = `Copyright Node.js contributors. All rights reserved. MIT licence; the full text, with the licences of the libraries in Node, is
https://github.com/nodejs/node/blob/${process.version}/LICENSE`;
  return titled(`Node.js ${process.version}`, text);
}

/** Returns the notices of Heft, of the packages, and of Node if it is included. */
export function notices(packages, { withNode = false } = {}) {
  const own = titled('Heft (MIT)', read('LICENSE'));
  return [own, ...packages.map(packageNotice), ...(withNode ? [nodeNotice()] : [])].join('\n');
}

/** The packages with code in the kernel's modules. */
export const KERNEL_PACKAGES = ['assemblyscript'];
