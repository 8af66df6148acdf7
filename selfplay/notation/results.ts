// Results as people and programs write them: 1-0, 0–1, 1:0, ½-½, 1/2, with blanks, in brackets or quotes.

import { halfPointsOf, type ResultText } from '../common/game-result.js';

/** A game's result, `*` while it is not known. */
export type PgnResult = ResultText | '*';

const HYPHEN = '[-–‑‐−—:]';
const FORMS = String.raw`1\s*${HYPHEN}\s*0|0\s*${HYPHEN}\s*1|1\/2\s*${HYPHEN}\s*1\/2|½\s*${HYPHEN}\s*½|0[.,]5\s*${HYPHEN}\s*0[.,]5|1\/2|½|\*`;
const TOKEN = new RegExp(String.raw`(?:${FORMS})(?=$|[\s{}();,\[\]])`, 'y');
const WHOLE = new RegExp(String.raw`^\s*(?:${FORMS})\s*$`);

/** Returns where the result that begins at the place ends, or -1 if none begins there. */
export function endOfResult(text: string, at: number): number {
  TOKEN.lastIndex = at;
  return TOKEN.test(text) ? TOKEN.lastIndex : -1;
}

/** Returns the result that the text is, or null. */
export function parseResult(text: string): PgnResult | null {
  if (!WHOLE.test(text)) return null;
  const bare = text.trim();
  if (bare === '*') return '*';
  if (bare.startsWith('1/') || bare.startsWith('½') || /^0[.,]/.test(bare)) return '1/2-1/2';
  return bare.startsWith('1') ? '1-0' : '0-1';
}

/** Returns White's half points, undefined for `*`. */
export const pointsOf = (result: PgnResult): 0 | 1 | 2 | undefined => halfPointsOf(result);
