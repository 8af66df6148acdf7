// A line reader for a stream of chunks, which scans each chunk once even if a line is long, and output in batches of lines.

/** Maximum length of a line in characters. No game needs a longer line. */
const MAX_LENGTH = 1 << 24;

/** Accepts chunks of a stream. */
export interface LineReader {
  read: (chunk: string) => void;
  /** Passes on the text after the last line break. */
  end: () => void;
}

/** Returns a reader that passes on whole lines. For a line that is too long, it calls `onTooLong` with the limit instead. */
export function createLineReader(onLine: (line: string) => void, onTooLong: (maximum: number) => void): LineReader {
  let parts: string[] = [];
  let length = 0;

  const add = (part: string): void => {
    length += part.length;
    if (length <= MAX_LENGTH) parts.push(part);
    else parts = [];
  };
  const finish = (): void => {
    if (length > MAX_LENGTH) onTooLong(MAX_LENGTH);
    else onLine(parts.join(''));
    parts = [];
    length = 0;
  };

  return {
    read(chunk) {
      const [first, ...others] = chunk.split('\n');
      add(first);
      for (const line of others) {
        finish();
        add(line);
      }
    },
    end() {
      if (length > 0) finish();
    },
  };
}

/** Output lines in order; null marks the end of an executed input line. */
export type Batch = (string | null)[];

/** A search thread, in Node or in a browser. */
export interface Thread {
  post: (message: unknown) => void;
  listen: (onBatch: (batch: Batch) => void, onError: (error: Error) => void) => void;
  terminate: () => void;
}

interface WorkerEvent {
  data: unknown;
  message?: string;
  preventDefault: () => void;
}

/** The part of the browser's Worker interface that is used here. */
export interface ScriptWorker {
  postMessage: (message: unknown) => void;
  addEventListener: (type: string, listener: (event: WorkerEvent) => void) => void;
  terminate: () => void;
}

export interface Output {
  write: (line: string) => void;
  /** Marks the end of an input line. Earlier output is sent at once; the mark alone can wait. */
  finish: () => void;
  /** Sends the lines written so far. */
  flush: () => void;
}

/** Returns an empty output; `later` calls back when the thread is idle. */
export function createOutput(post: (batch: Batch) => void, later: (work: () => void) => void): Output {
  let batch: Batch = [];
  const flush = (): void => {
    if (batch.length === 0) return;
    post(batch);
    batch = [];
  };
  return {
    write: (line) => {
      batch.push(line);
    },
    finish: () => {
      const isNews = batch.some((line) => line !== null);
      batch.push(null);
      if (isNews) flush();
      else later(flush);
    },
    flush,
  };
}
