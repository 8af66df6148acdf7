// Host functions for Node: memory of the machine, a description of the host, file reading, and room for further threads.

import { readFileSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;
/** Page size assumed for Linux's statm; with larger pages, the free space is overestimated. */
const PAGE_BYTES = 4096;
/** Maximum file size in bytes; weight files take tens of kilobytes, books a few megabytes. */
const MAX_FILE = 256 * MEBIBYTE;

/** Returns the machine's memory in MiB, or the container's limit if that is lower. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / MEBIBYTE;
}

const HUGE_PAGES = '/sys/kernel/mm/transparent_hugepage/enabled';

/** Returns the version of Node and Linux's setting for transparent huge pages; the search is faster with `always`. */
export function describeHost(): string {
  let pages: string | undefined;
  try {
    pages = /\[(\w+)\]/.exec(readFileSync(HUGE_PAGES, 'utf8'))?.[1];
  } catch {
    // The file exists only on Linux
  }
  return `Node ${process.version}${pages === undefined ? '' : `, huge pages: ${pages}`}`;
}

/** Returns a file's text; throws an Error if the file does not exist, is not a regular file, or is larger than MAX_FILE. */
export function readText(name: string): string {
  const stat = statSync(name);
  if (!stat.isFile()) throw new Error(stat.isDirectory() ? 'it is a folder' : 'it is not a regular file');
  if (stat.size > MAX_FILE) throw new Error(`it is larger than ${MAX_FILE / MEBIBYTE} MB`);
  return readFileSync(name, 'utf8');
}

/** Address space of a thread in MiB: its memory, and V8's reservation. */
const THREAD_MIB = 1024;
/** Address space of WebAssembly's guard regions in MiB. V8 reserves them per memory unless it checks every access. */
const GUARDED_MIB = 10 * 1024;

/**
 * Returns the number of further threads, possibly fractional, that fit in the address space (ulimit -v); infinite without a known limit.
 */
export function roomForThreads(): number {
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    const used = (Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]) * PAGE_BYTES) / MEBIBYTE;
    // If V8 reserves guard regions, this process already has some
    const needed = used > GUARDED_MIB ? GUARDED_MIB + THREAD_MIB : THREAD_MIB;
    return (Number(limit) / MEBIBYTE - used) / needed;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
