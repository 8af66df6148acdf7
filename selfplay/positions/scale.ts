// Results of labelled positions. Words have a fixed meaning. A column of numbers has one scale: 0 to 1, -1/0/1, 0/1/2 or 0/50/100.

import { halfPointsOf, parseResult } from '../common/game-result.js';

/** A scale of numbers; words are accepted with every scale. */
export type ScaleName = '0/0.5/1' | '-1/0/1' | '0/1/2' | '0/50/100';

export const SCALES: readonly ScaleName[] = ['0/0.5/1', '-1/0/1', '0/1/2', '0/50/100'];

const WORDS = new Map<string, number>();
for (const word of ['w', 'win', 'won', 'white', 'white wins', '+']) WORDS.set(word, 1);
for (const word of ['d', 'draw', 'drawn', '=', '½']) WORDS.set(word, 0.5);
for (const word of ['l', 'loss', 'lost', 'lose', 'b', 'black', 'black wins']) WORDS.set(word, 0);

/** Returns White's score, 0 to 1, for a word or a result, or null for other text. */
export function wordValue(text: string): number | null {
  const points = halfPointsOf(parseResult(text) ?? '*');
  return points === undefined ? (WORDS.get(text.trim().toLowerCase()) ?? null) : points / 2;
}

const NUMBER = /^\s*[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?\s*$/i;

/** Parses a number with a decimal point or comma; returns NaN for other text. */
export const numberOf = (text: string): number => (NUMBER.test(text) ? Number(text.replace(',', '.')) : Number.NaN);

/** A number as text, with its line. */
interface Seen {
  text: string;
  line: number;
}

type Kind = 'any' | 'fraction' | 'negative' | 'one' | 'two' | 'many';

/** Mutually exclusive kinds of numbers. */
const CONFLICTS: readonly [Kind, Kind][] = [
  ['many', 'fraction'],
  ['many', 'negative'],
  ['many', 'one'],
  ['many', 'two'],
  ['negative', 'fraction'],
  ['negative', 'two'],
  ['two', 'fraction'],
];

/** The scale of a column of results, determined by its numbers so far. */
export class Scale {
  /** The scale of the numbers; null until determined. */
  name: ScaleName | null;
  private readonly isFixed: boolean;
  private readonly seen: Partial<Record<Kind, Seen>> = {};

  constructor(name: ScaleName | null = null) {
    this.name = name;
    this.isFixed = name !== null;
  }

  /** Records a result. Returns two results that fit no common scale (the same one twice if it fits no scale), or null. */
  note(text: string, line: number): readonly [first: Seen, second: Seen] | null {
    if (this.isFixed || wordValue(text) !== null) return null;
    const number = numberOf(text);
    if (Number.isNaN(number)) return null;
    const here = { text: text.trim(), line };
    const kinds = kindsOf(number);
    const { seen, name } = this;
    if (!kinds.some((kind) => seen[kind] === undefined)) return null;
    for (const kind of kinds) seen[kind] ??= here;
    for (const [kind, conflicting] of CONFLICTS) {
      const [one, other] = [seen[kind], seen[conflicting]];
      if (one !== undefined && other !== undefined) return one.line <= other.line ? [one, other] : [other, one];
    }
    return name === null || name === this.fitting() ? null : [seen.any ?? here, here];
  }

  /** Determines the scale from the recorded results. */
  decide(): void {
    if (this.seen.any !== undefined) this.name ??= this.fitting();
  }

  private fitting(): ScaleName {
    const { seen } = this;
    if (seen.many !== undefined) return '0/50/100';
    if (seen.negative !== undefined) return '-1/0/1';
    return seen.two === undefined ? '0/0.5/1' : '0/1/2';
  }

  /** Returns the score from 0 to 1 of a result on this scale, or null if it is invalid. */
  value(text: string): number | null {
    const word = wordValue(text);
    if (word !== null) return word;
    const number = numberOf(text);
    const value = SHARES[this.name ?? '0/0.5/1'](number);
    return value >= 0 && value <= 1 ? value : null;
  }
}

const whole = (value: number): number => (Number.isInteger(2 * value) ? value : Number.NaN);
const SHARES: Record<ScaleName, (number: number) => number> = {
  '0/0.5/1': (number) => number,
  '-1/0/1': (number) => whole((number + 1) / 2),
  '0/1/2': (number) => whole(number / 2),
  '0/50/100': (number) => whole(number / 100),
};

function kindsOf(number: number): Kind[] {
  if (number === 50 || number === 100) return ['any', 'many'];
  if (number > 2 || number < -1) return [];
  // Two conflicting kinds, because the number fits no scale
  if (number > -1 && number < 0) return ['any', 'negative', 'fraction'];
  if (number === 2) return ['any', 'two'];
  if (number === 1) return ['any', 'one'];
  if (number === 0) return ['any'];
  if (number === -1) return ['any', 'negative'];
  return ['any', 'fraction'];
}
