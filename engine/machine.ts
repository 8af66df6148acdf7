// What the machine under Node has to offer.

import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;

/** Returns the memory in mebibytes; a container may have less than the machine. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / MEBIBYTE;
}
