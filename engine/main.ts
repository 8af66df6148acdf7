#!/usr/bin/env node
// The engine as a process. Its main thread reads standard input and never searches, so it can handle stop, isready, ponderhit and quit at
// any time. The search runs in a worker. `heft bench`, `heft genfens …` and `heft --help` run as commands instead.

import './catch-failures.js';
import type { CommandData, CommandMessage } from './command-worker.js';
import { describeHost, machineMemory, readText } from './machine.js';
import { readDataUrl, shownName } from './names.js';
import { startThread } from './node-thread.js';
import { newThread } from './parts.js';
import type { PARAMS } from './search/params.js';
import { exitOnFailure } from './start-failure.js';
import { skipUnknown } from './uci/command.js';
import { createInput } from './uci/input.js';
import { createLineReader, type Thread } from './uci/lines.js';
import { declareOptions, ENGINE_AUTHOR, ENGINE_NAME, identify } from './uci/options.js';

/** Interval in ms in which the GUI must read some of the remaining output after `quit`; otherwise the process exits. */
const LAST_WORDS = 5000;

// Modules of the engine are loaded on demand, because this thread starts faster without them
async function main(given: string[]): Promise<void> {
  leaveDeletedFolder();
  let args = given;
  let weights: string | undefined;
  let tunes = false;
  for (; args[0] === '--weights' || args[0] === '--tune-options'; args = args.slice(1)) {
    if (args[0] === '--tune-options') tunes = true;
    else {
      args = args.slice(1);
      if (args.length === 0) return refuse('--weights needs a file');
      weights = args[0];
    }
  }
  // OpenBench passes a whole command as one argument, followed by "quit"
  const words = [...(args[0] ?? '').split(/\s+/), ...args.slice(1)].filter((word) => word !== '');
  if (words.at(-1) === 'quit') words.pop();
  if (words.includes('--version')) return void process.stdout.write(`${ENGINE_NAME}\n`);
  const text = weights === undefined ? undefined : await readWeights(weights);
  if (text === null) return;
  if (words.length === 0) serve(tunes ? (await import('./search/params.js')).PARAMS : undefined, weights, text);
  else execute(text === undefined ? { words } : { words, weights: text });
}

/** Moves to the root if the working folder has been deleted, because no thread can start in it. */
function leaveDeletedFolder(): void {
  try {
    process.cwd();
  } catch {
    process.chdir('/');
  }
}

function refuse(message: string): void {
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = 2;
}

/** Returns the text of a valid weights file; otherwise prints one line about the fault and returns null. */
async function readWeights(file: string): Promise<string | null> {
  const { parseWeightSet } = await import('./eval/weight-set.js');
  try {
    const text = readDataUrl(file) ?? readText(file);
    parseWeightSet(text);
    return text;
  } catch (error) {
    refuse(`--weights ${shownName(file)}: ${(error as Error).message}`);
    return null;
  }
}

function execute(command: CommandData): void {
  if (command.words[0] === 'bench') process.stderr.write(`${describeHost()}\n`);
  const thread = newThread('command-worker', { workerData: command, execArgv: [] });
  thread.on('error', exitOnFailure);
  // Each line is written at once, because OpenBench gives up after 15 seconds without a position
  thread.on('message', (message: CommandMessage) => {
    if (typeof message === 'string') process.stdout.write(`${message}\n`);
    else refuse(message.error);
  });
}

/** Serves a GUI; `text` is the content of the file `weights`. */
function serve(params?: typeof PARAMS, weights?: string, text?: string): void {
  const flags = new SharedArrayBuffer(12);
  let output = '';
  const flush = (): void => {
    if (output !== '') process.stdout.write(output);
    output = '';
  };
  let thread: Thread | null = null;
  const searchThread = (): Thread => {
    if (thread !== null) return thread;
    thread = startThread(params !== undefined, text);
    thread.post(flags);
    thread.listen((batch) => {
      for (const line of batch) {
        if (line === null) input.finished();
        else input.fromWorker(line);
      }
      flush();
    }, exitOnFailure);
    return thread;
  };
  const input = createInput({
    flags: new Int32Array(flags),
    identity: identify(declareOptions(machineMemory(), params)),
    toWorker: (line) => searchThread().post(line),
    write: (line) => {
      output += `${line}\n`;
    },
    exit: () => {
      flush();
      // A full pipe accepts the rest as soon as the GUI reads
      process.stdout.write('', () => process.exit(0));
      let left = process.stdout.writableLength;
      setInterval(() => {
        if (process.stdout.writableLength >= left) process.exit(0);
        left = process.stdout.writableLength;
      }, LAST_WORDS);
    },
  });
  if (weights !== undefined) input.fromGui(`setoption name EvalFile value ${weights}`);

  // GUIs request the name with `uci`; at a terminal, it is printed at once
  if (process.stdin.isTTY) process.stdout.write(`${ENGINE_NAME} by ${ENGINE_AUTHOR}; help lists the commands\n`);
  // The search thread starts while the GUI reads the options
  const receive = (line: string): void => {
    input.fromGui(line);
    if (thread === null && skipUnknown(line) === 'uci') setImmediate(searchThread);
  };
  const lines = createLineReader(receive, (maximum) => {
    output += `info string error: ignored an input line of more than ${maximum} characters\n`;
  });
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    lines.read(chunk);
    flush();
  });
  process.stdin.on('end', () => {
    lines.end();
    input.fromGui('quit');
    flush();
  });
}

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader is gone
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: cannot write the output: ${message}\n`);
  process.exit(1);
});
process.stderr.on('error', () => {});

/** Arguments that a bundled program prepends to its command line, defined by the bundler. */
declare const HEFT_ARGUMENTS: readonly string[] | undefined;

void main([...(typeof HEFT_ARGUMENTS === 'undefined' ? [] : HEFT_ARGUMENTS), ...process.argv.slice(2)]);
