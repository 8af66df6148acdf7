// The engine for programs that use the library. It runs on its own thread and returns searches, evaluations and explanations as promises.

import { dataUrl } from '../names.js';
import { isLoss, MAX_THREADS } from '../search/root/flags.js';
import type { Thread } from '../uci/lines.js';
import { complaintOf, parseBestMove, parseEvaluation, parseInfo } from './answers.js';
import { createExplain } from './explain.js';
import {
  checkFields,
  checkUrl,
  positionLine,
  type SearchLines,
  searchLines,
  trueOrFalse,
  wholeNumber,
} from './requests.js';
import { createSession } from './session.js';
import { onAbort, orAborted, throwIfAborted } from './signals.js';
import {
  type Engine,
  EngineError,
  type EngineOptions,
  type SearchInfo,
  type SearchOptions,
  type SearchResult,
  type Weights,
} from './types.js';

/** Upper limit in MiB, far above the maximum of the Hash option, which depends on the machine. */
const LARGEST_HASH = 2 ** 25;

function weightsText(weights: unknown): string {
  if (typeof weights === 'string') return weights;
  if (typeof weights === 'object' && weights !== null) return JSON.stringify(weights);
  throw new TypeError(`weights: expected the content of a weights file, not ${String(weights)}`);
}

type Listeners = { readonly [Name in keyof SearchOptions]: SearchOptions[Name] | undefined };

/**
 * Returns a wrapper of the caller's `onInfo`, the list of errors from `onInfo`, and `end`, after which an error no longer calls `onError`.
 * Once the signal has been aborted, `onInfo` is no longer called.
 */
function guarded({ onInfo, signal }: Listeners, onError: () => void) {
  const thrown: { error: unknown }[] = [];
  let isOver = false;
  const fail = (error: unknown): void => {
    thrown.push({ error });
    // A late error must not end the next search
    if (!isOver) onError();
  };
  return {
    thrown,
    end: (): void => {
      isOver = true;
    },
    call: (info: SearchInfo): void => {
      // The promise of an aborted search has already been rejected
      if (onInfo === undefined || thrown.length > 0 || signal?.aborted === true) return;
      try {
        // Async functions are accepted too
        const result: unknown = onInfo(info);
        if (result instanceof Promise) result.catch(fail);
      } catch (error) {
        fail(error);
      }
    },
  };
}

/**
 * Returns an engine on a thread from `start` when it is ready; rejects with a TypeError for an invalid option, and with an EngineError if
 * the engine cannot start or refuses an option.
 */
export async function createEngineOn(start: () => Thread, options: EngineOptions): Promise<Engine> {
  checkFields('options', options, ['hash', 'threads', 'weights', 'chess960', 'worker']);
  if (options.worker !== undefined) checkUrl('worker', options.worker);
  const session = createSession(start);
  /** Numbers of the last requested search and of the last stopped search. */
  let asked = 0;
  let stopped = 0;
  /** The last request; each waits for the previous one. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  // The engine continues without a failed helper thread
  const askUntilReady = async (...lines: string[]): Promise<string[]> => {
    const answer = await session.ask({ lines: [...lines, 'isready'], last: 'readyok' });
    return answer.filter((line) => !isLoss(line));
  };

  const setOption = async (name: string, value: string | number | boolean): Promise<void> => {
    const complaint = complaintOf(await askUntilReady(`setoption name ${name} value ${value}`));
    if (complaint !== null) throw new EngineError('refused', complaint);
  };

  const setUp = async (...lines: string[]): Promise<void> => {
    const complaint = complaintOf(await askUntilReady(...lines));
    // An illegal move rejects the call; the engine only reports it and ignores the moves after it
    if (complaint !== null) throw new TypeError(complaint.replace(/^illegal move (\S+);.*$/, 'moves: $1 is not legal'));
  };

  const search = async ({ before, go }: SearchLines, listeners: Listeners, number: number): Promise<SearchResult> => {
    const { signal } = listeners;
    throwIfAborted(signal);
    await setUp(...before);
    throwIfAborted(signal);
    const listener = guarded(listeners, session.stop);

    const lines: SearchInfo[] = [];
    const cancel = signal && onAbort(signal, session.stop);
    try {
      const answered = session.ask({
        lines: [go],
        last: 'bestmove',
        onLine: (line) => {
          const info = parseInfo(line);
          if (info === null) return;
          if (info.bound === 'exact') lines[info.multipv - 1] = info;
          listener.call(info);
        },
      });
      if (number <= stopped) session.stop();
      const answer = await answered;
      for (const { error } of listener.thrown) throw error;
      throwIfAborted(signal);
      return { ...parseBestMove(answer.at(-1) ?? ''), lines };
    } finally {
      listener.end();
      cancel?.();
    }
  };

  const { hash, chess960, threads, weights } = options;
  const isChess960 = chess960 === true;
  try {
    if (chess960 !== undefined) await setOption('UCI_Chess960', trueOrFalse('chess960', chess960));
    if (hash !== undefined) await setOption('Hash', wholeNumber('hash', hash, 1, LARGEST_HASH));
    if (weights !== undefined) await setOption('EvalFile', dataUrl(weightsText(weights)));
    if (threads !== undefined) await setOption('Threads', wholeNumber('threads', threads, 1, MAX_THREADS));
    await askUntilReady();
  } catch (error) {
    session.close(error as Error);
    throw error;
  }
  return {
    // Arguments are read at once, because the caller may change them later
    search: async (request = {}, listeners = {}) => {
      const number = ++asked;
      const lines = searchLines(request, isChess960);
      checkFields('options', listeners, ['onInfo', 'signal']);
      const { onInfo, signal } = listeners;
      if (onInfo !== undefined && typeof onInfo !== 'function') throw new TypeError('onInfo: expected a function');
      if (signal && typeof signal.addEventListener !== 'function')
        throw new TypeError('signal: expected an AbortSignal');
      const result = inTurn(() => search(lines, { onInfo, signal }, number));
      return signal ? orAborted(result, signal) : result;
    },
    // An explanation is one request, and a stop ends all of its searches
    explain: createExplain((work) => {
      const number = ++asked;
      return inTurn(() =>
        work({ search: (request) => search(searchLines(request, isChess960), {}, number), ask: askUntilReady }),
      );
    }, isChess960),
    evaluate: async (position = {}) => {
      const line = positionLine(position, isChess960);
      return inTurn(async () => {
        await setUp(line);
        return parseEvaluation(await askUntilReady('eval'));
      });
    },
    stop: () => {
      stopped = asked;
      session.stop();
    },
    newGame: () =>
      inTurn(async () => {
        await askUntilReady('ucinewgame');
      }),
    setWeights: async (weights: Weights | null) => {
      const file = weights === null ? '' : dataUrl(weightsText(weights));
      return inTurn(() => setOption('EvalFile', file));
    },
    close: () => session.close(new EngineError('closed', 'the engine is closed')),
  };
}
