// The engine for programs that use the library: searches and evaluations as promises, on a thread of its own.

import { dataUrl } from '../data-url.js';
import { complaintOf, parseBestMove, parseEvaluation, parseInfo } from './answers.js';
import { createSession, isReadyOk, type Thread } from './session.js';
import type {
  Engine,
  EngineOptions,
  PositionInput,
  SearchInfo,
  SearchOptions,
  SearchRequest,
  SearchResult,
  Weights,
} from './types.js';

const LIMITS = ['depth', 'nodes', 'movetime', 'mate', 'wtime', 'btime', 'winc', 'binc', 'movestogo'] as const;
/** More than any search reaches: where no flag can end a search, one without limits must be able to end by itself. */
const DEEPEST = 1000;

// A line break in a text of the caller's would be a line of its own
const words = (text: string): string => text.trim().split(/\s+/).join(' ');

function positionLine({ fen, moves = [] }: PositionInput): string {
  const start = fen === undefined ? 'startpos' : `fen ${words(fen)}`;
  return `position ${start}${moves.length > 0 ? ` moves ${words(moves.join(' '))}` : ''}`;
}

function goLine(request: SearchRequest, isShared: boolean): string {
  const limits = LIMITS.flatMap((name) => {
    const value = request[name];
    if (value === undefined) return [];
    if (!Number.isFinite(value)) throw new TypeError(`${name} is a number, not ${value}`);
    return [`${name} ${Math.round(value)}`];
  });
  if (limits.length === 0) limits.push(isShared ? 'infinite' : `depth ${DEEPEST}`);
  const { searchMoves = [] } = request;
  return `go ${limits.join(' ')}${searchMoves.length > 0 ? ` searchmoves ${words(searchMoves.join(' '))}` : ''}`;
}

function settings({ multiPv = 1, elo }: SearchRequest): string[] {
  const strength = elo === undefined ? [] : [`setoption name UCI_Elo value ${elo}`];
  return [
    `setoption name MultiPV value ${multiPv}`,
    `setoption name UCI_LimitStrength value ${elo !== undefined}`,
    ...strength,
  ];
}

/** Returns an engine on a thread that `start` starts, once it is ready; rejects with an Error when an option cannot be set. */
export async function createEngineOn(start: () => Thread, options: EngineOptions): Promise<Engine> {
  const session = createSession(start);
  /** Searches asked for, and how many of them were told to stop. */
  let asked = 0;
  let stopped = 0;
  /** What was asked for last; each waits for the one before. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  const setUp = async (position: PositionInput, ...options: string[]): Promise<void> => {
    const lines = [positionLine(position), ...options, 'isready'];
    const complaint = complaintOf(await session.ask({ lines, isLast: isReadyOk }));
    if (complaint !== null) throw new Error(complaint);
  };

  const useWeights = (weights: Weights | null): Promise<void> => {
    const text = weights === null || typeof weights === 'string' ? weights : JSON.stringify(weights);
    return session.setOption('EvalFile', text === null ? '' : dataUrl(text));
  };

  const search = async (
    request: SearchRequest,
    { onInfo, signal }: SearchOptions,
    isStopped: () => boolean,
  ): Promise<SearchResult> => {
    signal?.throwIfAborted();
    const go = goLine(request, session.isShared);
    await setUp(request, ...settings(request));
    signal?.throwIfAborted();

    const lines: SearchInfo[] = [];
    const lastLine = (): string | null => {
      const [move, ponder] = lines[0]?.pv ?? [];
      if (lines.length === 0) return null;
      return `bestmove ${move ?? '(none)'}${ponder === undefined ? '' : ` ponder ${ponder}`}`;
    };
    signal?.addEventListener('abort', session.stop, { once: true });
    try {
      const answered = session.ask({
        lines: [go],
        isLast: (line) => line.startsWith('bestmove'),
        onLine: (line) => {
          const info = parseInfo(line);
          if (info === null) return;
          if (info.bound === 'exact') lines[info.multipv - 1] = info;
          onInfo?.(info);
        },
        lastLine,
      });
      if (isStopped()) session.stop();
      const answer = await answered;
      signal?.throwIfAborted();
      return { ...parseBestMove(answer.at(-1) ?? ''), lines };
    } finally {
      signal?.removeEventListener('abort', session.stop);
    }
  };

  try {
    if (options.threads !== undefined && options.threads > 1 && !session.isShared)
      throw new Error('threads need shared memory, which this page may not have: serve it with COOP and COEP headers');
    if (options.hash !== undefined) await session.setOption('Hash', `${options.hash}`);
    if (options.chess960 !== undefined) await session.setOption('UCI_Chess960', `${options.chess960}`);
    if (options.weights !== undefined) await useWeights(options.weights);
    if (options.threads !== undefined) await session.setOption('Threads', `${options.threads}`);
    await session.ask({ lines: ['isready'], isLast: isReadyOk });
  } catch (error) {
    session.close(error as Error);
    throw error;
  }
  return {
    search: (request = {}, searchOptions = {}) => {
      const number = ++asked;
      return inTurn(() => search(request, searchOptions, () => number <= stopped));
    },
    evaluate: (position = {}) =>
      inTurn(async () => {
        await setUp(position);
        return parseEvaluation(await session.ask({ lines: ['eval', 'isready'], isLast: isReadyOk }));
      }),
    stop: () => {
      stopped = asked;
      session.stop();
    },
    newGame: () =>
      inTurn(async () => {
        await session.ask({ lines: ['ucinewgame', 'isready'], isLast: isReadyOk });
      }),
    setWeights: (weights) => inTurn(() => useWeights(weights)),
    close: () => session.close(new Error('the engine is closed')),
  };
}
