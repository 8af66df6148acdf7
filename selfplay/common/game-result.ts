// The result of a game in three forms: White's score (0, ½, 1), half points (as in records) and text; and counts of wins, losses and
// draws.

/** White's score. */
export type GameResult = 0 | 0.5 | 1;

/** A score in half points: 0 a loss, 1 a draw, 2 a win. */
export type HalfPoints = 0 | 1 | 2;

export type ResultText = '0-1' | '1/2-1/2' | '1-0';

const TEXTS: readonly ResultText[] = ['0-1', '1/2-1/2', '1-0'];
const HALF_POINTS: Partial<Record<PgnResult, HalfPoints>> = { '0-1': 0, '1/2-1/2': 1, '1-0': 2 };

/** Returns the score in half points. */
export const halfPoints = (result: GameResult): HalfPoints => (2 * result) as HalfPoints;

/** Returns Black's score. */
export const opponentsResult = (result: GameResult): GameResult => (1 - result) as GameResult;

/** Returns `1-0`, `1/2-1/2` or `0-1`. */
export const resultText = (result: GameResult): ResultText => TEXTS[2 * result];

/** Returns the text of White's half points. */
export const resultTextOf = (points: HalfPoints): ResultText => TEXTS[points];

/** Returns White's half points, or undefined if the result is unknown. */
export const halfPointsOf = (result: PgnResult): HalfPoints | undefined => HALF_POINTS[result];

/** Games won, lost and drawn. */
export interface Counts {
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

export const NO_GAMES: Counts = { wins: 0, losses: 0, draws: 0 };

/** Returns the sum of two counts. */
export function addCounts(a: Counts, b: Counts): Counts {
  return { wins: a.wins + b.wins, losses: a.losses + b.losses, draws: a.draws + b.draws };
}

/** Returns the number of games. */
export const gamesOf = ({ wins, losses, draws }: Counts): number => wins + losses + draws;

/** Returns the points: one per win, half a point per draw. */
export const pointsOf = ({ wins, draws }: Counts): number => wins + draws / 2;

/** Returns the points per game, from 0 to 1; 0 without games. */
export const scoreOf = (counts: Counts): number => pointsOf(counts) / Math.max(1, gamesOf(counts));

/** Returns the counts plus one game with these half points. */
export function withGame(counts: Counts, points: HalfPoints): Counts {
  const { wins, losses, draws } = counts;
  if (points === 2) return { wins: wins + 1, losses, draws };
  return points === 1 ? { wins, losses, draws: draws + 1 } : { wins, losses: losses + 1, draws };
}

// Forms of results in text: 1-0, 0–1, 1:0, ½-½, 0.5-0.5, 1/2, with blanks or a final full stop

/** A game's result, or `*` if unknown. */
export type PgnResult = ResultText | '*';

const HYPHEN = '[-–‑‐−—:]';
const FORMS = String.raw`1\s*${HYPHEN}\s*0|0\s*${HYPHEN}\s*1|1\/2\s*${HYPHEN}\s*1\/2|½\s*${HYPHEN}\s*½|0[.,]5\s*${HYPHEN}\s*0[.,]5|1\/2|½|\*`;
const TOKEN = new RegExp(String.raw`(?:${FORMS})\.?(?=$|[\s{}();,\[\]])`, 'y');
const WHOLE = new RegExp(String.raw`^\s*(?:${FORMS})\.?\s*$`);
const GLUED = /(?:1-0|0-1|1\/2-1\/2|\*)$/;

/** Returns the end of the result that begins at the index, or -1 if there is none. */
export function endOfResult(text: string, at: number): number {
  TOKEN.lastIndex = at;
  return TOKEN.test(text) ? TOKEN.lastIndex : -1;
}

/** Returns the start of a result attached to the end of a word (as in Qh4#0-1), or -1. */
export function gluedResult(word: string): number {
  // Fast path: most words end in a square
  return /[-/*]/.test(word.slice(-2)) ? word.search(GLUED) : -1;
}

/** Parses the text as a result; returns null for other text. */
export function parseResult(text: string): PgnResult | null {
  if (!WHOLE.test(text)) return null;
  const bare = text.trim();
  if (bare.startsWith('*')) return '*';
  if (bare.startsWith('1/') || bare.startsWith('½') || /^0[.,]/.test(bare)) return '1/2-1/2';
  return bare.startsWith('1') ? '1-0' : '0-1';
}
