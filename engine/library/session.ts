// A UCI session with a search thread. With shared memory, a stop sets a flag. Without it, a stop terminates the thread, returns the last
// reported line as the answer, and starts a new thread with the same options.

import { sharedMemory } from '../kernel/primitives.js';
import { createInput, type Input } from '../uci/input.js';
import type { Thread } from '../uci/lines.js';
import { complaintOf } from './answers.js';
import { EngineError } from './types.js';

/** Pending requests to the thread. */
interface Question {
  lines: readonly string[];
  /** Returns whether the line is the last of the answer. */
  isLast: (line: string) => boolean;
  onLine?: (line: string) => void;
  /** Returns the final line after the thread was terminated, or null if there is none yet. */
  lastLine?: () => string | null;
}

export interface Session {
  /** Sends the lines and returns the answer up to its last line; requests are serialised. */
  ask: (question: Question) => Promise<string[]>;
  /** Sets an option, also in later threads; rejects if the engine refuses it. */
  setOption: (name: string, value: string) => Promise<void>;
  /** Ends the running search. */
  stop: () => void;
  close: (reason: Error) => void;
  /** Whether threads share memory. */
  isShared: boolean;
}

interface Running extends Question {
  answer: string[];
  resolve: (lines: string[]) => void;
  reject: (error: Error) => void;
}

export const isReadyOk = (line: string): boolean => line === 'readyok';

const threadError = (cause: unknown): Error =>
  cause instanceof EngineError ? cause : new EngineError('thread', (cause as Error).message, cause);

/** Returns a session with threads from `start`. */
export function createSession(start: () => Thread): Session {
  const isShared = typeof SharedArrayBuffer !== 'undefined';
  const options = new Map<string, string>();
  const waiting: Running[] = [];
  let running: Running | null = null;
  let isStopping = false;
  let closed: Error | null = null;
  let thread: Thread;
  let input: Input;

  const finish = (end: (question: Running) => void): void => {
    const question = running;
    running = null;
    isStopping = false;
    if (question !== null) end(question);
    next();
  };

  const next = (): void => {
    if (running !== null || closed !== null) return;
    running = waiting.shift() ?? null;
    for (const line of running?.lines ?? []) input.fromGui(line);
  };

  // An answer may be cut short once there is a line
  const breakOff = (): void => {
    const line = running?.lastLine?.() ?? null;
    if (!isStopping || line === null) return;
    thread.terminate();
    try {
      connect();
    } catch (error) {
      return close(threadError(error));
    }
    finish(({ resolve, answer }) => resolve([...answer, line]));
  };

  const hear = (line: string): void => {
    const question = running;
    if (question === null) return;
    question.answer.push(line);
    question.onLine?.(line);
    // The listener may have stopped it
    if (running !== question) return;
    if (question.isLast(line)) finish(({ resolve, answer }) => resolve(answer));
    else if (!isShared) breakOff();
  };

  const close = (reason: Error): void => {
    if (closed !== null) return;
    closed = reason;
    thread.terminate();
    for (const question of [...(running === null ? [] : [running]), ...waiting.splice(0)]) question.reject(reason);
    running = null;
  };

  const connect = (): void => {
    const own = start();
    thread = own;
    const memory = sharedMemory(12);
    const ownInput = createInput({
      flags: new Int32Array(memory),
      identity: [],
      toWorker: (line) => own.post(line),
      write: hear,
      exit: () => {},
    });
    own.listen(
      (batch) => {
        for (const line of batch) {
          if (thread !== own) return;
          if (line === null) ownInput.finished();
          else ownInput.fromWorker(line);
        }
      },
      (error) => {
        if (thread === own) close(threadError(error));
      },
    );
    own.post(isShared ? memory : null);
    for (const [name, value] of options) ownInput.fromGui(`setoption name ${name} value ${value}`);
    input = ownInput;
  };

  const ask = (question: Question): Promise<string[]> =>
    new Promise((resolve, reject) => {
      if (closed !== null) return reject(closed);
      waiting.push({ ...question, answer: [], resolve, reject });
      next();
    });

  try {
    connect();
  } catch (error) {
    throw threadError(error);
  }
  return {
    isShared,
    ask,
    close,
    setOption: async (name, value) => {
      const answer = await ask({ lines: [`setoption name ${name} value ${value}`, 'isready'], isLast: isReadyOk });
      const complaint = complaintOf(answer);
      if (complaint !== null) throw new EngineError('refused', complaint);
      options.set(name, value);
    },
    stop: () => {
      if (running?.lastLine === undefined) return;
      isStopping = true;
      if (isShared) input.fromGui('stop');
      else breakOff();
    },
  };
}
