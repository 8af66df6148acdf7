// UCI strings to and from a search thread, for the library and for pages that use an engine as a worker. With shared memory, stop sets a
// flag. Without shared memory, a stop during a search terminates the thread. The answer then comes from the last reported principal
// variation, and a new thread gets the same options and position. In this mode, an open-ended search without another limit also gets a
// maximum depth. If it ends before stop or ponderhit, its answer is held back until then.

import { sharedMemory } from '../kernel/primitives.js';
import { PONDER_HIT, STOP } from '../search/root/flags.js';
import { CLOCKS, hasNumber, isOpenEnded, isSearch, LIMITING, skipUnknown } from '../uci/command.js';
import { createInput } from '../uci/input.js';
import type { Thread } from '../uci/lines.js';
import { bestMoveLine, parseInfo, REFUSAL } from './answers.js';

/** Interface to the host. */
export interface StringsPort {
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

/** Returns a function that accepts UCI line by line. */
export function createStrings(port: StringsPort): (line: string) => void {
  const isShared = typeof SharedArrayBuffer !== 'undefined';
  const flags = new Int32Array(sharedMemory(12));
  /** Lines that restore the state in a new thread. */
  const settings = new Map<string, string>();
  let position: string[] = [];
  let thread: Thread;
  /** Lines not yet executed by the thread, except those repeated for a new thread. */
  const sent: string[] = [];
  let isRefused = false;
  let repeated = 0;
  /** Called when a new thread has executed the repeated lines. */
  let whenReady = (): void => {};
  let job: Job | null = null;
  let isBroken = false;

  const remember = (line: string): void => {
    const text = skipUnknown(line);
    const [, name] = /^setoption\s+name\s+(.+?)(\s+value(\s.*)?)?$/i.exec(text) ?? [];
    if (name !== undefined) settings.set(name.toLowerCase(), line);
    else if (/^debug\b/i.test(text)) settings.set('debug', line);
    else if (/^position\b/i.test(text)) position = [line];
    else if (/^flip\b/i.test(text)) position.push(line);
  };

  const toThread = (line: string): void => {
    sent.push(line);
    const words = skipUnknown(line).toLowerCase().split(/\s+/);
    const isJob = words[0] === 'go' || words[0] === 'bench';
    if (isShared || !isJob) return thread.post(line);
    const searches = isSearch(words);
    const isOpen = searches && isOpenEnded(words);
    job = { words, isSearch: searches, isOpen, isStopping: false, best: null, held: null, isDone: false };
    thread.post(isOpen ? closedGo(words) : line);
    queueMicrotask(obeyFlags);
  };

  // The thread declares 128 threads even if its memory is not shared
  const withRange = (line: string): string =>
    isShared || !line.startsWith('option name Threads ') ? line : line.replace(/max \d+/, 'max 1');

  const input = createInput({
    flags,
    identity: port.identity.map(withRange),
    toWorker: toThread,
    write: port.write,
    exit: () => {
      thread.terminate();
      port.exit();
    },
    // The line being handled must be finished first
    onFlag: () => queueMicrotask(obeyFlags),
  });

  // After a refused option or FEN, the previous one still applies
  const finish = (count: number): void => {
    for (const line of sent.splice(0, count)) {
      if (!isRefused) remember(line);
      isRefused = false;
      input.finished();
    }
    if (job?.isStopping === true) breakOff(job);
  };

  // Lines that a new thread gets again count as finished
  const forget = (count: number): void => {
    isRefused = false;
    for (const _ of sent.splice(0, count)) input.finished();
  };

  const release = ({ held, isDone }: Job): void => {
    job = null;
    input.fromWorker(held ?? 'bestmove (none)');
    if (isDone) finish(1);
  };

  // Ends the job as soon as there is an answer
  const breakOff = (running: Job): void => {
    // A search without a line has no answer yet, and the lines before a bench have none either
    if (running.isSearch ? running.best === null : sent.length > 1) return;
    job = null;
    // The caller may react to the answer with further lines
    const count = sent.length;
    reconnect();
    if (running.isSearch) input.fromWorker(running.best as string);
    else port.write('info string stopped');
    forget(count);
  };

  const obeyFlags = (): void => {
    if (isShared || job === null) return;
    const isHit = flags[PONDER_HIT] !== 0 && job.isOpen && isPondering(job.words);
    if (flags[STOP] === 0 && !isHit) return;
    job.isOpen = false;
    if (job.held !== null) return release(job);
    if (flags[STOP] !== 0) {
      job.isStopping = true;
      return breakOff(job);
    }
    // After a ponderhit, the search uses its clock
    const words = job.words.filter((word) => word !== 'ponder');
    job.words = words;
    const earlier = sent.length - 1;
    const hitAt = performance.now();
    reconnect();
    whenReady = () => thread.post(isOpenEnded(words) ? closedGo(words) : goAfter(performance.now() - hitAt, words));
    if (repeated === 0) whenReady();
    forget(earlier);
  };

  const hear = (line: string | null): void => {
    if (repeated > 0) {
      if (line !== null) return;
      repeated--;
      if (repeated === 0) whenReady();
    } else if (line === null) {
      if (job?.held != null) job.isDone = true;
      else finish(1);
    } else if (job?.isSearch === true && line.startsWith('bestmove')) {
      if (job.isOpen) job.held = line;
      else {
        job = null;
        input.fromWorker(line);
      }
    } else {
      // A position line is executed up to an illegal move or unknown words, so it was not refused
      isRefused ||= REFUSAL.test(line) && !/illegal move|unknown words after startpos/.test(line);
      input.fromWorker(withRange(line));
      const info = job === null ? null : parseInfo(line);
      if (job === null || info === null || info.multipv !== 1 || info.bound !== 'exact') return;
      job.best = bestMoveLine(info.pv);
      if (job.isStopping) breakOff(job);
    }
  };

  const fail = (error: Error): void => {
    isBroken = true;
    port.fail(error);
    const best = job?.isSearch === true ? job.best : null;
    job = null;
    if (best !== null) port.write(best);
  };

  function reconnect(): void {
    for (const line of sent) remember(line);
    thread.terminate();
    try {
      connect();
    } catch (error) {
      fail(error as Error);
    }
  }

  function connect(): void {
    const own = port.start();
    thread = own;
    own.listen(
      (batch) => {
        for (const line of batch) if (thread === own) hear(line);
      },
      (error) => {
        if (thread === own) fail(error);
      },
    );
    whenReady = () => {};
    own.post(isShared ? flags.buffer : null);
    // A thread that has executed a line has started, even if there is nothing to restore
    const lines = [...settings.values(), ...position, ...(isShared ? [] : ['isready'])];
    repeated = lines.length;
    for (const line of lines) own.post(line);
  }

  connect();
  return (line) => {
    if (isBroken) return;
    const [, count] = /^setoption\s+name\s+threads\s+value\s+(\+?\d+)/i.exec(skipUnknown(line)) ?? [];
    if (!isShared && Number(count) > 1) port.write(NOT_SHARED);
    else input.fromGui(line);
  };
}

// An open-ended `go` for a thread without a stop flag: the same search to an unreachable depth

/** Depth that no search reaches. */
const DEEPEST = 1000;

/** Returns whether a ponderhit changes the search; a search that is also infinite continues until stop. */
const isPondering = (words: readonly string[]): boolean => words.includes('ponder') && !words.includes('infinite');

/** Returns the `go` line without clocks, `infinite` and `ponder`, and with a depth if it has no other limit. */
function closedGo(words: readonly string[]): string {
  const isClock = (word: string | undefined): boolean => CLOCKS.some((name) => name === word);
  const kept = words
    .slice(1)
    .filter((word, i, all) => !['infinite', 'ponder'].includes(word) && !isClock(word) && !isClock(all[i - 1]));
  return ['go', ...(hasNumber(kept, LIMITING) ? [] : ['depth', `${DEEPEST}`]), ...kept].join(' ');
}

/** Returns the `go` line with its clocks and its time per move reduced by the milliseconds that have passed since `ponderhit`. */
function goAfter(passed: number, words: readonly string[]): string {
  const reduced = ['wtime', 'btime', 'movetime'];
  return words
    .map((word, i) => (reduced.includes(words[i - 1]) ? `${Math.max(1, Math.round(Number(word) - passed))}` : word))
    .join(' ');
}
