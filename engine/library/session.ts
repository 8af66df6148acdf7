// A session with a search thread. Requests are sent one at a time as UCI lines, and each returns a promise that resolves with the lines of
// the answer.

import type { Thread } from '../uci/lines.js';
import { EngineError } from './types.js';
import { UciThread } from './uci-thread.js';

/** A request to the thread. */
interface Question {
  lines: readonly string[];
  /** Start of the last line of the answer. */
  last: string;
  onLine?: (line: string) => void;
}

export interface Session {
  /** Sends the lines and returns all lines of the answer; requests are handled one at a time. */
  ask: (question: Question) => Promise<string[]>;
  stop: () => void;
  close: (reason: Error) => void;
}

interface Running extends Question {
  answer: string[];
  resolve: (lines: string[]) => void;
  reject: (error: Error) => void;
}

const threadError = (cause: unknown): Error =>
  cause instanceof EngineError ? cause : new EngineError('thread', (cause as Error).message, cause);

/** Returns a session with threads from `start`. */
export function createSession(start: () => Thread): Session {
  const waiting: Running[] = [];
  let running: Running | null = null;
  let closed: Error | null = null;
  let thread: Thread;

  const next = (): void => {
    if (running !== null || closed !== null) return;
    running = waiting.shift() ?? null;
    for (const line of running?.lines ?? []) uci.send(line);
  };

  const hear = (line: string): void => {
    const question = running;
    if (question === null) return;
    question.answer.push(line);
    question.onLine?.(line);
    // The listener may have closed the session
    if (running !== question || !line.startsWith(question.last)) return;
    running = null;
    question.resolve(question.answer);
    next();
  };

  const close = (reason: Error): void => {
    if (closed !== null) return;
    closed = reason;
    thread.terminate();
    for (const question of [...(running === null ? [] : [running]), ...waiting.splice(0)]) question.reject(reason);
    running = null;
  };

  const startOwn = (): Thread => {
    // A stop just before the session was closed may still request a new thread
    if (closed !== null) throw closed;
    thread = start();
    return thread;
  };

  let uci: UciThread;
  try {
    const fail = (error: Error): void => close(threadError(error));
    uci = new UciThread({ start: startOwn, identity: [], write: hear, exit: () => {}, fail });
  } catch (error) {
    throw threadError(error);
  }

  const ask = (question: Question): Promise<string[]> =>
    new Promise((resolve, reject) => {
      if (closed !== null) return reject(closed);
      waiting.push({ ...question, answer: [], resolve, reject });
      next();
    });

  return {
    ask,
    close,
    stop: () => {
      if (running !== null) uci.send('stop');
    },
  };
}
