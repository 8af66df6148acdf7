// ISAAC-64, Bob Jenkins's generator (public domain): Polyglot's 781 random numbers are its first outputs with
// an empty seed, so that they can be computed instead of listed.

const SIZE = 256;
const GOLDEN = 0x9e3779b97f4a7c13n;
const cut = (value: bigint): bigint => BigInt.asUintN(64, value);

/** Returns the first numbers of the generator that is seeded with nothing. */
export function isaacNumbers(count: number): bigint[] {
  const memory = seeded();
  const numbers: bigint[] = [];
  let [a, b] = [0n, 0n];
  for (let round = 1n; numbers.length < count; round++) {
    b = cut(b + round);
    const batch: bigint[] = [];
    for (let i = 0; i < SIZE; i++) {
      const x = memory[i];
      a = cut(cut(mixed(a, i % 4)) + memory[(i + SIZE / 2) % SIZE]);
      const y = cut(memory[indexOf(x >> 3n)] + a + b);
      memory[i] = y;
      b = cut(memory[indexOf(y >> 11n)] + x);
      batch.push(b);
    }
    // Each batch is handed out from its end
    numbers.push(...batch.reverse());
  }
  return numbers.slice(0, count);
}

const indexOf = (value: bigint): number => Number(value & BigInt(SIZE - 1));

function mixed(a: bigint, step: number): bigint {
  if (step === 0) return ~(a ^ (a << 21n));
  if (step === 1) return a ^ (a >> 5n);
  return step === 2 ? a ^ (a << 12n) : a ^ (a >> 33n);
}

/** Of each of the eight words: how far the word before its opposite is shifted, to the right or to the left. */
const SHIFTS = [9, -9, 23, -15, 14, -20, 17, -14];

function seeded(): bigint[] {
  const words: bigint[] = new Array(8).fill(GOLDEN);
  const stir = (): void => {
    for (const [i, shift] of SHIFTS.entries()) {
      const [opposite, last, next] = [4, 5, 7].map((offset) => (i + offset) % 8);
      words[i] = cut(words[i] - words[opposite]);
      words[last] ^= shift > 0 ? words[next] >> BigInt(shift) : cut(words[next] << BigInt(-shift));
      words[next] = cut(words[next] + words[i]);
    }
  };
  for (let i = 0; i < 4; i++) stir();
  const memory: bigint[] = new Array(SIZE).fill(0n);
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < SIZE; i += 8) {
      for (let j = 0; j < 8; j++) words[j] = cut(words[j] + (pass === 0 ? 0n : memory[i + j]));
      stir();
      for (let j = 0; j < 8; j++) memory[i + j] = words[j];
    }
  }
  return memory;
}
