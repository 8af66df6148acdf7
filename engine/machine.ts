// The machine under Node: memory, version and files.

import { readFileSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;
/** Of Linux's statm; where pages are larger, more is left than it seems. */
const PAGE_BYTES = 4096;
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

/** Of a thread: its own memory, and what V8 reserves for it. */
const THREAD_MIB = 1024;
/** Of WebAssembly's guard regions, which V8 reserves for each memory unless it checks every access. */
const GUARDED_MIB = 10 * 1024;

/** Returns for how many more threads a limit of address space (ulimit -v) leaves room; infinite where there is no limit, or none is known. */
export function roomForThreads(): number {
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    const used = (Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]) * PAGE_BYTES) / MEBIBYTE;
    // This process has a memory already
    const needed = used > GUARDED_MIB ? GUARDED_MIB + THREAD_MIB : THREAD_MIB;
    return (Number(limit) / MEBIBYTE - used) / needed;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
