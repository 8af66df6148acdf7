// A set of games or positions, stored as 53-bit hashes in an open-addressed table. A JavaScript Set has at most 2^24 items, and large files
// contain more.

const MIN_SLOTS = 1 << 12;

/** A set of any size. Two different items collide with a probability of about 2^-53. */
export class SeenItems {
  /** Number of different items. */
  size = 0;
  /** 0 marks an empty slot. */
  private table = new Float64Array(MIN_SLOTS);

  /** Stores an item, given as text and numbers. Returns whether it was already stored. */
  add(text: string, numbers: Iterable<number> = []): boolean {
    const hash = hashOf(text, numbers);
    const slot = slotOf(this.table, hash);
    if (this.table[slot] !== 0) return true;
    this.table[slot] = hash;
    this.size++;
    if (4 * this.size > 3 * this.table.length) this.grow();
    return false;
  }

  private grow(): void {
    const larger = new Float64Array(2 * this.table.length);
    for (const hash of this.table) if (hash !== 0) larger[slotOf(larger, hash)] = hash;
    this.table = larger;
  }
}

/** Returns the slot of the hash, or the empty slot in which to store it. */
function slotOf(table: Float64Array, hash: number): number {
  const mask = table.length - 1;
  let slot = hash & mask;
  while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

/** Returns a hash of 53 bits, never 0. Its low half is FNV-1a. */
export function hashOf(text: string, numbers: Iterable<number> = []): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  const add = (value: number): void => {
    low = Math.imul(low ^ value, 0x01000193);
    high = Math.imul(high ^ value, 0x85ebca6b) ^ (high >>> 13);
  };
  for (let i = 0; i < text.length; i++) add(text.charCodeAt(i));
  for (const number of numbers) add(number);
  return (high >>> 11) * 2 ** 32 + (low >>> 0) || 1;
}
