// A session: random GUI input as bytes, cut anywhere, with pauses between the pieces. It depends only on its seed.

import { createRandom, type Random, randomBelow } from '../../../engine/kernel/random.js';
import { anyLine, goLine, once, pick, positionLine } from './lines.js';

/**
 * Bytes to send; a pause; milliseconds without reading the output; or `settle`: stop all searches and check that every command was
 * answered.
 */
export type Step = { send: Buffer } | { pause: number } | { unread: number } | 'settle';

/** How the input ends: with quit, without it, or with more lines after quit. */
export type Ending = 'quit' | 'eof' | 'more';

export interface Session {
  steps: Step[];
  ending: Ending;
}

const COMMANDS = 'uci|isready|ucinewgame|setoption|position|go|stop|ponderhit|quit|d|eval|bench|flip|debug|register';
const COMMAND = new RegExp(`^(${COMMANDS})$`, 'i');
const ENDINGS = ['\n', '\n', '\n', '\r\n', ' \n', '\n\n', '\r\r\n'];
const BYTES = [0x00, 0x07, 0x09, 0x0b, 0x0d, 0x1b, 0x20, 0x7f, 0x80, 0xc3, 0xe2, 0xed, 0xf0, 0xfe, 0xff];

// Excludes commands that may take minutes or gigabytes, and lines that engines may read in more than one way
function isTame(line: string): boolean {
  const words = line.trim().split(/\s+/);
  const [command, ...rest] = words;
  if (!COMMAND.test(command)) return !words.some((word) => COMMAND.test(word));
  if (/^(quit|bench|flip)$/i.test(command)) return false;
  if (/^go$/i.test(command) && /perft/i.test(line)) return /^go perft [0-2]$/.test(line);
  if (/^position$/i.test(command))
    return rest.every((word) => !/^(startpos|fen|moves)$/i.test(word) || /^[a-z]+$/.test(word));
  if (/^setoption$/i.test(command) && /hash|threads|evalfile|chess960/i.test(line)) {
    const isSmall = /thre/i.test(line) ? !/[4-9]|\d\d/.test(line) : !/\b(4[89]|[5-9]\d|\d{3,7})\b/.test(line);
    return /^[ -~]+$/.test(line) && isSmall;
  }
  return true;
}

// Bytes changed, lost, doubled or inserted; whole words lost or repeated
function mutate(random: Random, line: Buffer): Buffer {
  let bytes = line;
  for (let i = randomBelow(random, 3); i >= 0; i--) {
    const at = randomBelow(random, bytes.length + 1);
    const byte = once(random, 2) ? pick(random, BYTES) : randomBelow(random, 256);
    const length = randomBelow(random, 6);
    const inserted = pick(random, [Buffer.from([byte]), bytes.subarray(at, at + length), Buffer.alloc(0)]);
    bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + (once(random, 2) ? length : 0))]);
  }
  return Buffer.from(bytes.filter((byte) => byte !== 0x0a));
}

function longLine(random: Random): string {
  const size = 100_000 + randomBelow(random, 300_000);
  const kinds = [
    () => 'x'.repeat(size),
    () => ' '.repeat(size),
    () => `position startpos moves${' g1f3 g8f6 f3g1 f6g8'.repeat(1000)} ${' e2e4'.repeat(size / 5)}`,
    () => `position fen ${'8/'.repeat(size / 2)} w - - 0 1`,
    () => `setoption name ${'N'.repeat(size)} value 3`,
    () => `go depth 2 ${'movestogo 3 '.repeat(size / 12)}`,
    () => `go nodes ${'0'.repeat(size)}7`,
  ];
  return pick(random, kinds)();
}

/** Returns a line and its line ending as bytes, possibly mutated. */
function lineBytes(random: Random): Buffer {
  const line = once(random, 150) ? longLine(random) : anyLine(random);
  const changes = [
    () => mutate(random, Buffer.from(line)),
    () => mutate(random, Buffer.from(line)),
    () => Buffer.from(line.toUpperCase().replace(/STARTPOS|FEN|MOVES/g, (word) => word.toLowerCase())),
    () => Buffer.from(`  ${line.replaceAll(' ', ' \t ')}`),
  ];
  const bytes = once(random, 3) ? pick(random, changes)() : Buffer.from(line);
  return Buffer.concat([isTame(bytes.toString()) ? bytes : Buffer.from('isready'), Buffer.from(pick(random, ENDINGS))]);
}

const storm = (random: Random): Buffer => {
  const calls = [
    'stop\n',
    'stop\nstop\nstop\n',
    'isready\n',
    'ponderhit\n',
    `${goLine(random)}\n`,
    `${positionLine(random)}\n`,
  ];
  return Buffer.from(
    Array.from({ length: 3 + randomBelow(random, 40) }, () => pick(random, calls))
      .filter((text) => isTame(text.split('\n')[0]))
      .join(''),
  );
};

function cut(random: Random, bytes: Buffer): Step[] {
  const steps: Step[] = [];
  const pieces = once(random, 3) ? 1 + randomBelow(random, 5) : 1;
  for (let from = 0, i = 1; from < bytes.length; i++) {
    const to = i >= pieces ? bytes.length : from + 1 + randomBelow(random, bytes.length - from);
    if (from > 0) steps.push({ pause: randomBelow(random, 3) });
    steps.push({ send: bytes.subarray(from, to) });
    from = to;
  }
  return steps;
}

/** Returns the session of a seed. */
export function createSession(seed: number): Session {
  const random = createRandom(seed);
  const steps: Step[] = [];
  for (let i = randomBelow(random, 80); i >= 0; i--) {
    steps.push(...cut(random, once(random, 25) ? storm(random) : lineBytes(random)));
    if (once(random, 6)) steps.push({ pause: randomBelow(random, 25) });
    if (once(random, 15)) steps.push({ unread: randomBelow(random, 100) });
    if (once(random, 10)) steps.push('settle');
  }
  const ending = pick<Ending>(random, ['quit', 'quit', 'eof', 'more']);
  // The input may end in the middle of a line
  if (ending === 'eof' && once(random, 2))
    steps.push({ send: Buffer.from(pick(random, ['isready', 'go infinite', 'posit'])) });
  return { steps, ending };
}
