// Parses command lines strictly with yargs, and prints user errors without a stack trace.

import yargs, { type Argv, type CommandModule } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { didYouMean } from '../../engine/names.js';
import { shortageLine } from '../../engine/start-failure.js';
import { UserError } from './errors.js';
import { addOptions, givenSettings, type Options, readSettings, type SettingsOf } from './options.js';
import { invocation, programVersion } from './program.js';
import { printable } from './wording.js';

/** Returns a strict yargs parser with `--help` and `--version`. It throws a UserError with exit code 2 for an invalid option. */
export function commandLine(name: string, usage: string): Argv {
  const parser = yargs(hideBin(process.argv));
  return (
    parser
      .scriptName(invocation(name))
      .usage(`$0 ${usage}`)
      .parserConfiguration({ 'camel-case-expansion': false })
      .strict()
      .help()
      // The commit is looked up only for --version
      .version('version', 'Show the version', process.argv.includes('--version') ? programVersion() : '')
      .wrap(Math.min(120, process.stdout.columns ?? 100))
      .exitProcess(false)
      .fail((message, error) => {
        if (error instanceof UserError) throw error;
        // The types of yargs omit this method
        const { key } = (parser as unknown as { getOptions(): { key: object } }).getOptions();
        const line = (message ?? error.message)
          .replace(/\s*\n\s*/g, ' ')
          .replace(/^Unknown argument: (\S+)$/, (text, name: string) => `${text}${didYouMean(name, Object.keys(key))}`)
          .replace(/^Not enough arguments following: (.*)/, '--$1 needs a value');
        throw new UserError(`${line} (see ${invocation(name)} --help)`, 2);
      })
  );
}

/** Runs a command's main function; a UserError ends the process with its message and exit code. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  if (!process.stdout.listeners('error').includes(onOutputError)) process.stdout.on('error', onOutputError);
  if (!process.stderr.listeners('error').includes(onMessageError)) process.stderr.on('error', onMessageError);
  try {
    await main();
  } catch (error) {
    const shortage = error instanceof Error ? shortageLine(error) : null;
    if (shortage !== null) {
      process.stderr.write(`${shortage}\n`);
      process.exitCode = 1;
      return;
    }
    // The message of a failed system call contains the path
    const shown = error instanceof Error && 'syscall' in error ? new UserError(error.message) : error;
    if (!(shown instanceof UserError)) throw error;
    process.stderr.write(`error: ${shown.message.split('\n').map(printable).join('\n')}\n`);
    process.exitCode = shown.exitCode;
  }
}

// A reader of the output, such as head, may close the pipe; the command then still writes its files
function onOutputError({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(`error: cannot write the output: ${message}\n`);
  process.exit(1);
}

// An error on stderr does not end the command either. It sets the exit code, unless the pipe was closed
function onMessageError({ code }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') process.exitCode = 1;
}

/** Returns a yargs command (`$0` is the default command). `run` receives all settings and, separately, the explicitly given ones. */
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

/** Runs a program with several commands. Joins the unquoted words after an option that takes words (see joinWords()). */
export function runCommands(
  name: string,
  usage: string,
  commands: CommandModule[],
  options: Options = {},
): Promise<void> {
  return runCommand(async () => {
    await commandLine(name, usage)
      .command(commands)
      .parseAsync(joinWords(hideBin(process.argv), options));
  });
}

/** Runs a program with a single command, `npm run NAME -- [options]`. */
export function runOnly<O extends Options>(
  name: string,
  describe: string,
  options: O,
  run: (settings: SettingsOf<O>, given: Partial<SettingsOf<O>>) => Promise<void> | void,
): Promise<void> {
  return runCommands(name, '[options]', [command('$0', describe, options, run)], options);
}

// Detects options that would be lost: npm consumes those before its `--`, and yargs reads those with a single dash as single letters.

/** npm's own options, which a user's npmrc may set. */
const OF_NPM = ['force', 'json', 'depth'];

/** Throws a UserError for a known option that was written with one dash, or before npm's `--`. */
export function refuseMisplaced(options: Options, words: readonly string[], environment: NodeJS.ProcessEnv): void {
  const isKnown = (name: string): boolean => Object.hasOwn(options, name);
  for (const word of words) {
    const [, name] = /^-([a-z][\w-]+)(?:=|$)/.exec(word) ?? [];
    if (name !== undefined && isKnown(name))
      throw new UserError(`options begin with two dashes: --${name}, not -${name}`, 2);
  }
  const { npm_lifecycle_event: script, npm_lifecycle_script: started = '' } = environment;
  // A program started by another script, such as a test, inherits its environment
  const [, program] = started.split(' ');
  if (script === undefined || program === undefined || process.argv[1]?.endsWith(program) !== true) return;
  const swallowed = Object.keys(options).filter(
    (name) => !OF_NPM.includes(name) && environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined,
  );
  // npm consumes `--engine` in `--engine cmd=X`, and passes on only the words
  const isEngine = isKnown('engine') && /^\w+=/.test(words[0] ?? '');
  const missed = swallowed[0] ?? (isEngine ? 'engine' : undefined);
  if (missed === undefined) return;
  throw new UserError(
    `npm has consumed --${missed}: put options after \`--\`, as in npm run ${script} -- --${missed} …`,
    2,
  );
}

// Options whose value is a list of unquoted words, as in cutechess and fastchess

/**
 * Joins the words after an option that takes words: `--engine cmd=X name=Y` becomes `--engine 'cmd=X name=Y'`. An argument with blanks
 * is a value even if it begins with dashes: `--options '--workers 2'` becomes `'--options=--workers 2'`.
 */
export function joinWords(argv: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; ) {
    const argument = argv[i++];
    if (/^--[^\s=]+$/.test(argument) && i < argv.length && /^--.*\s/.test(argv[i])) {
      joined.push(`${argument}=${argv[i++]}`);
      continue;
    }
    joined.push(argument);
    if (!argument.startsWith('--') || options[argument.slice(2)]?.takesWords !== true) continue;
    let end = i;
    while (end < argv.length && !argv[end].startsWith('--')) end++;
    const following = argv.slice(i, end);
    // If several arguments follow, the shell has removed their quotes. A single argument contains all the words, unless it is one command.
    // Arguments of a command may contain `=` after a dash: 'cmd=./engine --net=big'
    const isList = following.length === 1 && (!/^cmd=[^"']+$/.test(following[0]) || /\s[\w.]+=/.test(following[0]));
    if (following.length > 0) joined.push(isList ? following[0] : following.map(quote).join(' '));
    i = end;
  }
  return joined;
}

function quote(word: string): string {
  if (!/[\s"']/.test(word)) return word;
  if (!word.includes('"')) return `"${word}"`;
  if (!word.includes("'")) return `'${word}'`;
  return word.replace(/"+|[^"]+/g, (part) => (part.startsWith('"') ? `'${part}'` : `"${part}"`));
}
