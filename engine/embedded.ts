// What the build puts into a Node program that is a single file: the code of the search's thread and the kernel's modules. Elsewhere these are
// files beside the program.

import { workerData } from 'node:worker_threads';

/** The thread's code as a script, the modules in base64, and arguments that go before those of the command line. */
export interface Embedded {
  worker: string;
  kernel: { search: string; table: string; trace: string };
  arguments: string[];
}

/** Defined by the bundler only. */
declare const HEFT_EMBEDDED: Embedded | undefined;

/** What this program has in itself, or its thread was given by it; null where there are files. */
export const embedded: Embedded | null =
  typeof HEFT_EMBEDDED === 'undefined' ? (workerData?.embedded ?? null) : HEFT_EMBEDDED;
