// UCI strings to and from a search thread, for the library and for pages that use an engine as a worker. With shared memory, stop sets a
// flag. Without shared memory, a stop during a search terminates the thread. The answer then comes from the last reported principal
// variation, and a new thread gets the same options and position. In this mode, an open-ended search without another limit also gets a
// maximum depth. If it ends before stop or ponderhit, its answer is held back until then.

import { sharedMemory } from '../kernel/primitives.js';
import { PONDER_HIT, STOP } from '../search/root/flags.js';
import { closedGo, goAfter, isOpenEnded, isPondering, isSearch, skipUnknown } from '../uci/command.js';
import { createInput, type Input } from '../uci/input.js';
import type { Thread } from '../uci/lines.js';
import { bestMoveLine, parseInfo, REFUSAL } from './answers.js';

/** Interface to the host. */
export interface UciThreadPort {
  /** Starts a search thread. */
  start: () => Thread;
  /** The answer to `uci`. */
  identity: readonly string[];
  write: (line: string) => void;
  exit: () => void;
  /** Called when the thread fails or a new one cannot start; later lines are ignored. */
  fail: (error: Error) => void;
}

const NOT_SHARED =
  'info string error: Threads is limited to 1 on this page; more threads need shared memory, which requires COOP and COEP headers';

/** A running `go` or `bench`. */
interface Job {
  words: readonly string[];
  isSearch: boolean;
  /** Whether the answer must wait for stop or ponderhit. */
  isOpen: boolean;
  isStopping: boolean;
  /** Provisional answer from the last reported line. */
  best: string | null;
  /** The answer that is held back, and whether the thread has finished the job's line. */
  held: string | null;
  isDone: boolean;
}

/** A search thread that accepts UCI line by line. */
export class UciThread {
  private readonly isShared = typeof SharedArrayBuffer !== 'undefined';
  private readonly flags = new Int32Array(sharedMemory(12));
  private readonly input: Input;
  private thread: Thread;
  /** Lines that restore the state in a new thread. */
  private readonly settings = new Map<string, string>();
  private position: string[] = [];
  /** Lines not yet executed by the thread, except those repeated for a new thread. */
  private readonly sent: string[] = [];
  /** Whether the thread has refused the line that it is executing. */
  private isRefused = false;
  /** Number of repeated lines that a new thread has not executed yet. */
  private repeated = 0;
  /** The `go` to send when the new thread has executed the repeated lines, if any. */
  private whenReady = (): void => {};
  private job: Job | null = null;
  private isBroken = false;

  constructor(private readonly port: UciThreadPort) {
    this.input = createInput({
      flags: this.flags,
      identity: port.identity.map((line) => this.withRange(line)),
      toWorker: (line) => this.toThread(line),
      write: port.write,
      exit: () => {
        this.thread.terminate();
        port.exit();
      },
      // The line being handled must be finished first
      onFlag: () => queueMicrotask(() => this.obeyFlags()),
    });
    this.thread = port.start();
    this.connect();
  }

  /** Accepts a line from the host. */
  send(line: string): void {
    if (this.isBroken) return;
    const [, count] = /^setoption\s+name\s+threads\s+value\s+(\+?\d+)/i.exec(skipUnknown(line)) ?? [];
    if (!this.isShared && Number(count) > 1) this.port.write(NOT_SHARED);
    else this.input.fromGui(line);
  }

  private remember(line: string): void {
    const text = skipUnknown(line);
    const [, name] = /^setoption\s+name\s+(.+?)(\s+value(\s.*)?)?$/i.exec(text) ?? [];
    if (name !== undefined) this.settings.set(name.toLowerCase(), line);
    else if (/^debug\b/i.test(text)) this.settings.set('debug', line);
    else if (/^position\b/i.test(text)) this.position = [line];
    else if (/^flip\b/i.test(text)) this.position.push(line);
  }

  private toThread(line: string): void {
    this.sent.push(line);
    const words = skipUnknown(line).toLowerCase().split(/\s+/);
    const isJob = words[0] === 'go' || words[0] === 'bench';
    if (this.isShared || !isJob) return this.thread.post(line);
    const searches = isSearch(words);
    const isOpen = searches && isOpenEnded(words);
    this.job = { words, isSearch: searches, isOpen, isStopping: false, best: null, held: null, isDone: false };
    this.thread.post(isOpen ? closedGo(words) : line);
    queueMicrotask(() => this.obeyFlags());
  }

  // The thread declares 128 threads even if its memory is not shared
  private withRange(line: string): string {
    return this.isShared || !line.startsWith('option name Threads ') ? line : line.replace(/max \d+/, 'max 1');
  }

  // After a refused option or FEN, the previous one still applies
  private finishLine(): void {
    const line = this.sent.shift();
    if (line !== undefined) {
      if (!this.isRefused) this.remember(line);
      this.isRefused = false;
      this.input.finished();
    }
    if (this.job?.isStopping === true) this.breakOff(this.job);
  }

  // Lines that a new thread gets again count as finished
  private forget(count: number): void {
    this.isRefused = false;
    for (const _ of this.sent.splice(0, count)) this.input.finished();
  }

  private release({ held, isDone }: Job): void {
    this.job = null;
    this.input.fromWorker(held ?? 'bestmove (none)');
    if (isDone) this.finishLine();
  }

  // Ends the job as soon as there is an answer
  private breakOff(running: Job): void {
    // A search without a line has no answer yet, and the lines before a bench have none either
    if (running.isSearch ? running.best === null : this.sent.length > 1) return;
    this.job = null;
    // The caller may react to the answer with further lines
    const count = this.sent.length;
    this.reconnect();
    if (running.isSearch) this.input.fromWorker(running.best as string);
    else this.port.write('info string stopped');
    this.forget(count);
  }

  private obeyFlags(): void {
    const { job, flags } = this;
    if (this.isShared || job === null) return;
    const isHit = flags[PONDER_HIT] !== 0 && job.isOpen && isPondering(job.words);
    if (flags[STOP] === 0 && !isHit) return;
    job.isOpen = false;
    if (job.held !== null) return this.release(job);
    if (flags[STOP] !== 0) {
      job.isStopping = true;
      return this.breakOff(job);
    }
    // After a ponderhit, the search uses its clock
    const words = job.words.filter((word) => word !== 'ponder');
    job.words = words;
    const earlier = this.sent.length - 1;
    const hitAt = performance.now();
    this.reconnect();
    this.whenReady = () =>
      this.thread.post(isOpenEnded(words) ? closedGo(words) : goAfter(performance.now() - hitAt, words));
    if (this.repeated === 0) this.whenReady();
    this.forget(earlier);
  }

  /** Handles an output line, or null after the output of an executed line. */
  private hear(line: string | null): void {
    const { job } = this;
    if (this.repeated > 0) {
      if (line !== null) return;
      this.repeated--;
      if (this.repeated === 0) this.whenReady();
    } else if (line === null) {
      if (job?.held != null) job.isDone = true;
      else this.finishLine();
    } else if (job?.isSearch === true && line.startsWith('bestmove')) {
      if (job.isOpen) job.held = line;
      else {
        this.job = null;
        this.input.fromWorker(line);
      }
    } else this.hearInfo(line);
  }

  private hearInfo(line: string): void {
    // A position line is executed up to an illegal move or unknown words, so it was not refused
    this.isRefused ||= REFUSAL.test(line) && !/illegal move|unknown words after startpos/.test(line);
    this.input.fromWorker(this.withRange(line));
    const { job } = this;
    const info = job === null ? null : parseInfo(line);
    if (job === null || info === null || info.multipv !== 1 || info.bound !== 'exact') return;
    job.best = bestMoveLine(info.pv);
    if (job.isStopping) this.breakOff(job);
  }

  private fail(error: Error): void {
    this.isBroken = true;
    this.port.fail(error);
    const best = this.job?.isSearch === true ? this.job.best : null;
    this.job = null;
    if (best !== null) this.port.write(best);
  }

  private reconnect(): void {
    for (const line of this.sent) this.remember(line);
    this.thread.terminate();
    try {
      this.thread = this.port.start();
      this.connect();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Listens to a new thread and restores the state in it. */
  private connect(): void {
    const { thread } = this;
    thread.listen(
      (batch) => {
        for (const line of batch) if (thread === this.thread) this.hear(line);
      },
      (error) => {
        if (thread === this.thread) this.fail(error);
      },
    );
    this.whenReady = () => {};
    thread.post(this.isShared ? this.flags.buffer : null);
    // A thread that has executed a line has started, even if there is nothing to restore
    const lines = [...this.settings.values(), ...this.position, ...(this.isShared ? [] : ['isready'])];
    this.repeated = lines.length;
    for (const line of lines) thread.post(line);
  }
}
