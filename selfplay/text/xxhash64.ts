// xxHash64 (Yann Collet), the checksum of zstd frames. The long part calculates with halves of 32 bits, because bigint would take longer
// than unpacking.

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const [P1_LOW, P1_HIGH, P2_LOW, P2_HIGH] = [P1, P1 >> 32n, P2, P2 >> 32n].map((half) => Number(half & 0xffffffffn));

const STRIPE = 32;

export class XxHash64 {
  private readonly lanes = BigUint64Array.of(P1 + P2, P2, 0n, -P1);
  private readonly halves = new Int32Array(this.lanes.buffer);
  private length = 0;
  /** Bytes after the last whole stripe. */
  private rest = Buffer.alloc(0);

  /** Adds bytes to the hashed data. */
  update(bytes: Uint8Array): void {
    this.length += bytes.length;
    const all = Buffer.concat([this.rest, bytes]);
    let at = 0;
    for (; at + STRIPE <= all.length; at += STRIPE) {
      for (let i = 0; i < 8; i += 2) this.absorb(i, all.readInt32LE(at + 4 * i), all.readInt32LE(at + 4 * i + 4));
    }
    this.rest = all.subarray(at);
  }

  /** Returns the low 32 bits of the hash. */
  low32(): number {
    const [a, b, c, d] = this.lanes;
    let hash = P5;
    if (this.length >= STRIPE) {
      hash = u64(rotated(a, 1n) + rotated(b, 7n) + rotated(c, 12n) + rotated(d, 18n));
      for (const lane of this.lanes) hash = u64((hash ^ mixed(lane)) * P1 + P4);
    }
    hash = u64(hash + BigInt(this.length));
    let at = 0;
    for (; at + 8 <= this.rest.length; at += 8) {
      hash = u64(rotated(hash ^ mixed(this.rest.readBigUInt64LE(at)), 27n) * P1 + P4);
    }
    if (at + 4 <= this.rest.length) {
      hash = u64(rotated(hash ^ u64(BigInt(this.rest.readUInt32LE(at)) * P1), 23n) * P2 + P3);
      at += 4;
    }
    for (; at < this.rest.length; at++) hash = u64(rotated(hash ^ u64(BigInt(this.rest[at]) * P5), 11n) * P1);
    hash = u64((hash ^ (hash >> 33n)) * P2);
    hash = u64((hash ^ (hash >> 29n)) * P3);
    return Number((hash ^ (hash >> 32n)) & 0xffffffffn);
  }

  // lane = rotate(lane + input * P2, 31) * P1
  private absorb(i: number, low: number, high: number): void {
    const { halves } = this;
    const sum = (halves[i] >>> 0) + (Math.imul(low, P2_LOW) >>> 0);
    const carry = sum > 0xffffffff ? 1 : 0;
    const top = (halves[i + 1] + highProduct(low, high, P2_LOW, P2_HIGH) + carry) | 0;
    const turnedLow = (sum << 31) | (top >>> 1);
    const turnedHigh = (top << 31) | ((sum | 0) >>> 1);
    halves[i] = Math.imul(turnedLow, P1_LOW);
    halves[i + 1] = highProduct(turnedLow, turnedHigh, P1_LOW, P1_HIGH);
  }
}

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);

const rotated = (value: bigint, by: bigint): bigint => u64((value << by) | (value >> (64n - by)));

const mixed = (value: bigint): bigint => u64(rotated(u64(value * P2), 31n) * P1);

/** Bits 32 to 63 of a product of 64-bit numbers; each intermediate product has at most 49 bits. */
function highProduct(low: number, high: number, byLow: number, byHigh: number): number {
  const a = low >>> 0;
  const middle = a * (byLow >>> 16) + Math.floor((a * (byLow & 0xffff)) / 0x10000);
  return (Math.floor(middle / 0x10000) + Math.imul(high, byLow) + Math.imul(low, byHigh)) | 0;
}
