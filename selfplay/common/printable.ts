// Text that comes from outside (names that engines give themselves, lines of files that hold something else) before it is shown.

/** Returns the text on one line, control characters as `?`: they would steer the terminal, or break a PGN. */
export function printable(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
