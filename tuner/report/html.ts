// Text as HTML shows it.

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns the text with the characters that HTML gives a meaning written as entities. */
export const entities = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);
