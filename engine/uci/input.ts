// Decides what happens to each line of the GUI while the search thread is busy with a search, a perft or a bench: stop, ponderhit, isready
// and quit take effect at once through shared flags; everything else waits its turn. It performs no input or output itself.

import { PONDER_HIT, STOP, WAKE } from '../search/root/flags.js';
import { skipUnknown } from './command.js';

export interface InputPort {
  /** Shared with the search: see search/root/control. */
  flags: Int32Array;
  toWorker: (line: string) => void;
  /** The answer to `uci`. */
  identity: readonly string[];
  write: (line: string) => void;
  exit: () => void;
  /** Called when a flag was raised, for a search without shared memory. */
  onFlag?: () => void;
}

export interface Input {
  fromGui: (line: string) => void;
  fromWorker: (line: string) => void;
  /** The worker has carried out a line. */
  finished: () => void;
}

/** A line of input by its words, in lower case. */
interface InputLine {
  line: string;
  words: readonly string[];
}

const LIMITS = ['wtime', 'btime', 'depth', 'nodes', 'mate', 'movetime'];

const is = (...commands: string[]) => {
  return ({ words }: InputLine): boolean => commands.includes(words[0]);
};
const isStop = is('stop');
const isPonderHit = is('ponderhit');
const isReady = is('isready');
const startsAnew = is('go', 'position', 'ucinewgame');
/** What may take long, and ends at a stop. */
const startsJob = is('go', 'bench');
const startsSearch = (input: InputLine): boolean => input.words[0] === 'go' && !input.words.includes('perft');

/** Returns the input between a GUI and a search thread. */
export function createInput(port: InputPort): Input {
  /** The line that the worker may be busy with for long. */
  let job: InputLine | null = null;
  let quitting = false;
  /** Lines that came during a job and wait for its end. */
  const waiting: InputLine[] = [];
  /** Lines that the worker has yet to carry out. */
  let pending = 0;

  const raise = (flag: number): void => {
    Atomics.store(port.flags, flag, 1);
    Atomics.add(port.flags, WAKE, 1);
    Atomics.notify(port.flags, WAKE);
    port.onFlag?.();
  };

  // Only stop, or what the GUI starts next, ends such a search
  const isOpenEnded = (running: InputLine, isHit: boolean): boolean => {
    if (!startsSearch(running)) return false;
    const { words } = running;
    const isLimited = words.some((word, i) => LIMITS.includes(word) && /^[+-]?\d/.test(words[i + 1] ?? ''));
    return words.includes('infinite') || (words.includes('ponder') && !isHit) || !isLimited;
  };

  // What waits behind the running job may be meant for it: a stop ends everything asked for before it, a ponderhit belongs to
  // the go before it, and a GUI that starts something new no longer waits for an open-ended search
  const steer = (running: InputLine): void => {
    const next = waiting.findIndex(startsAnew);
    const isHit = waiting.slice(0, next < 0 ? waiting.length : next).some(isPonderHit);
    if (isHit) raise(PONDER_HIT);
    if (waiting.some(isStop) || (next >= 0 && isOpenEnded(running, isHit))) raise(STOP);
  };

  // isready does not wait for the end of a search
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
        // What was asked earlier is still answered, a search at once; a perft or bench that a script pipes in is counted to its end
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
      // What a GUI asks after the answer is for the worker, even if that has not said yet that it is done
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
