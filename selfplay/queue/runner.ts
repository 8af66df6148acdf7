// Plays the tests of a queue one after another, each as a separate `match` process. After a crash of the server, the next server takes over
// a test that is still running, and otherwise continues it from its folder.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { UserError } from '../common/errors.js';
import { tailOf } from '../common/files.js';
import { isRunning } from '../common/folder-lock.js';
import { COMMAND_FILE } from '../common/outputs.js';
import { workerFile } from '../common/program.js';
import { EVENTS } from '../series/files.js';
import { JOURNAL } from '../series/journal.js';
import { CONTROL } from '../series/pace-control.js';
import type { QueueStore } from './store.js';
import { checkedForm, isOver, matchWords, type Test } from './test.js';

const POLL_MS = 300;
/** Maximum number of starts of a test whose process ends without a result. The count is reset when the run has made progress. */
const STARTS = 5;
const TAIL = 16_384;
/** Beginning of the log line that precedes the output of a process. */
const START = '--- start ';

export interface RunnerHooks {
  /** Called when the displayed state has changed. */
  onChange: () => void;
  /** Called when a test has finished or failed. */
  onEnd: (test: Test) => void;
  onWarning: (message: string) => void;
}

export type QueueRunner = ReturnType<typeof queueRunner>;

/** Starts playing the queued tests. */
export function queueRunner(store: QueueStore, { onChange, onEnd, onWarning }: RunnerHooks) {
  const timer = setInterval(attempt, POLL_MS);
  let child: ChildProcess | null = null;
  let isStopping = false;
  /** Last reported state of a running test, and last warning. */
  let told = '';
  let warned = '';
  /** Whether the running test's process has been paused. */
  let isPaused = store.paused;
  return { stop, pause, close };

  function runningTest(): Test | undefined {
    return store.tests.find(({ state }) => state === 'running');
  }

  /** Stops a running test or dequeues a waiting one; finished games are kept. Throws a UserError if the test has ended. */
  function stop(id: number): void {
    const test = store.find(id);
    if (isOver(test)) throw new UserError(`test ${id} has ended`);
    store.change(id, { state: 'stopped' });
    if (test.state === 'running') {
      end(test.pid, store.runOf(id));
      child = null;
    }
    onChange();
  }

  /** Pauses or resumes the queue and the running test. */
  function pause(paused: boolean): void {
    store.pause(paused);
    onChange();
  }

  // The folder of a run is created only after its engines are built
  function passPause(out: string): void {
    if (isPaused === store.paused || !existsSync(out)) return;
    appendFileSync(join(out, CONTROL), store.paused ? 'pause\n' : 'continue\n');
    isPaused = store.paused;
  }

  /** Ends the process of the running test. The next server continues the test. */
  async function close(): Promise<void> {
    isStopping = true;
    clearInterval(timer);
    const running = runningTest();
    if (running === undefined) return;
    const out = store.runOf(running.id);
    end(running.pid, out);
    for (let waited = 0; waited < 10_000 && isPlaying(running.pid, out); waited += 50) await sleep(50);
  }

  // An error, such as a full disk, is printed, and the next attempt may succeed
  function attempt(): void {
    try {
      step();
      warned = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== warned) onWarning(message);
      warned = message;
    }
  }

  function step(): void {
    for (const message of store.collect()) onWarning(message);
    const running = runningTest();
    if (running !== undefined) return watch(running);
    const next = store.tests.find(({ state }) => state === 'queued');
    if (next === undefined || store.paused || isStopping) return;
    // A test that was stopped and queued again may still be ending its engines
    if (!isPlaying(next.pid, store.runOf(next.id))) start(next);
  }

  function start(test: Test): void {
    const out = store.runOf(test.id);
    const main = fileURLToPath(workerFile('selfplay/match/main'));
    // A started run has stored the commits of its revisions
    const hasBegun = existsSync(join(out, COMMAND_FILE)) && existsSync(join(out, JOURNAL));
    let words = ['--continue', out];
    try {
      if (!hasBegun) words = [...matchWords(checkedForm(test.form)), '--out', out];
    } catch (error) {
      // The form of another version may be invalid
      return finish(test, { state: 'failed', problem: (error as Error).message });
    }
    // A pause command that the last process has not read would pause the new process indefinitely
    rmSync(join(out, CONTROL), { force: true });
    const log = openSync(`${out}.log`, 'a');
    try {
      writeSync(log, `${START}${test.starts + 1}\n`);
      const size = sizeOf(join(out, JOURNAL));
      const starts = size > (test.size ?? 0) ? 1 : test.starts + 1;
      // The start is stored first, because an unrecorded start would be repeated
      store.change(test.id, { state: 'running', starts, size, page: undefined });
      const stdio: StdioOptions = ['ignore', log, log];
      const started = spawn(process.execPath, [main, ...words, '--page', '0'], { stdio, detached: true });
      started.on('error', (error) => onWarning(`test ${test.id}: ${error.message}`));
      started.unref();
      child = started;
      isPaused = false;
      if (started.pid !== undefined) store.change(test.id, { pid: started.pid });
    } finally {
      closeSync(log);
    }
    onChange();
  }

  function watch(test: Test): void {
    const { pid, id, starts } = test;
    const out = store.runOf(id);
    // An ended child remains a zombie until it is waited for
    const isOurs = child?.pid === pid;
    const isAlive = isOurs ? child?.exitCode === null && child.signalCode === null : isPlaying(pid, out);
    if (isAlive) {
      passPause(out);
      const progress = progressOf(out);
      // The address is stored, because it is printed only once, and later output moves it out of the tail
      if (progress.page !== undefined && progress.page !== test.page) store.change(id, { page: progress.page });
      const now = JSON.stringify(progress);
      if (now !== told) onChange();
      told = now;
      return;
    }
    child = null;
    const result = resultOf(out);
    if (result !== null) return finish(test, { state: 'finished', ...result });
    if (isStopping) return;
    const problem = problemIn(`${out}.log`);
    const hasGrown = sizeOf(join(out, JOURNAL)) > (test.size ?? 0);
    if (problem !== null || (starts >= STARTS && !hasGrown)) {
      const ended = `its process ended ${starts} times without a result`;
      return finish(test, { state: 'failed', problem: problem ?? ended });
    }
    start(test);
  }

  function finish(test: Test, facts: Partial<Test>): void {
    store.change(test.id, facts);
    onChange();
    onEnd(store.find(test.id));
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

// The process id may have been reused
function isPlaying(pid: number | undefined, out: string): boolean {
  if (pid === undefined || !isRunning(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(out);
  } catch {
    // No /proc on this system, or the process has just ended
    return !existsSync('/proc/self') && isRunning(pid);
  }
}

// Stops the match and any build in progress, as Ctrl-C does
function end(pid: number | undefined, out: string): void {
  if (pid === undefined || !isPlaying(pid, out)) return;
  process.kill(process.platform === 'win32' ? pid : -pid, 'SIGINT');
}

type Figures = Pick<Test, 'verdict' | 'elo' | 'eloError' | 'llr' | 'gamesPlayed' | 'penta'>;

function figuresOf({ verdict, elo, eloError, llr, games, penta }: Record<string, never>): Figures {
  return { verdict, elo, eloError, llr, gamesPlayed: games, penta };
}

function resultOf(out: string): Figures | null {
  try {
    const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    return result.finished === true ? figuresOf(result) : null;
  } catch {
    return null;
  }
}

/** Returns the progress of a run: the figures after its last pair, and the address of its live page if it was printed recently. */
export function progressOf(out: string): Figures & Pick<Test, 'page'> {
  const page = /Live page: (http:\/\/127\.0\.0\.1:\d+\/)(?![\s\S]*Live page)/.exec(lastOutput(`${out}.log`))?.[1];
  const place = page === undefined ? {} : { page };
  for (const line of tailOf(join(out, EVENTS), TAIL).split('\n').reverse()) {
    if (!line.startsWith('{"type":"pairEnd"')) continue;
    try {
      return { ...figuresOf(JSON.parse(line).figures), ...place };
    } catch {
      // The last line is incomplete
    }
  }
  return place;
}

function problemIn(log: string): string | null {
  const lines = lastOutput(log)
    .split('\n')
    .filter((line) => line.startsWith('error: '));
  return lines.at(-1)?.slice('error: '.length) ?? null;
}

// The end of the last process's output; output of earlier processes no longer applies
const lastOutput = (log: string): string => tailOf(log, TAIL).split(START).at(-1) ?? '';
