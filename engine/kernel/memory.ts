// The kernel's memory. Every table of the kernel is a view of one linear memory, which JavaScript and WebAssembly share. Each source file
// with tables has a region and allocates from it in source order, so a table has the same address in every process, whatever the load
// order. The build compiles these addresses into the WebAssembly modules.

const KIB = 1 << 10;
const PAGE_BYTES = 1 << 16;
/** Cache line size; tables are aligned to it, so 64-byte entries do not cross lines. */
const ALIGNMENT = 64;

/** The regions in address order, in KiB. Address 0 stays free, because WebAssembly code treats it as a null pointer. */
const REGIONS = {
  nothing: 1,
  'board/position': 15,
  'board/workspace': 892,
  'board/bitboards/tables': 80,
  'eval/weights-in-use': 336,
  'eval/pawn-cache': 384,
  'eval/masks': 4,
  'eval/workspace': 59,
  'search/params': 17,
  'search/history-tables': 2600,
  'search/plies': 1144,
  // 8 KiB for each pruning rule, with room for more rules
  'search/audit-counts': 161,
  'search/tt/memory': 1,
};

/** Start of each region in bytes. */
const starts: Record<string, number> = {};
let end = 0;
for (const [name, size] of Object.entries(REGIONS)) {
  starts[name] = end;
  end += size * KIB;
}
const pages = Math.ceil(end / PAGE_BYTES);

/** The linear memory, imported by the WebAssembly modules. */
export const kernelMemory = new WebAssembly.Memory({ initial: pages, maximum: pages });
const buffer = kernelMemory.buffer as ArrayBuffer;

/** Regions whose module has not been loaded. */
const untaken = new Set(Object.keys(REGIONS).filter((name) => name !== 'nothing'));

/** Throws an Error if a module with tables is not loaded. */
export function checkTables(): void {
  if (untaken.size > 0)
    throw new Error(`kernel tables not loaded: ${[...untaken].join(', ')}; import their modules first`);
}

/** Returns functions that allocate zeroed tables from the region of the calling module. */
export function regionOf(module: keyof typeof REGIONS) {
  untaken.delete(module);
  const start = starts[module];
  const capacity = REGIONS[module] * KIB;
  let next = start;
  const allocate = (size: number): number => {
    const address = next;
    next = Math.ceil((address + size) / ALIGNMENT) * ALIGNMENT;
    if (next > start + capacity)
      throw new Error(
        `the tables of ${module} need ${next - start} bytes, more than their region of ${capacity}; enlarge it in REGIONS (engine/kernel/memory.ts)`,
      );
    return address;
  };
  const bytes = (length: number) => new Uint8Array(buffer, allocate(length), length);
  const int16s = (length: number) => new Int16Array(buffer, allocate(2 * length), length);
  const int32s = (length: number) => new Int32Array(buffer, allocate(4 * length), length);
  const u64s = (length: number) => new BigUint64Array(buffer, allocate(8 * length), length);
  const doubles = (length: number) => new Float64Array(buffer, allocate(8 * length), length);
  /** Returns a table with these values. */
  const int32sOf = (values: readonly number[]) => {
    const table = int32s(values.length);
    table.set(values);
    return table;
  };
  return { bytes, int16s, int32s, u64s, doubles, int32sOf };
}

/** Maps each object returned by fieldsOf to its table and the names of the elements. */
const named = new WeakMap<object, { table: object; names: readonly string[] }>();

/**
 * Returns an object whose fields, such as `state.ep`, are the elements of a new table and initially have these values. `take` is the
 * region's function that allocates the table. The kernel's sources read and write these fields in both targets.
 */
export function fieldsOf<Value extends number | bigint, Fields extends Record<string, Value>>(
  take: (length: number) => { [index: number]: Value },
  values: Fields,
): { [Name in keyof Fields]: Value } {
  const names = Object.keys(values);
  const table = take(names.length);
  const fields = {} as { [Name in keyof Fields]: Value };
  for (const [i, name] of names.entries()) {
    const set = (value: Value): void => {
      table[i] = value;
    };
    Object.defineProperty(fields, name, { enumerable: true, get: () => table[i], set });
  }
  named.set(fields, { table, names });
  return Object.assign(fields, values);
}

/** Returns the table and the field names of an object created by fieldsOf, for the kernel's compiler; undefined for any other object. */
export const namesOf = (fields: object) => named.get(fields);

/** Returns whether the value is a table of this memory. */
export const isTable = (value: unknown): boolean => ArrayBuffer.isView(value) && value.buffer === buffer;
