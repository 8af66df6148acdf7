// Lines on their way from the search thread to the GUI, several to a message: in fast games a message a line would take longer than
// the search.

/** Lines in their order; null where the thread has carried out a line of input. */
export type Parcel = (string | null)[];

export interface Outbox {
  /** Takes a line. */
  write: (line: string) => void;
  /** Notes the end of a line of input; what was written is sent, an end alone can wait. */
  finish: () => void;
  /** Sends what there is. */
  flush: () => void;
}

/** Returns an empty outbox; `later` calls back when the thread has nothing else to do. */
export function createOutbox(post: (parcel: Parcel) => void, later: (work: () => void) => void): Outbox {
  let parcel: Parcel = [];
  const flush = (): void => {
    if (parcel.length === 0) return;
    post(parcel);
    parcel = [];
  };
  return {
    write: (line) => {
      parcel.push(line);
    },
    finish: () => {
      const isNews = parcel.some((line) => line !== null);
      parcel.push(null);
      if (isNews) flush();
      else later(flush);
    },
    flush,
  };
}
