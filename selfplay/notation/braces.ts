// Repairs games in which a match runner has copied an engine's output, including braces, into a comment. A closing brace ends a comment
// only if the text after it can follow a comment.

/** Text that may follow a comment. */
const AFTER_COMMENT =
  /\s*(?:$|[({$;)*]|\d+\.|1-0|0-1|1\/2-1\/2|(?:[KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](?:=?[qrbnQRBN])?|[O0]-[O0](?:-[O0])?)[+#!?]*(?:\s|\{|$))/y;

/** Returns the movetext with braces inside comments replaced by parentheses, or null if none of them is a closing brace. */
export function mendBraces(text: string): string | null {
  const ends = endsBehind(text);
  let mended = '';
  let at = 0;
  let isMended = false;
  while (at < text.length) {
    const start = openBrace(text, at);
    if (start < 0) break;
    const end = ends(start + 1);
    if (end < 0) break;
    const comment = text.slice(start + 1, end);
    const inner = comment.replace(/[{}]/g, (brace) => (brace === '{' ? '(' : ')'));
    isMended ||= comment.includes('}');
    mended += `${text.slice(at, start)}{${inner}}`;
    at = end + 1;
  }
  return isMended ? mended + text.slice(at) : null;
}

/** Returns a function that returns the end of the comment whose text starts at an index, or -1. Successive indices must increase. */
function endsBehind(text: string): (from: number) => number {
  let hasEnds = true;
  return (from) => {
    for (let at = text.indexOf('}', from); hasEnds && at >= 0; at = text.indexOf('}', at + 1)) {
      AFTER_COMMENT.lastIndex = at + 1;
      if (AFTER_COMMENT.test(text)) return at;
    }
    // Without a proper end, the next brace is used
    hasEnds = false;
    return text.indexOf('}', from);
  };
}

// Skips line comments and lines that begin with %
function openBrace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '{') return at;
    const isSkipped = character === ';' || (character === '%' && (at === 0 || text[at - 1] === '\n'));
    if (!isSkipped) continue;
    const end = text.indexOf('\n', at);
    if (end < 0) return -1;
    at = end;
  }
  return -1;
}
