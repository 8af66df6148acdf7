// Explanations of moves. A search of all moves finds the best one, unless two moves are named. Any other named move is searched alone. The
// search thread then explains the resulting lines.

import { compareMoves, differences } from '../explain/compared.js';
import { complaintOf } from './answers.js';
import { createPosition } from './position.js';
import { checkFields, positionLine, searchLines } from './requests.js';
import {
  type Engine,
  EngineError,
  type Explanation,
  type PositionInput,
  type Score,
  type SearchRequest,
  type SearchResult,
  type Why,
} from './types.js';

/** Default number of nodes per search, a few tenths of a second. */
const NODES = 200_000;

/** The engine during an explanation. */
export interface ExplainPort {
  search: (request: SearchRequest) => Promise<SearchResult>;
  /** Sends the lines to the thread and returns its answer. */
  ask: (...lines: string[]) => Promise<string[]>;
}

/** Runs the work of one explanation when the earlier requests have ended. */
type RunInTurn = (work: (engine: ExplainPort) => Promise<Why>) => Promise<Why>;

/** Returns `Engine.explain`. Invalid arguments are rejected at once. */
export function createExplain(runInTurn: RunInTurn, chess960: boolean): Engine['explain'] {
  return async (asked = {}, request = {}) => {
    const given: PositionInput = typeof asked === 'string' ? { fen: asked } : asked;
    const uciPosition = positionLine(given, chess960);
    checkFields('request', request, ['move', 'against', 'depth', 'nodes', 'movetime']);
    // Copies, because the caller may change the arguments during the searches
    const position = { ...given, moves: [...(given.moves ?? [])] };
    const { move, against, ...bounds } = request;
    const isLimited = Object.values(bounds).some((limit) => limit !== undefined);
    const limits = isLimited ? bounds : { nodes: NODES };
    searchLines(limits, chess960);
    const first = createPosition(position.fen, { chess960 });
    const start = position.moves.reduce((before, played) => before.play(played), first);
    if (start.end !== null) throw new TypeError(`fen: the game is over in ${start.fen}`);
    const named = (text: string): string => start.play(text).moves.at(-1) as string;
    const explained = async ({ search, ask }: ExplainPort, only?: string): Promise<Explanation> => {
      const { lines } = await search({ ...position, ...limits, searchMoves: only === undefined ? [] : [only] });
      const [{ score: searched, pv }] = lines;
      // A search that ends before its first iteration only estimates the score
      const { end } = start.play(pv[0]);
      const score: Score = end === null ? searched : end === 'checkmate' ? { mate: 1 } : { cp: 0 };
      const [[kind, value]] = Object.entries(score);
      const answer = await ask(uciPosition, `why json ${kind} ${value} pv ${pv.join(' ')}`);
      const found = answer.find((text) => text.startsWith('why '));
      if (found === undefined)
        throw new EngineError('refused', complaintOf(answer) ?? 'the engine returned no explanation');
      return JSON.parse(found.slice('why '.length)) as Explanation;
    };

    const [wanted, other] = [move, against].map((text) => (text === undefined ? undefined : named(text)));
    return runInTurn(async (engine) => {
      if (wanted !== undefined && other !== undefined) {
        const first = await explained(engine, wanted);
        return joined(first, wanted === other ? null : await explained(engine, other));
      }
      const best = await explained(engine);
      const [bestMove] = best.line;
      if (wanted !== undefined)
        return wanted === bestMove ? joined(best, null) : joined(await explained(engine, wanted), best);
      return joined(best, other === undefined || other === bestMove ? null : await explained(engine, other));
    });
  };
}

function joined(move: Explanation, against: Explanation | null): Why {
  if (against === null) return { move, against, differences: [], sentences: move.sentences };
  return {
    move,
    against,
    differences: differences(move, against),
    sentences: [...compareMoves(move, against), ...move.sentences, ...against.sentences],
  };
}
