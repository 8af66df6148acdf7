// Makes one call of a program fail: node --import FILE PROGRAM, with HEFT_FAULT='{"call":"writeSync","at":3,"error":"ENOSPC","in":"main"}'.
// Also lists calls: HEFT_FAULT_COUNTS is a file to which each thread, when it ends, appends a line with the files of its calls by function.
// HEFT_FAULT_FIRED is a file that is written when the call fails. Threads that inherit the flags of the program are included.

import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import workers from 'node:worker_threads';

const { appendFileSync } = fs;
const fault = JSON.parse(process.env['HEFT_FAULT'] ?? '{}');
const countsFile = process.env['HEFT_FAULT_COUNTS'];
const firedFile = process.env['HEFT_FAULT_FIRED'];
const where = workers.isMainThread ? 'main' : 'worker';
/** The files of the calls so far by function, or empty texts if only their number is needed. */
const calls = {};
const CODES = { ENOSPC: 28, EIO: 5, EAGAIN: 11, EMFILE: 24 };

const nameOf = (file) => (typeof file === 'number' ? fs.readlinkSync(`/proc/self/fd/${file}`) : String(file));

/** Returns whether this call is the one that fails. */
function isDue(call, isCounted, file) {
  if (!isCounted) return false;
  calls[call] ??= [];
  calls[call].push(countsFile === undefined ? '' : nameOf(file));
  const isIt = fault.call === call && fault.in === where && calls[call].length === fault.at;
  if (isIt && firedFile !== undefined) appendFileSync(firedFile, `${call} ${fault.at}\n`);
  return isIt;
}

function failure(call) {
  const code = fault.error;
  return Object.assign(new Error(`${code}: injected, ${call}`), { code, errno: -(CODES[code] ?? 1), syscall: call });
}

// Opening a file for reading is not counted
const isWriting = (flags) => typeof flags === 'string' && /[wa+]/.test(flags);
/** Returns whether this is a file of the run, and not a terminal or the pipe of an engine. */
const isFile = (fd) => typeof fd === 'number' && fd > 2 && fs.fstatSync(fd).isFile();

const COUNTED = {
  writeSync: ([fd]) => isFile(fd),
  fsyncSync: () => true,
  renameSync: () => true,
  linkSync: () => true,
  ftruncateSync: () => true,
  mkdirSync: () => true,
  openSync: ([, flags]) => isWriting(flags),
  writeFileSync: ([file]) => typeof file !== 'number',
  appendFileSync: () => true,
};
for (const [call, isCounted] of Object.entries(COUNTED)) {
  const original = fs[call];
  fs[call] = (...args) => {
    if (!isDue(call, isCounted(args), args[0])) return original(...args);
    if (fault.error !== 'short') throw failure(call);
    // Writes a part; there is no room for the rest
    const [fd, data, offset = 0] = args;
    const bytes = Buffer.from(data).subarray(offset);
    original(fd, bytes, 0, Math.max(1, bytes.length >> 1));
    fault.error = 'ENOSPC';
    throw failure(call);
  };
}

const { spawn } = childProcess;
childProcess.spawn = (...args) => {
  if (isDue('spawn', true, args[0])) {
    const child = spawn('/nonexistent/injected', []);
    return child;
  }
  return spawn(...args);
};

const { Worker } = workers;
workers.Worker = class extends Worker {
  constructor(file, options) {
    const isIt = isDue('Worker', true, file);
    if (isIt && fault.error === 'EAGAIN') throw Object.assign(failure('Worker'), { code: 'ERR_WORKER_INIT_FAILED' });
    if (isIt) super('throw new RangeError("WebAssembly.Memory(): could not allocate memory")', { eval: true });
    else super(file, options);
  }
};
syncBuiltinESMExports();

if (countsFile !== undefined)
  process.on('exit', () => appendFileSync(countsFile, `${JSON.stringify({ where, calls })}\n`));
