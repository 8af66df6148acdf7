// The static evaluation of the current position as an exact sum: each idea's share in whole centipawns, with its terms.

import { state } from '../board/position.js';
import { BLACK, WHITE } from '../board/types.js';
import { endgameValue } from '../eval/endgame/endgame.js';
import { evaluate, gamePhase, type RawScore, traceEvaluate } from '../eval/kernel.js';
import { dangerValue, MAX_PHASE, scaledEndgame, taper } from '../eval/score.js';
import { TERMS, type Term, WEIGHT_COUNT } from '../eval/terms.js';
import { currentWeights } from '../eval/weights-in-use.js';
import { traceCounts, whiteCounts } from '../eval/workspace.js';
import { IDEAS, type Idea, ideaOf } from './ideas.js';

/** A cell that counts for a side: its count, and its unrounded value in centipawns or, for danger terms, in units of danger. */
export interface Detail {
  term: Term;
  cell: number;
  side: Color;
  count: number;
  value: number;
}

/** An idea's share: White's minus Black's in whole centipawns, and each side's part. */
export interface Share {
  idea: Idea;
  white: number;
  black: number;
  net: number;
  details: readonly Detail[];
}

/** An idea's cells, and the unrounded part of each side by colour. */
interface Part {
  own: [white: number, black: number];
  details: Detail[];
}

/** The parts of the ideas so far, and their total before tapering, from White's side. */
class Sums {
  readonly total: RawScore = { mg: 0, eg: 0 };
  readonly parts = new Map<Idea, Part>();

  constructor(readonly phase: number) {}

  /** Returns the tapered score, unrounded. */
  blend({ mg, eg }: RawScore): number {
    return (mg * this.phase + eg * (MAX_PHASE - this.phase)) / MAX_PHASE;
  }

  partOf(idea: Idea): Part {
    const part = this.parts.get(idea) ?? { own: [0, 0], details: [] };
    this.parts.set(idea, part);
    return part;
  }

  add(idea: Idea, side: Color, sum: RawScore): void {
    const sign = side === WHITE ? 1 : -1;
    this.total.mg += sign * sum.mg;
    this.total.eg += sign * sum.eg;
    this.partOf(idea).own[side] += this.blend(sum);
  }
}

// A side's counts in the parts of the trace (eval/workspace.ts): its terms, the danger of its attack, and the endgame scale if the side is
// ahead

const countOf = (side: Color, index: number): number =>
  side === WHITE ? whiteCounts[index] : whiteCounts[index] - traceCounts[index];
/** Returns a side's traced count of the danger term at a weight index. */
export const dangerCount = (side: Color, index: number): number => traceCounts[(1 + side) * WEIGHT_COUNT + index];
const scaleCount = (side: Color, index: number): number => traceCounts[(3 + side) * WEIGHT_COUNT + index];

/** Returns the shares of the position's static evaluation, and their sum: the evaluation in centipawns from White's side. */
export function findShares(): { shares: readonly Share[]; total: number } {
  const white = state.stm === WHITE ? evaluate() : -evaluate();
  const tapered = traceEvaluate();
  const sums = new Sums(gamePhase());
  addTerms(sums, WHITE);
  addTerms(sums, BLACK);
  scaleEndgame(sums);
  const { total, parts, phase } = sums;
  const sum = taper(total.mg, total.eg, phase);
  if (sum !== tapered) throw new Error(`the terms add up to ${sum}, not to ${tapered}`);
  const shares = rounded(parts, tapered);
  // Endgame knowledge or the evaluation limit may replace the sum
  const known = white - tapered;
  if (endgameValue(tapered) !== tapered || known !== 0)
    shares.push({ idea: 'known', white: known, black: 0, net: known, details: [] });
  return { shares, total: white };
}

/** Adds a side's terms, and the value of the danger that its attack creates. */
function addTerms(sums: Sums, side: Color): void {
  const { mg, eg } = currentWeights();
  const danger: RawScore = { mg: 0, eg: 0 };
  for (const term of TERMS) {
    if (term.act === 'factor') continue;
    for (let cell = 0; cell < term.size; cell++) {
      const index = term.offset + cell;
      const count = term.act === 'danger' ? dangerCount(side, index) : countOf(side, index);
      if (count === 0) continue;
      const sum = { mg: count * mg[index], eg: count * eg[index] };
      const idea = ideaOf(term, cell);
      if (term.act === 'sum') sums.add(idea, side, sum);
      else {
        danger.mg += sum.mg;
        danger.eg += sum.eg;
      }
      sums.partOf(idea).details.push({ term, cell, side, count, value: sums.blend(sum) });
    }
  }
  sums.add('kingAttack', side, { mg: dangerValue(danger.mg), eg: dangerValue(danger.eg) });
}

/** Scales the endgame total; the change is the share of the winning chances. */
function scaleEndgame(sums: Sums): void {
  const { total } = sums;
  const { eg } = currentWeights();
  const leader = total.eg < 0 ? BLACK : WHITE;
  let scale = 0;
  for (const { act, offset, size } of TERMS) {
    if (act !== 'factor') continue;
    for (let index = offset; index < offset + size; index++) scale += scaleCount(leader, index) * eg[index];
  }
  const scaled = scaledEndgame(total.eg, scale);
  const change = sums.blend({ mg: 0, eg: scaled - total.eg });
  sums.partOf('winnable').own = leader === WHITE ? [change, 0] : [0, -change];
  total.eg = scaled;
}

// Rounds the shares to integers with the same total (largest remainder method)
function rounded(parts: ReadonlyMap<Idea, Part>, total: number): Share[] {
  const exact = (Object.keys(IDEAS) as Idea[]).flatMap((idea) => {
    const part = parts.get(idea);
    if (part === undefined) return [];
    const [white, black] = part.own;
    return [{ idea, white, net: white - black, down: Math.floor(white - black), details: part.details }];
  });
  const missing = total - exact.reduce((sum, { down }) => sum + down, 0);
  const raised = exact
    .toSorted((a, b) => b.net - b.down - (a.net - a.down))
    .slice(0, Math.max(0, missing))
    .map(({ idea }) => idea);
  return exact.map(({ idea, white, down, details }) => {
    const net = down + (raised.includes(idea) ? 1 : 0);
    const whole = Math.round(white);
    return { idea, white: whole, black: whole - net, net, details };
  });
}
