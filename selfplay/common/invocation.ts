// How this program was started: by an npm script of a clone, or as the package `heft-tools`, which has no sources to change.

import { existsSync } from 'node:fs';
import { projectFile } from './paths.js';

/** Returns how one of the commands is typed, without its options: `npm run match --`, or `npx heft-tools match`. */
export function invocation(name: string): string {
  const isTools = /(^|[\\/])(heft-tools(\.js)?|tools[\\/]main\.js)$/.test(process.argv[1] ?? '');
  return isTools ? `npx heft-tools ${name}` : `npm run ${name} --`;
}

/** Whether the sources lie beside the program, so that weights and parameters can be written into them. */
export function isClone(): boolean {
  return existsSync(projectFile('scripts/bootstrap.mjs'));
}
