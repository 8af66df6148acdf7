// Random and mutated input for the real process. HEFT_SEED is the first session, HEFT_FUZZ_SECONDS the duration.

import { expect, test } from 'vitest';
import { seedOf } from '../board/walks.js';
import { drive } from './drive.js';
import { createSession, type Session } from './session.js';

const SECONDS = Number(process.env['HEFT_FUZZ_SECONDS'] ?? (process.env['HEFT_SLOW'] === undefined ? 1 : 240));
const AT_ONCE = 2;

const countLines = ({ steps }: Session): number =>
  steps.reduce(
    (sum, step) =>
      sum + (typeof step === 'object' && 'send' in step ? step.send.filter((byte) => byte === 0x0a).length : 0),
    0,
  );

test(
  'for any input, every go returns one legal bestmove, and only quit or end of input ends the process',
  async () => {
    const first = seedOf('fuzz');
    const end = performance.now() + 1000 * SECONDS;
    let next = first;
    let searches = 0;
    let lines = 0;
    const play = async (): Promise<void> => {
      do {
        const seed = next++;
        try {
          const session = createSession(seed);
          searches += await drive(session);
          lines += countLines(session);
        } catch (error) {
          next = Number.POSITIVE_INFINITY;
          throw new Error(
            `session ${seed}: ${(error as Error).message}\nagain: HEFT_SEED=${seed} HEFT_FUZZ_SECONDS=0 npx vitest run test/engine/fuzz`,
            { cause: error },
          );
        }
      } while (performance.now() < end && next < Number.POSITIVE_INFINITY);
    };
    await Promise.all(Array.from({ length: SECONDS > 0 ? AT_ONCE : 1 }, play));
    console.log(`fuzz: ${next - first} sessions from HEFT_SEED=${first}, ${lines} lines, ${searches} searches`);
    expect(searches).toBeGreaterThan(0);
  },
  1000 * SECONDS + 240_000,
);
