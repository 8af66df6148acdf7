// Optional fields of a PGN move comment besides score, depth and time, in fastchess's format: `n=12345, sd=18, tl=7.912s, pv="e2e4 …"`.

import { UserError } from '../common/errors.js';
import type { SearchAnswer } from '../engines/uci-engine.js';
import { numberAfter } from '../engines/uci-info.js';

/** Formatter of each note, from an engine's answer and the milliseconds left on its clock. It returns undefined without a value. */
const NOTES = {
  nodes: ({ fields }: SearchAnswer) => field('n', fields, 'nodes'),
  seldepth: ({ fields }: SearchAnswer) => field('sd', fields, 'seldepth'),
  nps: ({ fields }: SearchAnswer) => field('nps', fields, 'nps'),
  hashfull: ({ fields }: SearchAnswer) => field('hashfull', fields, 'hashfull'),
  tbhits: ({ fields }: SearchAnswer) => field('tbhits', fields, 'tbhits'),
  timeleft: (_: SearchAnswer, left: number | null) => (left === null ? undefined : `tl=${(left / 1000).toFixed(3)}s`),
  pv: ({ line }: SearchAnswer) => (line === '' ? undefined : `pv="${line.replace(/[^\w\s]/g, '')}"`),
};

export type MoveNote = keyof typeof NOTES;

const NAMES = Object.keys(NOTES) as MoveNote[];

function field(label: string, fields: string, word: string): string | undefined {
  const value = numberAfter(fields, ` ${word} `);
  return Number.isNaN(value) ? undefined : `${label}=${value}`;
}

/** Parses names of notes, separated by spaces or commas; `all` selects every note. Throws a UserError for an unknown name. */
export function parseMoveNotes(text: string): readonly MoveNote[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = words.find((word) => word !== 'all' && !Object.hasOwn(NOTES, word));
  if (unknown !== undefined) throw new UserError(`--pgn-notes takes ${NAMES.join(', ')} or all, not '${unknown}'`, 2);
  return words.includes('all') ? NAMES : NAMES.filter((name) => words.includes(name));
}

/** Returns the notes on a move, joined by commas. */
export function formatMoveNotes(wanted: readonly MoveNote[], answer: SearchAnswer, left: number | null): string {
  return wanted
    .map((name) => NOTES[name](answer, left))
    .filter((note) => note !== undefined)
    .join(', ');
}
