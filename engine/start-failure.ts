// Messages for processes and threads that cannot start. Node reserves about 10 GB of address space for each WebAssembly memory, so a limit
// (`ulimit -v`, or a limit of the hosting plan) may leave too little.

/** A scarce resource, and the remedy. */
interface Shortage {
  text: string;
  remedy: string;
}

const MEMORY: Shortage = {
  text: 'not enough memory or address space',
  remedy:
    'raise the limit (ulimit -v), use fewer threads, or set NODE_OPTIONS=--disable-wasm-trap-handler, which is slower',
};
const THREADS: Shortage = {
  text: 'the system cannot start more threads',
  remedy: 'raise the limit (ulimit -u), or use fewer threads',
};

function shortageOf(error: Error): Shortage | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_INIT_FAILED') return THREADS;
  const isMemory = /could not allocate memory|Cannot allocate Wasm memory/.test(error.message);
  return isMemory || code === 'ERR_WORKER_OUT_OF_MEMORY' ? MEMORY : null;
}

/** Reason reported for a thread that is not started for lack of memory. */
export const NO_MEMORY = MEMORY.text;

/** Returns the reason for a thread failure, on one line. */
export const failureReason = (error: Error): string => shortageOf(error)?.text ?? error.message.split('\n')[0];

/** Returns the message for an error caused by a shortage, otherwise null. */
export function shortageLine(error: Error): string | null {
  const shortage = shortageOf(error);
  return shortage === null ? null : `error: ${shortage.text}; ${shortage.remedy}`;
}

/** Ends the process: a shortage is reported on one line, other errors with their stack. */
export function exitOnFailure(error: Error): never {
  const text = shortageLine(error) ?? error.stack ?? error.message;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
