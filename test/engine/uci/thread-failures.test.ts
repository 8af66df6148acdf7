// Threads that cannot start or that die: the search continues with the others, and quit and the end of input always end the process.

import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isSlow } from '../../support/slow.js';

const MAIN = fileURLToPath(new URL('../../../dist/engine/main.js', import.meta.url));
const INJECTION = new URL('../../support/fault-injection.mjs', import.meta.url).href;
/** A process that runs longer than this is considered hung. */
const HANGS_MS = 30_000;

interface Outcome {
  code: number | null;
  lines: string[];
  stderr: string;
}

/** Runs a command with the given input until the process exits. */
function run(command: string, args: string[], input: string[], environment: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const child = spawn(command, args, { env: { ...process.env, ...environment } });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(`${input.join('\n')}\n`);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the engine did not exit: ${text.stdout} ${text.stderr}`));
    }, HANGS_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, lines: text.stdout.split('\n').filter(Boolean), stderr: text.stderr });
    });
  });
}

const SESSION = ['setoption name Threads value 4', 'isready', 'go depth 4', 'isready', 'go depth 4'];

/** Start numbers of the helpers that fail; thread 1 is the search thread. */
const FAILING = isSlow ? [2, 3, 4] : [3];
const HOW = [
  ['cannot be created', 'EAGAIN', 'the system cannot start more threads'],
  ['throws while it loads', 'thrown', 'not enough memory or address space'],
] as const;

for (const at of FAILING) {
  for (const [how, error, reason] of HOW) {
    test.each([['quit'], ['end of input']])(
      `the search continues if helper ${at - 1} ${how}, and %s ends the process`,
      async (end) => {
        const fault = { call: 'Worker', at, error, in: 'main' };
        const input = end === 'quit' ? [...SESSION, 'quit'] : SESSION;
        const { code, lines, stderr } = await run(process.execPath, ['--import', INJECTION, MAIN], input, {
          HEFT_FAULT: JSON.stringify(fault),
        });
        expect([code, stderr]).toEqual([0, '']);
        expect(lines.filter((line) => line.startsWith('bestmove'))).toHaveLength(2);
        expect(lines.filter((line) => line === 'readyok')).toHaveLength(2);
        expect(lines.filter((line) => line.startsWith('info string'))).toEqual([
          `info string error: 1 helper thread failed: ${reason}; the search continues on the other threads`,
        ]);
      },
    );
  }
}

test.each([[['go depth 4']], [['isready', 'go depth 4']]])(
  'without a search thread, the engine prints one line and exits with code 1: %j',
  async (input) => {
    const fault = { call: 'Worker', at: 1, error: 'EAGAIN', in: 'main' };
    const { code, lines, stderr } = await run(process.execPath, ['--import', INJECTION, MAIN], input, {
      HEFT_FAULT: JSON.stringify(fault),
    });
    expect([code, lines]).toEqual([1, []]);
    expect(stderr).toBe(
      'error: the system cannot start more threads; raise the limit (ulimit -u), or use fewer threads\n',
    );
  },
);

/** Whether a limit on address space matters: newer versions of Node omit WebAssembly's guard regions if it is short. */
const [major] = process.versions.node.split('.').map(Number);
const isLimited = process.platform === 'linux' && major < 24;

const limited = (kilobytes: number, input: string[]): Promise<Outcome> =>
  run('sh', ['-c', `ulimit -v ${kilobytes}; exec "$0" "$1"`, process.execPath, MAIN], input);

test.runIf(isLimited)('without address space for the kernel, the engine exits with one line', async () => {
  // Near 12 GB V8's own reservation sometimes fails, which also ends the process
  for (const kilobytes of isSlow ? [16_000_000, 14_000_000, 4_000_000] : [14_000_000]) {
    const { code, lines, stderr } = await limited(kilobytes, ['go depth 4', 'quit']);
    expect([code, lines]).toEqual([1, []]);
    expect(stderr).toMatch(/^error: not enough memory or address space; raise the limit \(ulimit -v\), .*\n$/);
  }
});

test.runIf(isLimited)('with address space for only some threads, the search uses those', async () => {
  const input = [
    'setoption name Threads value 8',
    'isready',
    'go depth 6',
    'setoption name Hash value 32',
    'go depth 6',
  ];
  const { code, lines, stderr } = await limited(60_000_000, input);
  expect([code, stderr]).toEqual([0, '']);
  expect(lines.filter((line) => line.startsWith('bestmove'))).toHaveLength(2);
  const said = lines.filter((line) => line.startsWith('info string'));
  expect(said.length).toBeGreaterThan(0);
  for (const line of said)
    expect(line).toMatch(/^info string error: \d helper threads? failed: not enough memory or address space; /);
});

test.runIf(isSlow && isLimited)('without guard regions, as the error message advises, all threads start', async () => {
  const start = `ulimit -v 24000000; NODE_OPTIONS=--disable-wasm-trap-handler exec "$0" "$1"`;
  const output = execFileSync('sh', ['-c', start, process.execPath, MAIN], {
    input: `${SESSION.join('\n')}\n`,
    encoding: 'utf8',
  });
  expect(output.match(/^bestmove/gm)).toHaveLength(2);
  expect(output).not.toContain('info string');
});
