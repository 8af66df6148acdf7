import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readHead, traceWith } from '../../../tuner/rows/trace-program.js';
import { someOf } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-trace-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FENS = Array.from({ length: 600 }, (_, i) => `position ${i}`);
const HEADER = JSON.stringify({
  format: 'heft-rows',
  version: 1,
  engine: 'Fake',
  terms: [{ name: 'a', shape: [600], weights: Array(600).fill(0) }],
});

let programs = 0;
/** Returns the command of a program that reads lines; `answer` is the code that runs for each line. */
function program(answer: string, head = `say(header); say('phase\\trow');`): string {
  const file = join(folder, `program-${programs++}.mjs`);
  writeFileSync(
    file,
    `import { createInterface } from 'node:readline';
import { existsSync, writeFileSync } from 'node:fs';
const header = ${JSON.stringify(HEADER)};
const say = (text) => process.stdout.write(text + '\\n');
const mark = ${JSON.stringify(`${file}.mark`)};
${head}
let number = 0;
for await (const line of createInterface({ input: process.stdin })) {
  number++;
  const index = Number(line.split(' ')[1]);
  ${answer}
}
`,
  );
  return `${process.execPath} ${file}`;
}
const PLAIN = "say('12\\t' + index + ':1');";
const trace = async (command: string, patienceMs = 3000, workers = 2, fens = FENS) => {
  const head = await readHead({ command, patienceMs });
  return traceWith(head, fens, { command, workers, patienceMs });
};
const indicesOf = ({ rows }: Awaited<ReturnType<typeof trace>>): number[] =>
  [...rows.finish().packed].map((entry) => entry >> 9);

test('several processes return rows in the order of the positions, and may skip some', async () => {
  const result = await trace(program(`if (index % 3 === 1) say('skip'); else ${PLAIN}`), 3000, 3);
  const kept = FENS.map((_, i) => i).filter((i) => i % 3 !== 1);
  expect([...result.hasRow]).toEqual(FENS.map((_, i) => (i % 3 === 1 ? 0 : 1)));
  expect(indicesOf(result)).toEqual(kept);
});

test('a process that ends or stalls once is restarted at the first unanswered position', async () => {
  const crash = program(
    `if (index === 417 && !existsSync(mark)) { writeFileSync(mark, ''); process.exit(3); } ${PLAIN}`,
  );
  expect(indicesOf(await trace(crash))).toEqual(FENS.map((_, i) => i));
  const early = program(
    `if (index === 300 && !existsSync(mark)) { writeFileSync(mark, ''); process.exit(3); } ${PLAIN}`,
  );
  expect(indicesOf(await trace(early))).toEqual(FENS.map((_, i) => i));
  const silent = program(
    `if (index === 100 && !existsSync(mark)) { writeFileSync(mark, ''); await new Promise((r) => setTimeout(r, 60000)); } ${PLAIN}`,
  );
  expect(indicesOf(await trace(silent, 2500))).toEqual(FENS.map((_, i) => i));
  expect(existsSync(`${silent.split(' ')[1]}.mark`)).toBe(true);
});

const mistakes: [name: string, command: () => string, message: RegExp][] = [
  ['a missing program', () => './no-such-engine trace', /--trace \.\/no-such-engine trace: no such program; give/],
  [
    'no header',
    () => program(PLAIN, ''),
    /the program printed nothing for 2.5 s before the two lines of its header; docs/,
  ],
  [
    'an end before the header',
    () => program('', "console.error('bad option'); process.exit(4);"),
    /ended with exit code 4 \(bad option\) before the two lines/,
  ],
  [
    'an invalid header',
    () => program(PLAIN, "say('hello'); say('phase\\trow');"),
    /line 1: the first line is not a JSON object/,
  ],
  [
    'a column that only files have',
    () => program(PLAIN, "say(header); say('result\\tphase\\trow');"),
    /line 2: unknown column "result"; the columns are fen, phase, scale, rest, eval, row/,
  ],
  [
    'an invalid row',
    () => program("say(index === 350 ? '12\\t700:1' : '12\\t1:1');"),
    /at position 350: index 700; the terms of the header/,
  ],
  [
    'a crash at each start',
    () => program(`if (index === 450) process.exit(9); ${PLAIN}`),
    /ended with exit code 9 at position 450; print a line for each/,
  ],
  [
    'a position without an answer',
    () => program(`if (index !== 450) ${PLAIN}`),
    /the program printed too few lines \(1 missing\); print a row or 'skip' for each position/,
  ],
  [
    'silence',
    () => program(`if (index === 20) await new Promise((r) => setTimeout(r, 60000)); else ${PLAIN}`),
    /printed nothing for 2.5 s at position 20/,
  ],
  ['too many lines', () => program(`${PLAIN} ${PLAIN}`), /the program printed extra lines; print one/],
];

test.each(someOf(mistakes))('a program fault is reported with a one-line error: %s', async (_, command, message) => {
  const error = await trace(command(), 2500).then(
    () => new Error('nothing was found wrong'),
    (thrown: Error) => thrown,
  );
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain('\n');
});

test('a FEN printed without its move counters is rejected with a remedy', async () => {
  const head = "say(header); say('fen\\tphase\\trow');";
  const command = program("say(line.split(' ').slice(0, 4).join(' ') + '\\t12\\t1:1');", head);
  await expect(trace(command, 3000, 1, ['4k3/8/8/8/8/8/8/4K3 w - - 0 1'])).rejects.toThrow(
    'the program printed a row for 4k3/8/8/8/8/8/8/4K3 w - - instead of 4k3/8/8/8/8/8/8/4K3 w - - 0 1; print one line for each position, in the order given, with its FEN unchanged',
  );
});

test('a fault in one process stops the others', async () => {
  // The second process never answers, and the first one waits for its start
  const second = "writeFileSync(mark, String(process.pid)); writeFileSync(mark + 2, ''); setInterval(() => {}, 1000);";
  const first = "while (!existsSync(mark + 2)) await new Promise((r) => setTimeout(r, 10)); say('junk');";
  const command = program(`if (index === 300) { ${second} } else if (index < 300) { ${first} }`);
  await expect(trace(command, 50_000)).rejects.toThrow('at position 0: ');
  const pid = Number(readFileSync(`${command.split(' ')[1]}.mark`, 'utf8'));
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 10_000);
});

test('a program started by a script is killed and restarted like any other', async () => {
  const stall = 'writeFileSync(mark, String(process.pid)); setInterval(() => {}, 1000); await new Promise(() => {});';
  const direct = program(`if (index === 1 && !existsSync(mark)) { ${stall} } ${PLAIN}`);
  const script = join(folder, 'script.sh');
  writeFileSync(script, `${direct}\nexit $?\n`);
  expect(indicesOf(await trace(`sh ${script}`, 2500, 1, FENS.slice(0, 3)))).toEqual([0, 1, 2]);
  const pid = Number(readFileSync(`${direct.split(' ')[1]}.mark`, 'utf8'));
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 10_000);
});

test('an interrupt before the first position stops tracing', async () => {
  const command = program(PLAIN);
  const head = await readHead({ command });
  const traced = traceWith(head, FENS, { command, workers: 1, signal: AbortSignal.abort() });
  await expect(traced).rejects.toThrow('interrupted while tracing');
});

test('many processes cause no warning about listeners', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): number => warnings.push(name);
  process.on('warning', onWarning);
  await trace(program(PLAIN), 50_000, 12, FENS.slice(0, 12));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
