// Suggestions for misspelt names, by edit distance with transpositions, and data URLs, which pass the text of a file as its name.

/** Returns the edit distance between two words. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) rows[0][j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1));
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchange) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

/** Maximum length of a word that gets a suggestion. */
const LONGEST = 40;
/** Minimum length of a word that counts as one change away from any name that contains it. */
const SHORTEST_PART = 4;
/** Letters in the word for each accepted change. */
const LETTERS_PER_CHANGE = 3;

/** Returns `; did you mean NAME?` with the nearest of the names, or '' if none is near. */
export function didYouMean(word: string, names: Iterable<string>): string {
  const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '');
  const wanted = plain(word);
  if (wanted === '' || wanted.length > LONGEST) return '';
  let best = { name: '', changes: Number.POSITIVE_INFINITY };
  for (const name of names) {
    const isPart = wanted.length >= SHORTEST_PART && plain(name).includes(wanted);
    const changes = isPart ? 1 : distance(wanted, plain(name));
    if (changes < best.changes) best = { name, changes };
  }
  return best.changes <= Math.max(1, Math.floor(wanted.length / LETTERS_PER_CHANGE))
    ? `; did you mean ${best.name}?`
    : '';
}

// File names with embedded text, for browsers and single-file programs

const PREFIX = 'data:,';

/** Returns a data URL with the text. Lone surrogates, which encodeURIComponent rejects, become replacement characters. */
export const dataUrl = (text: string): string => PREFIX + encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));

/** Returns the text in a data URL, or null for other names. */
export const readDataUrl = (name: string): string | null =>
  name.startsWith(PREFIX) ? decodeURIComponent(name.slice(PREFIX.length)) : null;

/** Returns the name to show in messages. */
export const shownName = (name: string): string => (name.startsWith(PREFIX) ? 'data' : name);
