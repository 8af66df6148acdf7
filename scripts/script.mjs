// Common parts of the scripts that make files: --help, --version, and errors of one line.

import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Runs a script with the words of its command line; `usage` begins with the line that shows how it is called. */
export async function runScript(name, usage, main) {
  const words = process.argv.slice(2);
  if (words.includes('--help')) return console.log(`usage: ${usage}`);
  if (words.includes('--version')) return console.log(version);
  try {
    const option = words.find((word) => word.startsWith('-'));
    if (option !== undefined) throw new Error(`unknown option ${option}; usage: ${usage.split('\n')[0]}`);
    await main(...words);
  } catch (error) {
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
