// Parses tag pairs, `[Name "value"]`, anywhere in a line. Accepts common deviations: no blank before the value, unusual or missing quotes,
// escaped or plain quotes inside the value, or a missing end.

/** A game's tags by name, with the standard spelling of PGN's names. */
export type Tags = Map<string, string>;

export interface Tag {
  name: string;
  value: string;
  /** Index after the tag. */
  end: number;
  /** Whether the value continues on the next line. */
  isOpen: boolean;
}

const NAMES = new Map<string, string>();
const KNOWN = `Event Site Date Round White Black Result SetUp FEN Variant Termination TimeControl PlyCount WhiteElo BlackElo
  WhiteTitle BlackTitle ECO Opening Variation Annotator EventDate UTCDate UTCTime Time Mode GameId`;
for (const name of KNOWN.split(/\s+/)) NAMES.set(name.toLowerCase(), name);

/** The tags of every game (seven-tag roster). */
const ROSTER = new Set(['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result']);

/** Returns whether the tag belongs to the seven-tag roster. */
export const isRoster = (name: string): boolean => ROSTER.has(name);

const MAX_UNQUOTED = 255;
const NAME = /\[\s*([^\s"'\u2018-\u201f[\](){};]{1,255})\s*/y;
/** A quote that ends a value, and the bracket after it. */
const END = /["\u201c-\u201f]\s*\]/g;
const SINGLE_END = /['\u2018-\u201b]\s*\]/g;
const ESCAPED = /\\(["\\])/g;

/** Parses the tag at the index of the line; returns null if there is none. */
export function parseTag(line: string, at: number): Tag | null {
  NAME.lastIndex = at;
  const found = NAME.exec(line);
  if (found === null || found[1].startsWith('%')) return null;
  const name = NAMES.get(found[1].toLowerCase()) ?? found[1];
  const start = NAME.lastIndex;
  const quote = line[start];
  if (quote === undefined) return null;
  if (/["\u201c-\u201f]/.test(quote)) return quoted(line, name, start + 1, END);
  if (/['\u2018-\u201b]/.test(quote)) return quoted(line, name, start + 1, SINGLE_END);
  const end = start + line.slice(start, start + MAX_UNQUOTED).indexOf(']');
  // Values without quotes are accepted only for known tag names
  if (end < start || !NAMES.has(found[1].toLowerCase())) return null;
  return { name, value: line.slice(start, end).trim(), end: end + 1, isOpen: false };
}

function quoted(line: string, name: string, start: number, pattern: RegExp): Tag {
  const end = endOfValue(line, start, pattern);
  if (end !== null) {
    return { name, value: unescaped(line.slice(start, end[0])), end: end[1], isOpen: false };
  }
  const rest = line.slice(start);
  // A bracket or a quote may be missing at the end of the line
  const value = /^(.*?)["\u201c-\u201f]\s*$/.exec(rest)?.[1] ?? /^([^"]*)\]\s*$/.exec(rest)?.[1];
  return { name, value: unescaped(value ?? rest), end: line.length, isOpen: value === undefined };
}

// An escaped quote ends the value only if no other does
function endOfValue(line: string, start: number, pattern: RegExp): [value: number, tag: number] | null {
  let last: [number, number] | null = null;
  pattern.lastIndex = start;
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    last = [match.index, pattern.lastIndex];
    if (!isEscaped(line, match.index)) return last;
  }
  return last;
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0;
  while (line[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

const unescaped = (value: string): string => value.replace(ESCAPED, '$1');

/** Returns the tag with a further line of its value; `end` is then an index of that line. */
export function continuedTag(tag: Tag, line: string): Tag {
  const end = endOfValue(line, 0, END);
  const part = end === null ? line : line.slice(0, end[0]);
  const value = `${tag.value} ${unescaped(part.trim())}`.trim();
  return { ...tag, value, end: end === null ? line.length : end[1], isOpen: end === null };
}
