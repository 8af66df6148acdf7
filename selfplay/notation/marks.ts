// Annotations written directly after a move or as separate words between moves. Judgements and evaluations become NAGs ($1 …). Other marks
// are ignored, for example those for check and mate, which follow from the board.

/** Numeric annotation glyphs of PGN, each with its marks. */
const NAGS = `1 !, 2 ?, 3 !! ‼, 4 ?? ⁇, 5 !? ⁉, 6 ?! ⁈, 7 □, 10 =, 13 ∞, 14 ⩲ +/= +=, 15 ⩱ =/+ =+, 16 ± +/- +/−, 17 ∓ -/+ −/+,
  18 +- +− +–, 19 -+ −+ –+, 26 ○, 36 ↑, 40 →, 132 ⇆, 138 ⊕, 140 ∆ Δ, 142 ⌓, 146 N TN, 220 D`;

const GLYPHS = new Map<string, number>();
for (const [number, ...marks] of NAGS.split(/,\s+/).map((row) => row.split(' ')))
  for (const mark of marks) GLYPHS.set(mark, Number(number));

/** Words that consist of signs only. All of them count as marks. */
const SIGN = /^[-+#!?=/~∞±∓⩲⩱□⊕⌓○◯↑→⇆⇄∆Δ⟳⨀−–—‼⁇⁉⁈×†‡.…,:|]+$/u;
const CHECKS =
  'ch ch. dbl dbl. dblch dbl.ch dbl.ch. db.ch db.ch. dis dis. disch dis.ch dis.ch. check mate mate. checkmate';
const WORDS = new Set(`${CHECKS} RR N TN D D? ep ep. e.p e.p.`.split(' '));

/** Words and signs at the end of a move: `mate`, `ch`, `e.p.`, `+`, `!?`, `±`. */
const TAIL = /(?:(?:dbl\.?|dis\.?|db\.?)?ch|mate|e\.?p|[-+#!?=/~∞±∓⩲⩱□⊕⌓○◯↑→⇆⇄∆Δ⟳⨀−–—‼⁇⁉⁈†‡.…,:])+$/u;

const ONLY_TAIL = new RegExp(`^${TAIL.source}`, 'u');

/** Returns whether a word is a mark. */
export const isMark = (word: string): boolean => WORDS.has(word) || SIGN.test(word) || ONLY_TAIL.test(word);

/** Returns the NAG of a mark, or null. */
export const glyphOf = (mark: string): number | null => GLYPHS.get(mark) ?? null;

/** Splits off the marks at the end of a word. */
export function splitTail(word: string): { move: string; tail: string } {
  const move = word.replace(TAIL, '');
  return { move, tail: word.slice(move.length) };
}

const MAX_NULL = 10;
const NULLS = new Set(['--', 'Z0', '0000', '@@@@', 'null', 'Null', 'NULL', 'pass', '<>', '——', '––', '−−']);

/** Returns whether a word is a null move. */
export function isNullMove(word: string): boolean {
  return NULLS.has(word) || (word.length < MAX_NULL && NULLS.has(word.replace(/[!?]+$/, '')));
}
