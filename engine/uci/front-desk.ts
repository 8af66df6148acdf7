// What must be answered while the search runs: stop, ponderhit, isready and quit reach it through shared flags; everything else
// waits its turn. Pure bookkeeping between GUI and search thread, without input or output of its own.

import { PONDER_HIT, STOP, WAKE } from '../search/stack.js';

export interface FrontDeskPort {
  /** Shared with the search: see search/stack. */
  flags: Int32Array;
  toWorker: (line: string) => void;
  write: (line: string) => void;
  exit: () => void;
}

export interface FrontDesk {
  fromGui: (line: string) => void;
  fromWorker: (line: string) => void;
}

/** A line of input by its words, in lower case. */
interface Input {
  line: string;
  words: readonly string[];
}

const LIMITS = ['wtime', 'btime', 'depth', 'nodes', 'mate', 'movetime'];

const is = (...commands: string[]) => {
  return ({ words }: Input): boolean => commands.includes(words[0]);
};
const isStop = is('stop');
const isPonderHit = is('ponderhit');
const startsAnew = is('go', 'position', 'ucinewgame');
const startsSearch = (input: Input): boolean => input.words[0] === 'go' && !input.words.includes('perft');

/** Returns the desk between a GUI and a search thread. */
export function createFrontDesk(port: FrontDeskPort): FrontDesk {
  /** The go line being searched. */
  let search: Input | null = null;
  let quitting = false;
  /** Lines that came during a search and wait for its end. */
  const waiting: Input[] = [];
  /** readyok answers that the worker still owes. */
  let owed = 0;
  /** The last answer owed is the sign that everything before quit is done. */
  let leaving = false;

  const raise = (flag: number): void => {
    Atomics.store(port.flags, flag, 1);
    Atomics.add(port.flags, WAKE, 1);
    Atomics.notify(port.flags, WAKE);
  };

  // Only stop, or what the GUI starts next, ends such a search
  const isOpenEnded = ({ words }: Input, isHit: boolean): boolean => {
    const isLimited = words.some((word, i) => LIMITS.includes(word) && /^[+-]?\d/.test(words[i + 1] ?? ''));
    return words.includes('infinite') || (words.includes('ponder') && !isHit) || !isLimited;
  };

  // What waits behind the running search may be meant for it: a stop ends everything asked for before it, a ponderhit belongs to
  // the go before it, and a GUI that starts something new no longer waits for an open-ended search
  const steer = (running: Input): void => {
    const next = waiting.findIndex(startsAnew);
    const isHit = waiting.slice(0, next < 0 ? waiting.length : next).some(isPonderHit);
    if (isHit) raise(PONDER_HIT);
    if (waiting.some(isStop) || (next >= 0 && isOpenEnded(running, isHit))) raise(STOP);
  };

  const forward = (input: Input): void => {
    if (isStop(input) || isPonderHit(input)) return;
    if (input.words[0] === 'isready') owed++;
    if (startsSearch(input)) {
      Atomics.store(port.flags, STOP, 0);
      Atomics.store(port.flags, PONDER_HIT, 0);
      search = input;
      steer(search);
    }
    port.toWorker(input.line);
  };

  // Before leaving, what was asked earlier is still answered
  const quit = (): void => {
    quitting = true;
    if (search !== null) raise(STOP);
    else {
      leaving = true;
      forward({ line: 'isready', words: ['isready'] });
    }
  };

  return {
    fromGui(line) {
      if (quitting) return;
      const input = { line, words: line.trim().toLowerCase().split(/\s+/) };
      const [word] = input.words;
      if (word === 'quit') return quit();
      if (search === null) return forward(input);
      if (word === 'isready') return port.write('readyok');
      waiting.push(input);
      if (startsAnew(input) || isStop(input) || isPonderHit(input)) steer(search);
    },

    fromWorker(line) {
      if (line === 'readyok' && --owed === 0 && leaving) return port.exit();
      port.write(line);
      if (!line.startsWith('bestmove')) return;
      search = null;
      while (search === null && waiting.length > 0) forward(waiting.shift() as Input);
      if (quitting) quit();
    },
  };
}
