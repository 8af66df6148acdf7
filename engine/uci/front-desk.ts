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

/** Returns the desk between a GUI and a search thread. */
export function createFrontDesk(port: FrontDeskPort): FrontDesk {
  let searching = false;
  /** A search that only stop (or ponderhit) can end. */
  let isOpenEnded = false;
  let quitting = false;
  /** Lines that came during a search and wait for its end. */
  const waiting: string[] = [];
  /** readyok answers that the worker still owes. */
  let owed = 0;
  /** The last answer owed is the sign that everything before quit is done. */
  let leaving = false;

  const raise = (flag: number): void => {
    Atomics.store(port.flags, flag, 1);
    Atomics.add(port.flags, WAKE, 1);
    Atomics.notify(port.flags, WAKE);
  };

  const forward = (line: string): void => {
    const words = line.trim().toLowerCase().split(/\s+/);
    if (words[0] === 'go' && !words.includes('perft')) {
      Atomics.store(port.flags, STOP, 0);
      Atomics.store(port.flags, PONDER_HIT, 0);
      searching = true;
      isOpenEnded = words.includes('infinite') || words.includes('ponder') || words.length === 1;
    }
    if (words[0] === 'isready') owed++;
    port.toWorker(line);
  };

  // Before leaving, what was asked earlier is still answered
  const quit = (): void => {
    quitting = true;
    if (searching) raise(STOP);
    else if (waiting.length === 0) {
      leaving = true;
      forward('isready');
    }
  };

  return {
    fromGui(line) {
      if (quitting) return;
      const word = line.trim().split(/\s+/)[0].toLowerCase();
      if (word === 'quit') return quit();
      if (!searching) return word === 'stop' || word === 'ponderhit' ? undefined : forward(line);
      if (word === 'stop') raise(STOP);
      else if (word === 'ponderhit') {
        isOpenEnded = false;
        raise(PONDER_HIT);
      } else if (word === 'isready') port.write('readyok');
      else {
        // A GUI that starts something new no longer waits for an open-ended search
        if (isOpenEnded && (word === 'go' || word === 'position' || word === 'ucinewgame')) raise(STOP);
        waiting.push(line);
      }
    },

    fromWorker(line) {
      if (line === 'readyok' && --owed === 0 && leaving) return port.exit();
      port.write(line);
      if (!line.startsWith('bestmove')) return;
      searching = false;
      while (!searching && waiting.length > 0) forward(waiting.shift() as string);
      if (quitting) quit();
    },
  };
}
