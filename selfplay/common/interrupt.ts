// Turns Ctrl-C and termination signals into one AbortSignal.

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
  return interrupt.signal;
}
