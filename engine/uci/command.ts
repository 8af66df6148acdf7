// The command of a line of input. UCI asks an engine to skip words it does not know: `joho debug on` is `debug on`.

const COMMANDS = [
  'uci',
  'debug',
  'isready',
  'setoption',
  'register',
  'ucinewgame',
  'position',
  'go',
  'stop',
  'ponderhit',
  'quit',
];
/** Commands beyond the protocol: understood as first words only, so that chatter does not start them. */
const EXTRAS = ['d', 'eval', 'flip', 'bench'];

/** Returns the line from its command on, trimmed; empty when it has none. */
export function skipUnknown(line: string): string {
  const text = line.trim();
  const first = text.split(/\s/, 1)[0].toLowerCase();
  if (COMMANDS.includes(first) || EXTRAS.includes(first)) return text;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (COMMANDS.includes(word.toLowerCase())) return text.slice(index);
  }
  return '';
}
