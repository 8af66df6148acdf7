// The machine under Node: memory, version and files.

import { readFileSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;
/** Weight files have 50 kB, books some megabytes. */
const MAX_FILE = 256 * MEBIBYTE;

/** Returns the memory in mebibytes; a container may have less than the machine. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / MEBIBYTE;
}

const HUGE_PAGES = '/sys/kernel/mm/transparent_hugepage/enabled';

/** Returns the version of Node and whether the system gives huge pages to every program (`always`), which the search gains speed from. */
export function describeHost(): string {
  let pages: string | undefined;
  try {
    pages = /\[(\w+)\]/.exec(readFileSync(HUGE_PAGES, 'utf8'))?.[1];
  } catch {
    // Only Linux has the file
  }
  return `Node ${process.version}${pages === undefined ? '' : `, huge pages: ${pages}`}`;
}

/** Returns a file's text; throws an Error where there is none, and for what could be read for ever: pipes, devices, huge files. */
export function readText(name: string): string {
  const stat = statSync(name);
  if (!stat.isFile()) throw new Error(stat.isDirectory() ? 'it is a folder' : 'it is not a regular file');
  if (stat.size > MAX_FILE) throw new Error(`it has more than ${MAX_FILE / MEBIBYTE} MB`);
  return readFileSync(name, 'utf8');
}
