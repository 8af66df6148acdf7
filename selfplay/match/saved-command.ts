// Stores the original options of a run in its folder, for `--continue FOLDER`. Options on the command line override them.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../common/errors.js';
import { writeFileAtomic } from '../common/files.js';
import type { Options } from '../common/options.js';
import { COMMAND_FILE } from '../common/outputs.js';
import { invocation, shellLine } from '../common/program.js';
import type { EngineSpec } from '../engines/process.js';

/** Engine options, whose values may contain paths. */
const ENGINES = ['candidate', 'baseline', 'engine', 'each'];

interface SavedCommand {
  /** Working folder of the command, for its relative paths. */
  folder: string;
  words: string[];
}

/** Writes the words of the command to the run's folder, unless it already has games. */
export function saveCommand(out: string, words: readonly string[], hasGames: boolean): void {
  const file = join(out, COMMAND_FILE);
  if (hasGames && existsSync(file)) return;
  writeFileAtomic(file, `${JSON.stringify({ folder: process.cwd(), words })}\n`);
}

/**
 * Returns the words with revisions replaced by their current commits, so the run can continue after a branch has moved. The order of
 * `engines` is candidate, baseline, then every `--engine`.
 */
export function pinnedWords(words: readonly string[], engines: readonly EngineSpec[]): string[] {
  const [candidate, ...others] = engines;
  const isOption = (word: string, name: string): boolean => word === `--${name}` || word.startsWith(`--${name}=`);
  const named = words.filter((word) => isOption(word, 'engine')).length;
  // `engines` also contains the implied opponent of a single --candidate or --baseline
  const ours = engines.length - named;
  const next = { candidate, baseline: ours === 2 ? others[0] : candidate, engine: engines.slice(ours) };
  let option = '';
  return words.map((word) => {
    const inline = /^--(candidate|baseline|engine)=/.exec(word)?.[1];
    const name = inline ?? option;
    option = /^--(candidate|baseline|engine)$/.exec(word)?.[1] ?? '';
    if (name === '') return word;
    const spec = name === 'engine' ? next.engine.shift() : next[name as 'candidate' | 'baseline'];
    return spec?.commit === undefined ? word : pinned(word, spec.commit);
  });
}

// A quoted word, such as a build command, may contain `rev=` too
function pinned(text: string, commit: string): string {
  let isReplaced = false;
  const words = text.replace(/(?:"[^"]*"|'[^']*'|\S)+/g, (word) => {
    const found = /^(--\w+=)?["']?rev=/.exec(word);
    if (found === null) return word;
    isReplaced = true;
    return `${found[1] ?? ''}rev=${commit}`;
  });
  return isReplaced ? words : `${text} rev=${commit}`;
}

/** Returns the command that continues the run of the folder. */
export function continuation(out: string): string {
  const folder = shellLine([out]);
  if (existsSync(join(out, COMMAND_FILE))) return `To continue: ${invocation('match')} --continue ${folder}`;
  return `To continue, give the same options and --out ${folder}`;
}

/**
 * Expands `--continue`: changes to the working folder of the run to continue, and returns that run's words, overridden by the given ones.
 * Other commands are returned unchanged. Throws a UserError for a folder without a run.
 */
export function continuedCommand(words: readonly string[], options: Options): readonly string[] {
  const at = words.findIndex((word) => word === '--continue' || word.startsWith('--continue='));
  if (at < 0) return words;
  const value = words[at] === '--continue' ? words[at + 1] : words[at].slice('--continue='.length);
  if (value === undefined || value === '' || value.startsWith('--'))
    throw new UserError('--continue needs the folder of a run', 2);
  const out = resolve(value);
  const now = words.toSpliced(at, words[at] === '--continue' ? 2 : 1);
  const { folder, words: before } = readSaved(out);
  const given = new Set(now.filter((word) => word.startsWith('--')).map((word) => canonical(word, options)));
  for (const name of ['out', 'force']) given.add(name);
  // A saved --pgn-overwrite applies only to the saved --pgn file
  if (given.has('pgn') || given.has('pgn-append')) given.add('pgn-overwrite');
  const kept = grouped(before).filter(([first]) => !given.has(canonical(first, options)));
  if (!existsSync(folder))
    throw new UserError(
      `--continue: the run began in ${folder}, which no longer exists; give the original options and --out`,
    );
  const own = ENGINES.find((name) => given.has(name));
  if (own !== undefined && resolve(folder) !== process.cwd())
    throw new UserError(
      `--continue: paths in --${own} are relative to ${folder}, where the run began; omit --${own}, or run the command there`,
      2,
    );
  const here = grouped(now).map((group) => (options[canonical(group[0], options)]?.isPath ? resolved(group) : group));
  process.chdir(folder);
  return [...kept.flat(), ...here.flat(), '--out', out];
}

// Paths in the new options are relative to the current folder
function resolved([first, ...values]: readonly string[]): string[] {
  return [first.replace(/(?<==).*/s, (path) => resolve(path)), ...values.map((path) => resolve(path))];
}

function readSaved(out: string): SavedCommand {
  try {
    const { folder, words } = JSON.parse(readFileSync(join(out, COMMAND_FILE), 'utf8'));
    return { folder: String(folder), words: words.map(String) };
  } catch {
    throw new UserError(`--continue: no readable ${COMMAND_FILE} in ${out}; give the original options and --out`);
  }
}

// Returns the declared name of an option, also for `--no-x` and aliases
function canonical(word: string, options: Options): string {
  const name = word.slice(2).split('=')[0];
  const alias = Object.entries(options).find(([, option]) => option.alias === name)?.[0];
  return alias ?? (Object.hasOwn(options, name) ? name : name.replace(/^no-/, ''));
}

// Returns each option with its values
function grouped(words: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const word of words) {
    if (word.startsWith('--') || groups.length === 0) groups.push([word]);
    else groups.at(-1)?.push(word);
  }
  return groups;
}
