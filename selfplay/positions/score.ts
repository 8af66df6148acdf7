// Scores of labelled positions as text: centipawns, with a decimal comma or separated thousands, or mates.

import { quoted } from '../text/problems.js';

/** As in game records: mate in one ply is one less. */
const MATE_SCORE = 32000;
const MAX_MATE = 500;

const MATE = /^([+-]?)(?:mate\s*|#|M)([+-]?)(\d+)$/i;
const PLAIN = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const GROUPED = /^[+-]?\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/;

/** Returns the centipawns, null for no text, or what is wrong with it. */
export function scoreOf(text: string): number | null | string {
  const bare = text.trim();
  if (bare === '' || /^(?:-|none|null|nan|n\/a)$/i.test(bare)) return null;
  const mate = MATE.exec(bare);
  if (mate !== null) {
    const size = MATE_SCORE - Math.min(MAX_MATE, Math.max(0, 2 * Number(mate[3]) - 1));
    return mate[1] === '-' || mate[2] === '-' ? -size : size;
  }
  const group = GROUPED.exec(bare)?.[1];
  if (group !== undefined) {
    // 1,234 may be a thousand or a little more than one
    const others = bare.split(group).length - 1;
    const hasBoth = bare.includes(group === ',' ? '.' : ',');
    if (group !== "'" && others === 1 && !hasBoth) {
      return group === ','
        ? `the score ${quoted(bare)} can be read in two ways; write it without ','`
        : Math.round(Number(bare));
    }
    return Math.round(Number(bare.replaceAll(group, '').replace(',', '.')));
  }
  if (!PLAIN.test(bare)) return `${quoted(bare)} is not a score in centipawns`;
  return Math.round(Number(bare.replace(',', '.'))) || 0;
}
