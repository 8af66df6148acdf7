// Explanations of moves. A search of all moves finds the best one, unless two moves are named. Any other named move is searched alone. The
// search thread then explains the resulting lines.

import { compareMoves, differences } from '../explain/compared.js';
import { createPosition } from './position.js';
import { checkFields, positionLine } from './requests.js';
import type { Engine, Explanation, PositionInput, Score, SearchRequest, SearchResult, Why } from './types.js';

/** Default number of nodes per search, a few tenths of a second. */
const NODES = 200_000;

/** Dependencies of explanations. */
export interface ExplainPort {
  /** Returns a function that runs the searches of one explanation. */
  searches: () => (request: SearchRequest) => Promise<SearchResult>;
  /** Sends the lines to the thread and returns its answer. */
  ask: (...lines: string[]) => Promise<string[]>;
  chess960: boolean;
}

/** Returns `Engine.explain`. */
export function createExplain({ searches, ask, chess960 }: ExplainPort): Engine['explain'] {
  return async (asked = {}, request = {}) => {
    const given: PositionInput = typeof asked === 'string' ? { fen: asked } : asked;
    const uciPosition = positionLine(given, chess960);
    checkFields('request', request, ['move', 'against', 'depth', 'nodes', 'movetime']);
    // Copies, because the caller may change the arguments during the searches
    const position = { ...given, moves: [...(given.moves ?? [])] };
    const { move, against, ...bounds } = request;
    const isLimited = Object.values(bounds).some((limit) => limit !== undefined);
    const limits = isLimited ? bounds : { nodes: NODES };
    const search = searches();
    const first = createPosition(position.fen, { chess960 });
    const start = position.moves.reduce((before, played) => before.play(played), first);
    if (start.end !== null) throw new TypeError(`fen: the game is over in ${start.fen}`);
    const named = (text: string): string => start.play(text).moves.at(-1) as string;
    const explained = async (only?: string): Promise<Explanation> => {
      const { lines } = await search({ ...position, ...limits, searchMoves: only === undefined ? [] : [only] });
      const [{ score: searched, pv }] = lines;
      // A search that ends before its first iteration only estimates the score
      const { end } = start.play(pv[0]);
      const score: Score = end === null ? searched : end === 'checkmate' ? { mate: 1 } : { cp: 0 };
      const [[kind, value]] = Object.entries(score);
      const answer = await ask(uciPosition, `why json ${kind} ${value} pv ${pv.join(' ')}`);
      const found = answer.find((text) => text.startsWith('why '));
      if (found === undefined) throw new Error(`the engine returned no explanation: ${answer.join('; ')}`);
      return JSON.parse(found.slice('why '.length)) as Explanation;
    };

    const [wanted, other] = [move, against].map((text) => (text === undefined ? undefined : named(text)));
    if (wanted !== undefined && wanted === other) return joined(await explained(wanted), null);
    if (wanted !== undefined && other !== undefined) return joined(await explained(wanted), await explained(other));
    const best = await explained();
    const [bestMove] = best.line;
    if (wanted !== undefined) return wanted === bestMove ? joined(best, null) : joined(await explained(wanted), best);
    return joined(best, other === undefined || other === bestMove ? null : await explained(other));
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
