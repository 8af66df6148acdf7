// Reads and writes single integers of the transposition table without a lock.

import { table } from './memory.js';

export function loadInt(index: i32): i32 {
  return table.ints[index];
}

export function storeInt(index: i32, value: i32): void {
  table.ints[index] = value;
}
