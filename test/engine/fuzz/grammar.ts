// The grammar of UCI output: the fields of a line in any order, with their types, and the moves last.

const MOVE = '[a-h][1-8][a-h][1-8][nbrq]?';
const NUMBERS = 'depth|seldepth|multipv|nodes|nps|hashfull|time|tbhits|cpuload|currmovenumber';
const SCORE = 'score (?:cp|mate) -?\\d+(?: lowerbound| upperbound)?(?: wdl \\d+ \\d+ \\d+)?';
const FIELD = `(?:(?:${NUMBERS}) \\d+|${SCORE}|currmove ${MOVE})`;

const LINES: readonly RegExp[] = [
  /^uciok$/,
  /^readyok$/,
  /^id (name|author) \S.*$/,
  /^option name \S.*? type (button|check default (true|false)|string default \S.*|spin default -?\d+ min -?\d+ max -?\d+|combo default \S.*)$/,
  new RegExp(`^bestmove (\\(none\\)|${MOVE}( ponder ${MOVE})?)$`),
  new RegExp(`^info ${FIELD}(?: ${FIELD})*(?: pv(?: ${MOVE})+)?$`),
  /^info string \S.*$/,
];

const PROTOCOL = /^(uciok|readyok|id|option|bestmove|info)\b/;

/** Returns the fault of an output line, or null; `isTalkative` allows the tables that d, eval, bench and perft print. */
export function fault(line: string, isTalkative: boolean): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
  if (/[\u0000-\u0008\u000a-\u001f\u007f\u2028\u2029]/.test(line)) return 'a control character';
  if (line.length > 8192) return 'a line of more than 8 KB';
  if (LINES.some((form) => form.test(line))) return null;
  if (isTalkative && !PROTOCOL.test(line)) return null;
  return 'not a line of the protocol';
}
