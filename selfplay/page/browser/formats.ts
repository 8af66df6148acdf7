// Numbers as the page writes them: a true minus sign, thousands set apart by a narrow space.

/** Returns the number with so many digits behind the point. */
export function fixed(value: number, digits: number): string {
  return value.toFixed(digits).replace('-', '\u2212');
}

/** Returns the number with its sign, a plus sign too. */
export function signed(value: number, digits = 1): string {
  return `${value > 0 ? '+' : ''}${fixed(value, digits)}`;
}

/** Returns a share of 1 as a percentage. */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** Returns the number rounded, in groups of three digits. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en').replaceAll(',', '\u202f');
}

/** Returns hours as hours and minutes, nothing if they are not finite. */
export function duration(hours: number): string {
  if (!Number.isFinite(hours)) return '';
  const minutes = Math.max(1, Math.round(60 * hours));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns what a clock shows: minutes and seconds, tenths when it is running out. */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** Returns centipawns in pawns, or the moves to a mate; nothing where there is no score. */
export function scoreText(score: number | null): string {
  if (score === null) return '';
  if (Math.abs(score) > 31000) return `${score > 0 ? '+' : '-'}M${Math.ceil((32000 - Math.abs(score)) / 2)}`;
  return signed(score / 100, 2);
}

/** Returns a game's result with its halves as fractions. */
export function resultText(result: string): string {
  return result.replaceAll('1/2', '½');
}
