// Lines on their way from the search thread to the GUI, several to a message: in fast games a message a line would take longer than
// the search.

/** Lines in their order; null where the thread has carried out a line of input. */
export type Batch = (string | null)[];

export interface Output {
  /** Takes a line. */
  write: (line: string) => void;
  /** Notes the end of a line of input; what was written is sent, an end alone can wait. */
  finish: () => void;
  /** Sends what there is. */
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
