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
const MAX_STARTS = 5;
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

/** Plays the queued tests from its construction until close(). */
export class QueueRunner {
  private readonly timer = setInterval(() => this.attempt(), POLL_MS);
  private child: ChildProcess | null = null;
  private isClosing = false;
  /** Whether the running test's process has been paused. */
  private isPaused: boolean;
  /** Last reported progress of a running test, and last warning. */
  private lastProgress = '';
  private lastWarning = '';

  constructor(
    private readonly store: QueueStore,
    private readonly hooks: RunnerHooks,
  ) {
    this.isPaused = store.paused;
  }

  /** Stops a running test or dequeues a waiting one; finished games are kept. Throws a UserError if the test has ended. */
  stop(id: number): void {
    const test = this.store.find(id);
    if (isOver(test)) throw new UserError(`test ${id} has ended`);
    this.store.change(id, { state: 'stopped' });
    if (test.state === 'running') {
      interrupt(test.pid, this.store.runOf(id));
      this.child = null;
    }
    this.hooks.onChange();
  }

  /** Pauses or resumes the queue and the running test. */
  pause(paused: boolean): void {
    this.store.pause(paused);
    this.hooks.onChange();
  }

  /** Ends the process of the running test. The next server continues the test. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.timer);
    const running = this.runningTest();
    if (running === undefined) return;
    const out = this.store.runOf(running.id);
    interrupt(running.pid, out);
    for (let waited = 0; waited < 10_000 && isPlaying(running.pid, out); waited += 50) await sleep(50);
  }

  // An error, such as a full disk, is printed, and the next attempt may succeed
  private attempt(): void {
    try {
      this.step();
      this.lastWarning = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.lastWarning) this.hooks.onWarning(message);
      this.lastWarning = message;
    }
  }

  private step(): void {
    const { store, hooks } = this;
    for (const message of store.collect()) hooks.onWarning(message);
    const running = this.runningTest();
    if (running !== undefined) return this.watch(running);
    const next = store.tests.find(({ state }) => state === 'queued');
    if (next === undefined || store.paused || this.isClosing) return;
    // A test that was stopped and queued again may still be ending its engines
    if (!isPlaying(next.pid, store.runOf(next.id))) this.start(next);
  }

  private runningTest(): Test | undefined {
    return this.store.tests.find(({ state }) => state === 'running');
  }

  private start(test: Test): void {
    const { store, hooks } = this;
    const out = store.runOf(test.id);
    const main = fileURLToPath(workerFile('selfplay/match/main'));
    // A started run has stored the commits of its revisions
    const hasBegun = existsSync(join(out, COMMAND_FILE)) && existsSync(join(out, JOURNAL));
    let words = ['--continue', out];
    try {
      if (!hasBegun) words = [...matchWords(checkedForm(test.form)), '--out', out];
    } catch (error) {
      // The form of another version may be invalid
      return this.finish(test, { state: 'failed', problem: (error as Error).message });
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
      started.on('error', (error) => hooks.onWarning(`test ${test.id}: ${error.message}`));
      started.unref();
      this.child = started;
      this.isPaused = false;
      if (started.pid !== undefined) store.change(test.id, { pid: started.pid });
    } finally {
      closeSync(log);
    }
    hooks.onChange();
  }

  private watch(test: Test): void {
    const out = this.store.runOf(test.id);
    if (this.isAlive(test, out)) {
      this.passPause(out);
      return this.showProgress(test, out);
    }
    this.child = null;
    const result = resultOf(out);
    if (result !== null) return this.finish(test, { state: 'finished', ...result });
    if (this.isClosing) return;
    const problem = problemIn(`${out}.log`);
    const hasGrown = sizeOf(join(out, JOURNAL)) > (test.size ?? 0);
    if (problem === null && (test.starts < MAX_STARTS || hasGrown)) return this.start(test);
    const ended = `its process ended ${test.starts} times without a result`;
    this.finish(test, { state: 'failed', problem: problem ?? ended });
  }

  // An ended child remains a zombie until it is waited for
  private isAlive({ pid }: Test, out: string): boolean {
    const { child } = this;
    return child?.pid === pid ? child?.exitCode === null && child.signalCode === null : isPlaying(pid, out);
  }

  // The folder of a run is created only after its engines are built
  private passPause(out: string): void {
    const { paused } = this.store;
    if (this.isPaused === paused || !existsSync(out)) return;
    appendFileSync(join(out, CONTROL), paused ? 'pause\n' : 'continue\n');
    this.isPaused = paused;
  }

  // The address is stored, because it is printed only once, and later output moves it out of the tail
  private showProgress({ id, page }: Test, out: string): void {
    const progress = progressOf(out);
    if (progress.page !== undefined && progress.page !== page) this.store.change(id, { page: progress.page });
    const now = JSON.stringify(progress);
    if (now !== this.lastProgress) this.hooks.onChange();
    this.lastProgress = now;
  }

  private finish(test: Test, facts: Partial<Test>): void {
    this.store.change(test.id, facts);
    this.hooks.onChange();
    this.hooks.onEnd(this.store.find(test.id));
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
function interrupt(pid: number | undefined, out: string): void {
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
