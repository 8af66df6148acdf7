// Explanations of moves: each named move is searched alone, and the thread explains the resulting line.

import { compareMoves, differences } from '../explain/compared.js';
import { createPosition } from './position.js';
import { checkFields, positionLine } from './requests.js';
import type { Engine, Explanation, PositionInput, SearchRequest, SearchResult, Why } from './types.js';

/** Default number of nodes per search, a few tenths of a second. */
const NODES = 200_000;

/** Dependencies of explanations. */
export interface ExplainPort {
  /** Returns the search function of one explanation. */
  searches: () => (request: SearchRequest) => Promise<SearchResult>;
  /** Sends the lines to the thread and returns its answer. */
  ask: (...lines: string[]) => Promise<string[]>;
  chess960: boolean;
}

/** Returns `Engine.explain`. */
export function createExplain({ searches, ask, chess960 }: ExplainPort): Engine['explain'] {
  const explain = async (position: PositionInput, line: readonly string[], score: object): Promise<Explanation> => {
    const [[kind, value]] = Object.entries(score);
    const answer = await ask(positionLine(position, chess960), `why json ${kind} ${value} pv ${line.join(' ')}`);
    const found = answer.find((text) => text.startsWith('why '));
    if (found === undefined) throw new Error(`the engine returned no explanation: ${answer.join('; ')}`);
    return JSON.parse(found.slice('why '.length)) as Explanation;
  };

  return async (asked = {}, request = {}) => {
    const position: PositionInput = typeof asked === 'string' ? { fen: asked } : asked;
    // Called only for its checks
    positionLine(position, chess960);
    checkFields('request', request, ['move', 'against', 'depth', 'nodes', 'movetime']);
    const { fen, moves = [] } = position;
    const { move, against, depth, nodes, movetime } = request;
    const search = searches();
    const start = moves.reduce((before, played) => before.play(played), createPosition(fen, { chess960 }));
    if (start.end !== null) throw new TypeError(`fen: the game is over in ${start.fen}`);
    const limits = {
      ...(depth === undefined ? {} : { depth }),
      ...(movetime === undefined ? {} : { movetime }),
      ...(nodes === undefined && (depth ?? movetime) !== undefined ? {} : { nodes: nodes ?? NODES }),
    };
    const named = (text: unknown): string => {
      if (typeof text !== 'string') throw new TypeError(`expected a move as a string, not ${String(text)}`);
      return start.play(text).moves.at(-1) as string;
    };
    const explained = async (only?: string): Promise<Explanation> => {
      const { lines } = await search({
        ...position,
        ...limits,
        ...(only === undefined ? {} : { searchMoves: [only] }),
      });
      return explain(position, lines[0].pv, lines[0].score);
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
