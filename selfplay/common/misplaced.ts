// Recognises options that did not arrive as options: npm keeps those before its `--` to itself, and one dash is not two.

import { UserError } from './errors.js';
import type { Options } from './options.js';

/** Names that npm knows as its own: a user's npmrc may set them. */
const OF_NPM = ['force', 'json', 'depth'];

/** Throws a UserError for a known option that was written with one dash, or before npm's `--`. */
export function refuseMisplaced(options: Options, words: readonly string[], environment: NodeJS.ProcessEnv): void {
  const isKnown = (name: string): boolean => Object.hasOwn(options, name);
  for (const word of words) {
    const [, name] = /^-([a-z][\w-]+)(?:=|$)/.exec(word) ?? [];
    if (name !== undefined && isKnown(name)) throw new UserError(`options have two dashes: --${name}, not -${name}`, 2);
  }
  const { npm_lifecycle_event: script, npm_lifecycle_script: started = '' } = environment;
  // A program that a script of another name has started, such as a test, inherits what npm told that script
  const [, program] = started.split(' ');
  if (script === undefined || program === undefined || process.argv[1]?.endsWith(program) !== true) return;
  const swallowed = Object.keys(options).filter(
    (name) => !OF_NPM.includes(name) && environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined,
  );
  // `--engine cmd=X` leaves its words behind, npm having taken the option for another one
  const isEngine = isKnown('engine') && /^\w+=/.test(words[0] ?? '');
  const missed = swallowed[0] ?? (isEngine ? 'engine' : undefined);
  if (missed === undefined) return;
  throw new UserError(
    `npm has kept --${missed} to itself: options come after a \`--\` of their own, npm run ${script} -- --${missed} …`,
    2,
  );
}
