// Parses the engine's output for the library.

import type { Evaluation, Score, SearchInfo, TermScore } from './types.js';

/** Parses an info line of a search; returns null for lines without a score. */
export function parseInfo(line: string): SearchInfo | null {
  const words = line.split(' ');
  const scoreAt = words.indexOf('score');
  if (words[0] !== 'info' || words[1] === 'string' || scoreAt < 0) return null;
  const number = (name: string): number => {
    const at = words.indexOf(name);
    return at < 0 ? 0 : Number(words[at + 1]);
  };
  const pvAt = words.indexOf('pv');
  const [kind, value, bound = ''] = words.slice(scoreAt + 1);
  const score: Score = kind === 'mate' ? { mate: Number(value) } : { cp: Number(value) };
  return {
    depth: number('depth'),
    seldepth: number('seldepth'),
    multipv: Math.max(1, number('multipv')),
    score,
    bound: bound === 'lowerbound' ? 'lower' : bound === 'upperbound' ? 'upper' : 'exact',
    nodes: number('nodes'),
    nps: number('nps'),
    hashfull: number('hashfull'),
    time: number('time'),
    pv: pvAt < 0 ? [] : words.slice(pvAt + 1),
  };
}

/** Returns the bestmove line for a search with this principal variation. */
export const bestMoveLine = ([move = '(none)', ponder]: readonly string[]): string =>
  `bestmove ${move}${ponder === undefined ? '' : ` ponder ${ponder}`}`;

/** Returns the moves of a bestmove line. */
export function parseBestMove(line: string): { bestMove: string | null; ponder: string | null } {
  const [, bestMove, , ponder = null] = line.split(' ');
  return { bestMove: bestMove === '(none)' ? null : bestMove, ponder };
}

const ROW = /^(\w+) +(-?\d+) +(-?\d+) +(-?\d+)$/;

/** Parses the answer to `eval`. */
export function parseEvaluation(lines: readonly string[]): Evaluation {
  const rows = lines.flatMap((line): TermScore[] => {
    const found = ROW.exec(line);
    if (found === null) return [];
    const [, name, mg, eg, tapered] = found;
    return [{ name, mg: Number(mg), eg: Number(eg), tapered: Number(tapered) }];
  });
  const numberAfter = (start: string): number =>
    Number.parseInt(lines.find((line) => line.startsWith(start))?.slice(start.length) ?? '', 10);
  return {
    score: numberAfter('Evaluation: '),
    phase: numberAfter('Phase: '),
    terms: rows.filter(({ name }) => name !== 'Total'),
  };
}

/** Matches the engine's answer to a refused option or position. */
export const REFUSAL = /^info string (?!weights loaded|warning: )/;

/** Returns the engine's error message, or null. */
export const complaintOf = (lines: readonly string[]): string | null =>
  lines.find((line) => REFUSAL.test(line))?.replace(/^info string (error: )?/, '') ?? null;
