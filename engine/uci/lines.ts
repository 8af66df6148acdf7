// Lines of a stream that comes in chunks: each chunk is looked at once, however long a line grows.

/** Characters of a line: far more than any game has, and little memory. */
const MAX_LENGTH = 1 << 24;

/** Takes chunks of a stream. */
export interface LineReader {
  read: (chunk: string) => void;
  /** Hands out what came after the last line break. */
  end: () => void;
}

/** Returns a reader of whole lines, which replaces a line that is too long by a message with the limit. */
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

/** Lines in their order; null where the thread has carried out a line of input. */
export type Batch = (string | null)[];

export interface Output {
  /** Takes a line. */
  write: (line: string) => void;
  /** Marks the end of a line of input. Lines written before it are sent at once; the mark alone can wait. */
  finish: () => void;
  /** Sends the lines written so far. */
  flush: () => void;
}

/** Returns an empty output; `later` calls back when the thread has nothing else to do. */
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
