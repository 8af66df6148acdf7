// What every command line of Heft shares: strict options, one-line errors, atomic files, summaries for scripts.

import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sync as writeAtomically } from 'write-file-atomic';
import yargs, { type Argv } from 'yargs';
import { hideBin } from 'yargs/helpers';

/** A mistake of the user's: its message is the one line that is printed, naming the file, line or option. */
export class UserError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the yargs parser of a command: strict, with `--help`; a wrong option throws UserError with exit code 2. */
export function commandLine(name: string, usage: string): Argv {
  return yargs(hideBin(process.argv))
    .scriptName(`npm run ${name} --`)
    .usage(`$0 ${usage}`)
    .parserConfiguration({ 'camel-case-expansion': false })
    .strict()
    .help()
    .version(false)
    .wrap(Math.min(120, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      if (error instanceof UserError) throw error;
      const line = (message ?? error.message).replace(/\s*\n\s*/g, ' ');
      throw new UserError(`${line} (see npm run ${name} -- --help)`, 2);
    });
}

/** Runs a command's main function; a UserError ends the process with its one line and exit code. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}

/** Returns the value if it is a whole number within [min, max]; otherwise throws a UserError that names the option. */
export function wholeNumber(option: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new UserError(`--${option} takes a whole number ${range}, not ${value}`, 2);
}

/** Creates the folder and its parents; an unwritable place throws a UserError that names it. */
export function makeFolder(folder: string): void {
  try {
    makeMissing(resolve(folder));
  } catch (error) {
    throw new UserError(`cannot create the folder ${folder}: ${(error as Error).message}`);
  }
}

// One by one: Node's own recursive mode loops for ever below /proc and its like
function makeMissing(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  makeMissing(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been quicker
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Writes a file whole or not at all: to a temporary name beside it, synced, then renamed over it. */
export function writeFileAtomic(file: string, content: string | Uint8Array): void {
  try {
    makeMissing(dirname(resolve(file)));
    writeAtomically(
      file,
      typeof content === 'string' ? content : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    );
  } catch (error) {
    throw new UserError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** Writes the summary that `--json FILE` asks for; does nothing when no file was named. */
export function writeSummary(file: string | undefined, summary: object): void {
  if (file !== undefined) writeFileAtomic(file, `${JSON.stringify(summary, null, 2)}\n`);
}
