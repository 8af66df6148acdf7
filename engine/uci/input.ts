// Dispatcher of the GUI's lines, without input or output of its own. While the search thread is busy, stop, ponderhit and, in a search,
// quit take effect at once through shared flags, isready is answered directly, and other lines are queued.

import { PONDER_HIT, STOP, WAKE } from '../search/root/flags.js';
import { isOpenEnded, isSearch, skipUnknown } from './command.js';

export interface InputPort {
  /** Shared with the search: see search/root/control. */
  flags: Int32Array;
  toWorker: (line: string) => void;
  /** The answer to `uci`. */
  identity: readonly string[];
  write: (line: string) => void;
  exit: () => void;
  /** Called when a flag is raised, for a search without shared memory. */
  onFlag?: () => void;
}

export interface Input {
  fromGui: (line: string) => void;
  fromWorker: (line: string) => void;
  /** Must be called after each line that the worker has executed. */
  finished: () => void;
}

/** An input line, and its words from the command on, in lower case. */
interface InputLine {
  line: string;
  words: readonly string[];
}

const is = (...commands: string[]) => {
  return ({ words }: InputLine): boolean => commands.includes(words[0]);
};
const isStop = is('stop');
const isPonderHit = is('ponderhit');
const isReady = is('isready');
const startsAnew = is('go', 'position', 'ucinewgame');
/** Long-running commands that a stop ends. */
const startsJob = is('go', 'bench');
const startsSearch = ({ words }: InputLine): boolean => isSearch(words);

/** Returns the dispatcher between a GUI and a search thread. */
export function createInput(port: InputPort): Input {
  /** The long-running command that the worker is executing, if any. */
  let job: InputLine | null = null;
  let quitting = false;
  /** Lines queued until the end of the job. */
  const waiting: InputLine[] = [];
  /** Number of forwarded lines that the worker has not executed yet. */
  let pending = 0;

  const raise = (flag: number): void => {
    Atomics.store(port.flags, flag, 1);
    Atomics.add(port.flags, WAKE, 1);
    Atomics.notify(port.flags, WAKE);
    port.onFlag?.();
  };

  // Queued lines can affect the running job: a stop ends everything before it, a ponderhit belongs to the go before it, and a new go,
  // position or ucinewgame ends an open-ended search
  const steer = (running: InputLine): void => {
    const next = waiting.findIndex(startsAnew);
    const isHit = waiting.slice(0, next < 0 ? waiting.length : next).some(isPonderHit);
    if (isHit) raise(PONDER_HIT);
    if (waiting.some(isStop) || (next >= 0 && startsSearch(running) && isOpenEnded(running.words, isHit))) raise(STOP);
  };

  // isready does not wait for the end of a job
  const answerReady = (): void => {
    const others = waiting.filter((input) => !isReady(input));
    for (let owed = waiting.length - others.length; owed > 0; owed--) port.write('readyok');
    waiting.splice(0, waiting.length, ...others);
  };

  const forward = (input: InputLine): void => {
    if (isStop(input) || isPonderHit(input)) return;
    pending++;
    if (startsJob(input)) {
      Atomics.store(port.flags, STOP, 0);
      Atomics.store(port.flags, PONDER_HIT, 0);
      job = input;
      steer(job);
      if (quitting && startsSearch(job)) raise(STOP);
    }
    port.toWorker(input.line);
    if (job !== null) answerReady();
  };

  return {
    fromGui(line) {
      if (quitting) return;
      const input = { line, words: skipUnknown(line).toLowerCase().split(/\s+/) };
      const [word] = input.words;
      if (word === 'quit') {
        // Earlier requests are still answered: a search stops and answers at once, but a perft or bench runs to its end
        quitting = true;
        if (job !== null && startsSearch(job)) raise(STOP);
        else if (pending === 0) port.exit();
      } else if (word === 'uci' && pending === 0) {
        // A GUI may wait for this while the worker is still starting
        for (const answer of port.identity) port.write(answer);
      } else if (job === null && waiting.length === 0) forward(input);
      else if (job !== null && isReady(input)) port.write('readyok');
      else {
        waiting.push(input);
        if (job === null) return;
        if (startsAnew(input) || isStop(input) || isPonderHit(input)) steer(job);
      }
    },

    fromWorker(line) {
      port.write(line);
      // Lines after the answer go to the worker, even if it has not reported completion yet
      if (line.startsWith('bestmove')) job = null;
    },

    finished() {
      if (--pending > 0) return;
      job = null;
      while (job === null && waiting.length > 0) forward(waiting.shift() as InputLine);
      if (quitting && pending === 0) port.exit();
    },
  };
}
