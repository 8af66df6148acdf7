// An explanation as sentences: the line with its score, and the most important ideas in its last position.

import type { Explanation, Reason, Score } from './explanation.js';
import { sideName } from './ideas.js';

/** Maximum number of ideas named, and the minimum size of each in centipawns. */
const MOST = 5;
const LEAST = 8;
/** Maximum number of displayed moves after the first. */
const SHOWN = 8;
/** Minimum difference in centipawns between a score of 0 and the evaluation for the score to be reported as a draw. */
const LEAST_TO_DRAW = 20;

/** Minimum scores in centipawns, with the words for the better and the worse side. */
const STANDINGS: readonly (readonly [number, string, string])[] = [
  [400, 'is winning', 'is losing'],
  [180, 'is much better', 'is much worse'],
  [80, 'is clearly better', 'is clearly worse'],
  [30, 'is slightly better', 'is slightly worse'],
];

/** Returns centipawns as pawns, such as +0.34. */
export const inPawns = (cp: number): string => `${cp < 0 ? '−' : cp > 0 ? '+' : ''}${(Math.abs(cp) / 100).toFixed(2)}`;

/** Returns a score for the side to move as text: `+0.34` or `mate in 3`. */
export function describeScore(score: Score): string {
  if (!('mate' in score)) return inPawns(score.cp);
  if (score.mate === 0) return 'checkmate';
  return score.mate > 0 ? `mate in ${score.mate}` : `mated in ${-score.mate}`;
}

const ENDS = {
  checkmate: 'checkmate',
  stalemate: 'a draw by stalemate',
  repetition: 'a draw by repetition',
  fifty: 'a draw by the fifty-move rule',
  material: 'a draw, since neither side can mate',
} as const;

/** Returns the sentences of an explanation for `side`; `isRepeated` means that the line ends in a repetition scored as a draw. */
export function sentencesOf(facts: Omit<Explanation, 'sentences'>, side: Color, isRepeated: boolean): string[] {
  const { score, reasons, search, san, end } = facts;
  const us = sideName(side);
  const them = sideName(side ^ 1);
  const [first, ...rest] = san;
  if (first === undefined) return ['There is no move to explain.'];
  const shown = rest.slice(0, SHOWN).join(' ');
  const line = shown === '' ? '' : ` The line continues ${shown}${rest.length > SHOWN ? ' …' : '.'}`;
  if ('mate' in score) {
    if (score.mate === 1) return [`${first} is mate.`];
    if (score.mate > 0) return [`${first} mates in ${score.mate} moves, whatever ${them} plays.${line}`];
    if (score.mate === -1) return [`After ${first} ${them} mates at once${rest.length === 1 ? `: ${shown}` : ''}.`];
    return [`After ${first} ${them} mates in at most ${-score.mate} moves.${line}`];
  }
  if (end !== null) return [`After ${first} the game ends in ${ENDS[end]}.${line}`];
  if (isRepeated)
    return [`After ${first} the line repeats a position, which is a draw.${line}`, ...adds(search, score.cp)];
  const opening = `After ${first} ${standing(score.cp, us)} (${inPawns(score.cp)}).${line}`;
  const known = reasons.find(({ idea, cp }) => idea === 'known' && Math.abs(cp) >= LEAST);
  // Endgame knowledge replaces all other reasons
  const reason = known === undefined ? named(reasons) : [sentence(known.text)];
  return [opening, ...reason, ...adds(search, score.cp)];
}

function standing(cp: number, us: string): string {
  const [, better, worse] = STANDINGS.find(([least]) => Math.abs(cp) >= least) ?? [];
  if (better === undefined) return 'the position is about equal';
  return `${us} ${cp > 0 ? better : worse}`;
}

function named(reasons: readonly Reason[]): string[] {
  return reasons
    .filter(({ cp, text }) => Math.abs(cp) >= LEAST && text !== '')
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MOST)
    .map(({ cp, text }) => sentence(`${text} (${inPawns(cp)})`));
}

const sentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}.`;

// `move` is sorted last, because every position has a side to move
const weightOf = ({ idea, cp }: Reason): number => (idea === 'move' ? 0 : Math.abs(cp));

function adds(search: number, score: number): string[] {
  if (Math.abs(search) < LEAST) return [];
  if (score === 0 && Math.abs(search) >= LEAST_TO_DRAW)
    return [`The search finds a draw all the same (${inPawns(search)}).`];
  return [`Beyond this line, the search expects a ${search > 0 ? 'gain' : 'loss'} (${inPawns(search)}).`];
}
