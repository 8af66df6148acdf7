// Common parts of build scripts: --help, --version, and one-line errors.

import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Runs a script with its command-line arguments; `usage` begins with the synopsis. */
export async function runScript(name, usage, main) {
  const words = process.argv.slice(2);
  if (words.includes('--help')) return console.log(`usage: ${usage}`);
  if (words.includes('--version')) return console.log(version);
  try {
    const option = words.find((word) => word.startsWith('-'));
    const message = `unknown option ${option}; usage: ${usage.split('\n')[0]}`;
    if (option !== undefined) throw Object.assign(new Error(message), { exitCode: 2 });
    await main(...words);
  } catch (error) {
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = error.exitCode ?? 1;
  }
}
