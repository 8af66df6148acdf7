// Turns Ctrl-C and termination signals into one AbortSignal.

import { UserError } from './errors.js';

let current: AbortSignal | undefined;

/** Returns the signal that Ctrl-C and its like abort; the second one ends the process. */
export function interruptSignal(): AbortSignal {
  const interrupt = new AbortController();
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(code);
      process.exitCode = code;
      interrupt.abort();
    });
  }
  current = interrupt.signal;
  return current;
}

/** Throws a UserError after an interrupt; for long work at the start of a command, with nothing to save. */
export function throwIfInterrupted(doing: string): void {
  if (current?.aborted === true) throw new UserError(`interrupted while ${doing}`, Number(process.exitCode ?? 130));
}
