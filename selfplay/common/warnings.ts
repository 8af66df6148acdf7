// Warnings of a long run: an engine that fails in every game is told of once, then at ten, a hundred, … times.

/** What differs between warnings that are alike: which game, and how late. */
const PARTICULARS = /\bgame \d+|\b\d+ ?ms\b/g;

/** Returns what passes on the first of warnings that are alike, and later ones with their number ever more rarely. */
export function foldAlike(write: (message: string) => void): (message: string) => void {
  const counts = new Map<string, number>();
  return (message) => {
    const kind = message.replace(PARTICULARS, '');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count === 1) write(message);
    else if (Number.isInteger(Math.log10(count))) write(`${message} (${count} alike so far)`);
  };
}
