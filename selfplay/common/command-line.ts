// Parses command lines with yargs, strictly; a user's mistake is printed as one line.

import yargs, { type Argv, type CommandModule } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { UserError } from './errors.js';
import { invocation } from './invocation.js';
import { refuseMisplaced } from './misplaced.js';
import { addOptions, givenSettings, type Options, readSettings, type SettingsOf } from './options.js';
import { printable } from './printable.js';
import { programVersion } from './version.js';
import { joinWords } from './words.js';

/** Returns the yargs parser of a command: strict, with `--help` and `--version`; a wrong option throws UserError with exit code 2. */
export function commandLine(name: string, usage: string): Argv {
  return (
    yargs(hideBin(process.argv))
      .scriptName(invocation(name))
      .usage(`$0 ${usage}`)
      .parserConfiguration({ 'camel-case-expansion': false })
      .strict()
      .help()
      // git is asked for the commit only where the version is
      .version('version', 'Show the version', process.argv.includes('--version') ? programVersion() : '')
      .wrap(Math.min(120, process.stdout.columns ?? 100))
      .exitProcess(false)
      .fail((message, error) => {
        if (error instanceof UserError) throw error;
        const line = (message ?? error.message)
          .replace(/\s*\n\s*/g, ' ')
          .replace(/^Not enough arguments following: (.*)/, '--$1 needs a value');
        throw new UserError(`${line} (see ${invocation(name)} --help)`, 2);
      })
  );
}

/** Runs a command's main function; a UserError ends the process with its one line and exit code. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`error: ${error.message.split('\n').map(printable).join('\n')}\n`);
    process.exitCode = error.exitCode;
  }
}

/** Returns the command for yargs (`$0` needs no name); `run` gets the settings, and those of them that were given. */
export function command<O extends Options>(
  name: string,
  describe: string,
  options: O,
  run: (settings: SettingsOf<O>, given: Partial<SettingsOf<O>>) => Promise<void> | void,
): CommandModule {
  return {
    command: name,
    describe,
    builder: (parser) => {
      refuseMisplaced(options, process.argv.slice(2), process.env);
      return addOptions(parser, options);
    },
    handler: (argv) => run(readSettings(options, argv), givenSettings(options, argv)),
  };
}

/** Runs a program of a single command, `npm run NAME -- [options]`. */
export function runOnly<O extends Options>(
  name: string,
  describe: string,
  options: O,
  run: (settings: SettingsOf<O>, given: Partial<SettingsOf<O>>) => Promise<void> | void,
): Promise<void> {
  return runCommand(async () => {
    await commandLine(name, '[options]')
      .command(command('$0', describe, options, run))
      .parseAsync(joinWords(hideBin(process.argv), options));
  });
}
