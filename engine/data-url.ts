// Files given as their text, where there are none: in a browser, or inside a program that is a single file.

const PREFIX = 'data:,';

/** Returns a data URL with the text. */
export const dataUrl = (text: string): string => PREFIX + encodeURIComponent(text);

/** Returns the text of such a name, or null when it is another name. */
export const readDataUrl = (name: string): string | null =>
  name.startsWith(PREFIX) ? decodeURIComponent(name.slice(PREFIX.length)) : null;

/** Returns the name as messages show it. */
export const shownName = (name: string): string => (name.startsWith(PREFIX) ? 'data' : name);
