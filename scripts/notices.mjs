// Collects the licences of the software in a built file as one text, to be distributed with that file.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './bundle.mjs';

const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8').trim();
const titled = (title, text) => `${title}\n${'='.repeat(title.length)}\n\n${text}\n`;

/** Returns the licence of a package, with its notice, if any. */
function packageNotice(path) {
  const folder = join('node_modules', path);
  const { name, version, license } = JSON.parse(read(folder, 'package.json'));
  const texts = readdirSync(join(ROOT, folder)).filter((file) => /^(licen[cs]e|notice)\b/i.test(file));
  if (texts.length === 0) throw new Error(`${folder} contains no licence`);
  return titled(`${name} ${version} (${license})`, texts.map((file) => read(folder, file)).join('\n\n'));
}

/** Returns the packages with code in the chunks of a bundle, as sorted paths below node_modules. */
export function packagesIn(chunks) {
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules ?? {}));
  const paths = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id.replaceAll('\\', '/'));
  const names = paths.map((path) => /\/node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

function nodeNotice() {
  const prefix = dirname(dirname(process.execPath));
  const places = [
    join(prefix, 'LICENSE'),
    join(prefix, 'share/doc/nodejs/LICENSE'),
    join(prefix, 'share/doc/node/LICENSE'),
  ];
  const file = places.find(existsSync);
  if (file !== undefined) return titled(`Node.js ${process.version}`, readFileSync(file, 'utf8').trim());
  const text = `Copyright Node.js contributors. All rights reserved. MIT licence; the full text, with the licences of the libraries in Node, is at
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
