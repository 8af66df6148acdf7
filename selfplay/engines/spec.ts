// Engine specifications. An engine is either Heft (with given weights, or built in another folder or from a git revision) or any other UCI
// engine. Engines are described by key=value words like those of cutechess and fastchess: `cmd="./engine --flag" name=X dir=D
// option.Hash=16 tc=8+0.08`. They can also be built from git: `git=URL rev=main build="make EXE={out}"`.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean } from '../../engine/names.js';
import { UserError } from '../common/errors.js';
import { isFile, isFolder } from '../common/files.js';
import { quotedWords, splitWords, unquoted } from '../common/options.js';
import { isClone, projectFile, workerFile } from '../common/program.js';
import { weightsFile } from '../common/weights.js';
import { printable } from '../common/wording.js';
import { type GameLimits, parseClock } from '../games/clock.js';
import { type BuildWords, commandedBuild } from './commanded-builds.js';
import { revisionBuild } from './git-builds.js';
import { topFolder } from './git-repository.js';
import type { EngineSpec } from './process.js';

/** An engine with its own limits, which override the common limits. */
export interface NamedEngine {
  spec: EngineSpec;
  limits: Partial<GameLimits>;
  /** Fixed rating of the engine in a tournament, in Elo. */
  anchor?: number;
}

/** Returns Heft, from this build or the build in a folder, with weights by name or file. Throws a UserError if either is missing. */
export function ownEngine(
  weights: string,
  { build, name = ownName(weights, build) }: { build?: string | undefined; name?: string | undefined } = {},
): EngineSpec {
  const main = findMain(build);
  const args = [main];
  if (weights !== 'shipped') {
    const file = weightsFile(weights);
    if (!existsSync(file)) throw new UserError(`no such weights file: ${file}`);
    args.push('--weights', file);
  }
  const folder = dirname(main);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|wasm)$/.test(file));
  return { name, command: process.execPath, args, options: {}, files: files.sort().map((file) => join(folder, file)) };
}

/** Returns the engine of --candidate: weights by name or file, the folder of a build, or rev=REVISION. */
export function namedEngine(value: string): EngineSpec {
  if (value.startsWith('rev=')) return revisionEngine(value.slice(4));
  return isFolder(value) ? ownEngine('shipped', { build: value }) : ownEngine(value);
}

/** Words of `--each`, which apply to every engine. */
export interface EachEngine extends Pick<EngineSpec, 'options'>, Pick<NamedEngine, 'limits'> {
  /** Build settings of git revisions. */
  built: BuildWords;
}

/** Parses the key=value words of an engine, with the build settings of `each`; throws a UserError for an invalid word. */
export function parseEngine(text: string, each?: EachEngine): NamedEngine {
  const { values, args, options, limits } = parseWords('--engine', text);
  // cutechess's default is `auto`
  const { dir, anchor, proto = 'uci', restart = 'auto' } = values;
  if (dir !== undefined && !isFolder(dir)) throw new UserError(`--engine: no such folder: ${dir}`);
  const spec = engineOf(values, each?.built);
  spec.args.push(...args);
  Object.assign(spec.options, options);
  const name = values['name'] ?? spec.name;
  if (name?.trim() === '') throw new UserError('--engine: name= is empty', 2);
  if (name !== undefined) spec.name = printable(name);
  if (dir !== undefined) spec.folder = dir;
  if (restart !== 'auto' && isOn('--engine: restart', restart)) spec.restart = true;
  if (proto !== 'uci') refuse(proto, '--engine: proto must be uci');
  return { spec, limits, ...(anchor !== undefined && { anchor: rating(anchor) }) };
}

/** Parses the words of `--each`: options, limits and build settings. */
export function parseEach(text: string): EachEngine {
  const { values, args, options, limits } = parseWords('--each', text);
  const [wrong] = args.length > 0 ? ['arg'] : Object.keys(values).filter((key) => !BUILD_KEYS.includes(key));
  if (wrong !== undefined) {
    throw new UserError(`--each takes option.NAME=, limits, timemargin=, git=, build= and exe=, not ${wrong}=`, 2);
  }
  return { options, limits, built: values };
}

/** Keys that describe the build of a git revision. */
const BUILD_KEYS = ['git', 'build', 'exe'];
/** Keys that select Heft or a build. They exclude cmd=. */
const SOURCE_KEYS = ['weights', 'rev', ...BUILD_KEYS];
const KEYS = ['cmd', 'name', 'dir', ...SOURCE_KEYS, 'restart', 'proto', 'anchor'];

const LIMIT_KEYS: Record<string, (value: string, option: string) => Partial<GameLimits>> = {
  tc: (value, option) => ({ tc: parseClock(value, `${option} tc`) }),
  st: (value, option) => ({ movetime: Math.max(1, Math.round(1000 * positive(`${option}: st`, value))) }),
  movetime: (value, option) => ({ movetime: whole(`${option}: movetime`, value) }),
  nodes: (value, option) => ({ nodes: whole(`${option}: nodes`, value) }),
  depth: (value, option) => ({ depth: whole(`${option}: depth`, value) }),
  timemargin: (value, option) => ({ margin: whole(`${option}: timemargin`, value, 0) }),
  ponder: (value, option) => ({ ponder: isOn(`${option}: ponder`, value) }),
};

const NAMES = [...KEYS, 'arg', 'args', 'option.NAME', ...Object.keys(LIMIT_KEYS)];
const ALL_KEYS = NAMES.map((key) => `${key}=`).join(' ');

function refuse(value: string, wanted: string): never {
  throw new UserError(`${wanted}, not '${value}'`, 2);
}

function positive(key: string, value: string): number {
  const number = Number(value);
  return number > 0 && Number.isFinite(number) ? number : refuse(value, `${key} takes a positive number`);
}

function whole(key: string, value: string, min = 1): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isSafeInteger(number) && number >= min) return number;
  return refuse(value, `${key} takes a whole number of at least ${min}`);
}

function isOn(key: string, value: string): boolean {
  return value === 'on' || (value !== 'off' && refuse(value, `${key} must be on or off`));
}

function rating(value: string): number {
  const isRating = value.trim() !== '' && Math.abs(Number(value)) <= 10_000;
  return isRating ? Number(value) : refuse(value, '--engine: anchor takes a rating in Elo');
}

interface EngineWords {
  values: Record<string, string>;
  args: string[];
  options: Record<string, string>;
  limits: Partial<GameLimits>;
}

function parseWords(option: string, text: string): EngineWords {
  const words: EngineWords = { values: {}, args: [], options: {}, limits: {} };
  const given = new Set<string>();
  let last = '';
  for (const written of quotedWords(text)) {
    const word = unquoted(written);
    const at = word.indexOf('=');
    const [key, value] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : ['', ''];
    if (given.has(key)) throw new UserError(`${option}: ${key}= is given more than once`, 2);
    if (key.startsWith('option.') || KEYS.includes(key) || Object.hasOwn(LIMIT_KEYS, key)) given.add(key);
    if (key.startsWith('option.')) words.options[key.slice(7)] = value;
    else if (key === 'arg') words.args.push(value);
    else if (key === 'args') words.args.push(...splitWords(value));
    else if (Object.hasOwn(LIMIT_KEYS, key)) Object.assign(words.limits, LIMIT_KEYS[key](value, option));
    else if (KEYS.includes(key)) words.values[key] = key === 'build' ? commandText(written, value) : value;
    // The words of a command need no quotes around them: build=make EXE={out}
    else if (last === 'build') words.values[last] += ` ${isPartOfCommand(written, word) ? word : written}`;
    else
      throw new UserError(
        `${option}: '${word}' is an unknown key; known keys: ${ALL_KEYS}${didYouMean(key, NAMES)}`,
        2,
      );
    if (KEYS.includes(key)) last = key;
  }
  return words;
}

// A command keeps its quotes, except a pair around the whole command. An existing path is returned without quotes
function commandText(written: string, value: string): string {
  const [, text] = /^build=(?!"[^"]*"$|'[^']*'$)(.*)$/s.exec(written) ?? [];
  return text === undefined || existsSync(value) ? value : text;
}

// joinWords() has added the outer quotes if the word has quotes or starts with a shell operator: 'FLAGS="-O3 -g"' or "&& strip {out}"
const isPartOfCommand = (written: string, word: string): boolean => /^["']/.test(written) && /["']|^[&|;<>]/.test(word);

function engineOf(values: EngineWords['values'], each: BuildWords = {}): EngineSpec {
  const { cmd, dir, weights } = values;
  const used = SOURCE_KEYS.find((key) => key in values);
  if (cmd !== undefined && used !== undefined) throw new UserError(`--engine: give either cmd= or ${used}=`, 2);
  if (cmd !== undefined) return commandEngine(cmd, dir);
  const own = Object.fromEntries(Object.entries(values).filter(([key]) => key === 'rev' || BUILD_KEYS.includes(key)));
  const words: BuildWords = 'git' in own || 'rev' in own ? { ...each, ...own } : own;
  const { git, rev, build, exe } = words;
  if ((git ?? rev) !== undefined && (git ?? build ?? exe) !== undefined) {
    if (weights !== undefined)
      throw new UserError('--engine: weights= is for Heft, not for a program built with git=, build= or exe=', 2);
    if (build !== undefined && existsSync(build))
      throw new UserError(`--engine: with rev= or git=, build= is a command, not a folder: ${build}`, 2);
    return builtEngine(words);
  }
  if (rev !== undefined) return revisionEngine(rev, weights);
  if ((weights ?? build) !== undefined) return ownEngine(weights ?? 'shipped', { build });
  throw new UserError('--engine needs cmd=, git=, rev=, weights= or build=', 2);
}

function builtEngine(words: BuildWords): EngineSpec {
  const { program, name, commit } = commandedBuild(words);
  return { name, command: program, args: [], options: {}, commit };
}

function commandEngine(cmd: string, folder: string | undefined): EngineSpec {
  // Text with spaces is the path of a program if that file exists, and otherwise a program and its arguments
  const [program, ...args] = isFile(resolve(folder ?? '.', cmd)) ? [cmd] : splitWords(cmd);
  if (program === undefined) throw new UserError('--engine: cmd= is empty', 2);
  return { command: locate(program, folder), args, options: {} };
}

// Paths are relative to the engine's folder, or else to the current one. Names without a slash are searched in PATH, unless the engine's
// folder contains the file
function locate(program: string, folder: string | undefined): string {
  const here = resolve(program);
  const there = folder === undefined ? here : resolve(folder, program);
  if (existsSync(there) && (program.includes('/') || folder !== undefined)) return there;
  return program.includes('/') && existsSync(here) ? here : program;
}

// Returns Heft if the current folder is in this clone of Heft or in no repository, otherwise the engine of the current repository
function revisionEngine(revision: string, weights?: string): EngineSpec {
  if (!isInClone()) {
    if (weights === undefined) return builtEngine({ rev: revision });
    throw new UserError(`--engine: weights= with rev= requires a clone of Heft, and ${process.cwd()} is not in one`, 2);
  }
  const { commit, folder } = revisionBuild(revision);
  const name = weights === undefined ? `heft ${commit.slice(0, 8)}` : undefined;
  return { ...ownEngine(weights ?? 'shipped', { build: folder, name }), commit };
}

function isInClone(): boolean {
  if (!isClone()) return false;
  const top = topFolder(process.cwd());
  return top === null || resolve(top) === resolve(fileURLToPath(projectFile('.')));
}

function findMain(build: string | undefined): string {
  if (build === undefined) return fileURLToPath(workerFile('engine/main'));
  const places = [join(build, 'engine/main.js'), join(build, 'dist/engine/main.js')];
  const main = places.find((place) => existsSync(place));
  if (main === undefined)
    throw new UserError(`no built engine (engine/main.js) in ${build}; run npm run build there first`);
  return resolve(main);
}

function ownName(weights: string, build: string | undefined): string {
  if (weights === 'shipped') return build === undefined ? 'heft' : `heft ${basename(resolve(build))}`;
  const stem = basename(weights, extname(weights));
  return `heft ${stem === 'weights' ? basename(dirname(resolve(weights))) : stem}`;
}
