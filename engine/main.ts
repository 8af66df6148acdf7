#!/usr/bin/env node
// The engine as a process. This thread reads standard input and never searches, so that stop, isready, ponderhit and quit are
// heard at any time; the search runs in a worker. `heft bench`, `heft genfens …` and `heft --help` run as commands instead.

import './catch-failures.js';
import { embedded } from './embedded.js';
import { describeHost, machineMemory, readText } from './machine.js';
import { startThread } from './node-thread.js';
import { exitOnFailure } from './start-failure.js';
import { createInput } from './uci/input.js';
import { createLineReader } from './uci/lines.js';
import { declareOptions, ENGINE_AUTHOR, ENGINE_NAME, identify } from './uci/options.js';

/** ms that a GUI has to read what is left after `quit`. */
const LAST_WORDS = 5000;

// Without arguments this thread needs nothing of the engine itself, and a GUI waits less for the start
async function main(args: string[]): Promise<void> {
  if (args.length === 0) return serve();
  const commands = await import('./commands/commands.js');
  try {
    await runArguments(args, commands);
  } catch (error) {
    if (!(error instanceof commands.ArgumentError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 2;
  }
}

async function runArguments(args: string[], commands: typeof import('./commands/commands.js')): Promise<void> {
  const { ArgumentError, runCommand, useWeightsFile } = commands;
  let weights: string | undefined;
  let tunes = false;
  for (; args[0] === '--weights' || args[0] === '--tune-options'; args = args.slice(1)) {
    if (args[0] === '--tune-options') tunes = true;
    else {
      args = args.slice(1);
      if (args.length === 0) throw new ArgumentError('--weights needs a file');
      weights = args[0];
    }
  }
  // OpenBench passes a whole command as one argument, and "quit" after it
  const words = args.flatMap((arg) => arg.split(/\s+/)).filter((word) => word !== 'quit' && word !== '');
  if (words.includes('--version')) return void process.stdout.write(`${ENGINE_NAME}\n`);
  if (weights === undefined && words.length === 0) return serve(weights, tunes);
  await import('./kernel-node.js');
  if (weights !== undefined) useWeightsFile(weights, readText);
  if (words.length === 0) return serve(weights, tunes);
  const { control } = await import('./engine.js');
  control.now = () => performance.now();
  if (words[0] === 'bench') process.stderr.write(`${describeHost()}\n`);
  // OpenBench gives up when no position comes for 15 seconds
  for (const line of runCommand(words, readText)) process.stdout.write(`${line}\n`);
}

function serve(weights?: string, tunes = false): void {
  const flags = new SharedArrayBuffer(12);
  let output = '';
  const flush = (): void => {
    if (output !== '') process.stdout.write(output);
    output = '';
  };
  const worker = startThread(tunes);
  const input = createInput({
    flags: new Int32Array(flags),
    identity: identify(declareOptions(machineMemory(), tunes)),
    toWorker: (line) => worker.post(line),
    write: (line) => {
      output += `${line}\n`;
    },
    exit: () => {
      flush();
      // A pipe that is full takes the rest when the GUI reads on
      process.stdout.write('', () => process.exit(0));
      setTimeout(() => process.exit(0), LAST_WORDS);
    },
  });
  worker.post(flags);
  if (weights !== undefined) input.fromGui(`setoption name EvalFile value ${weights}`);
  worker.listen((batch) => {
    for (const line of batch) {
      if (line === null) input.finished();
      else input.fromWorker(line);
    }
    flush();
  }, exitOnFailure);

  // GUIs request the name; a person at a terminal should see it too
  if (process.stdin.isTTY) process.stdout.write(`${ENGINE_NAME} by ${ENGINE_AUTHOR}; help lists the commands\n`);
  const lines = createLineReader(input.fromGui, (maximum) => {
    output += `info string error: a line of more than ${maximum} characters is ignored\n`;
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

// Nobody reads any more: there is nothing left to do
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => {});

void main([...(embedded?.arguments ?? []), ...process.argv.slice(2)]);
