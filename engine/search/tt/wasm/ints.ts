// The AssemblyScript counterpart of ../ints.ts. The table occupies the whole memory of its module.

export function loadInt(index: i32): i32 {
  return load<i32>(<usize>index << 2);
}

export function storeInt(index: i32, value: i32): void {
  store<i32>(<usize>index << 2, value);
}

/** Sets bytes of the table to zero. */
export function clearEntries(start: i32, length: i32): void {
  memory.fill(<usize>start, 0, <usize>length);
}
