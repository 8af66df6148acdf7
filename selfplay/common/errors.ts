// UserError: a mistake of the user, which a command prints as one line; printable(): text from outside on one line.

/** A mistake of the user's: its message is the one line that is printed, naming the file, line or option. */
export class UserError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the text on one line, control characters as `?`: they would steer the terminal, or break a PGN. */
export function printable(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
