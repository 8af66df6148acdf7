// Deterministic random numbers: xoshiro128** (Blackman and Vigna), seeded through splitmix32.

/** A stream of uniform unsigned 32-bit integers. */
export type Random = () => number;

/** Returns the random stream of the seeds. Different lists of seeds, such as `(run seed, game index)`, give unrelated streams. */
export function createRandom(...seeds: number[]): Random {
  let h = 0x9e3779b9;
  const splitmix = (): number => {
    h = (h + 0x9e3779b9) | 0;
    let z = h;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  for (const seed of seeds) {
    h ^= seed | 0;
    h = splitmix() ^ Math.floor(seed / 0x100000000);
  }
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let d = splitmix();
  return () => {
    const x = Math.imul(b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

/** Returns a uniform integer in [0, n). */
export function randomBelow(random: Random, n: number): number {
  return Math.floor((random() / 0x100000000) * n);
}
