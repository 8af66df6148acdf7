// UserError: a mistake of the user, which a command prints as one line.

/** A mistake of the user's: its message is the one line that is printed, naming the file, line or option. */
export class UserError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
