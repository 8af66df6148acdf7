// Engines as the user names them: our own with given weights, from another build folder or git revision, or any UCI command as
// key=value words in the manner of cutechess and fastchess: `cmd="./engine --flag" name=X dir=D option.Hash=16 tc=8+0.08`.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../common/errors.js';
import { workerFile } from '../common/paths.js';
import { printable } from '../common/printable.js';
import { weightsFile } from '../common/weights.js';
import { splitWords } from '../common/words.js';
import { type GameLimits, parseClock } from '../games/clock.js';
import type { EngineSpec } from './engine-process.js';
import { revisionBuild } from './git-builds.js';

/** An engine and the limits that are its own, which take the place of the match's. */
export interface NamedEngine {
  spec: EngineSpec;
  limits: Partial<GameLimits>;
  /** Its rating, where that is known and others are measured by it. */
  anchor?: number;
}

/** Returns our engine, of this build or that of a folder, at weights of a name or a file. */
export function ownEngine(weights: string, options: { build?: string; name?: string } = {}): EngineSpec {
  const main = findMain(options.build);
  const args = [main];
  if (weights !== 'shipped') {
    const file = weightsFile(weights);
    if (!existsSync(file)) throw new UserError(`no such weights file: ${file}`);
    args.push('--weights', file);
  }
  const folder = dirname(main);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  return {
    name: options.name ?? ownName(weights, options.build),
    command: process.execPath,
    args,
    options: {},
    files: files.sort().map((file) => join(folder, file)),
  };
}

/** Returns the engine that --candidate names: weights by name or file, the folder of a build, or rev=REVISION. */
export function namedEngine(value: string): EngineSpec {
  if (value.startsWith('rev=')) return weightsEngine(new Map([['rev', value.slice(4)]]));
  const isFolder = statSync(value, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? ownEngine('shipped', { build: value }) : ownEngine(value);
}

/** Reads the key=value words of an engine; a wrong one throws a UserError that names it. */
export function parseEngine(text: string): NamedEngine {
  const { values, args, options, limits } = parseWords('--engine', text);
  const spec = values.has('cmd') ? commandEngine(values, args) : weightsEngine(values);
  Object.assign(spec.options, options);
  if (spec.name !== undefined) spec.name = printable(spec.name);
  if (values.get('restart') === 'on') spec.restart = true;
  const anchor = values.get('anchor');
  return { spec, limits, ...(anchor !== undefined && { anchor: rating(anchor) }) };
}

/** Reads the words that are for every engine: options and limits. */
export function parseEach(text: string): Pick<EngineSpec, 'options'> & Pick<NamedEngine, 'limits'> {
  const { values, args, options, limits } = parseWords('--each', text);
  const [wrong] = args.length > 0 ? ['arg'] : values.keys();
  if (wrong !== undefined) throw new UserError(`--each takes option.NAME=, limits and timemargin=, not ${wrong}=`, 2);
  return { options, limits };
}

const KEYS = ['cmd', 'name', 'dir', 'weights', 'build', 'rev', 'restart', 'proto', 'anchor'];

const LIMIT_KEYS: Record<string, (value: string) => Partial<GameLimits>> = {
  tc: (value) => {
    const tc = parseClock(value, '--engine tc');
    return tc === undefined ? {} : { tc };
  },
  st: (value) => ({ movetime: 1000 * positive('st', value) }),
  movetime: (value) => ({ movetime: positive('movetime', value) }),
  nodes: (value) => ({ nodes: positive('nodes', value) }),
  depth: (value) => ({ depth: positive('depth', value) }),
  timemargin: (value) => ({ margin: positive('timemargin', value) }),
  ponder: (value) => ({ ponder: isOn('ponder', value) }),
};

/** Limits that end a search without a clock. */
const ENDS = ['nodes', 'depth', 'movetime'];

const ALL_KEYS = [...KEYS, 'arg', 'args', 'option.NAME', ...Object.keys(LIMIT_KEYS)].map((key) => `${key}=`).join(' ');

function refuse(value: string, wanted: string): never {
  throw new UserError(`--engine: ${wanted}, not '${value}'`, 2);
}

function positive(key: string, value: string): number {
  return Number(value) > 0 ? Number(value) : refuse(value, `${key} takes a positive number`);
}

function isOn(key: string, value: string): boolean {
  return value === 'on' || (value !== 'off' && refuse(value, `${key} is on or off`));
}

function rating(value: string): number {
  const isRating = value.trim() !== '' && Math.abs(Number(value)) <= 10_000;
  return isRating ? Number(value) : refuse(value, 'anchor takes a rating in Elo');
}

interface EngineWords {
  values: Map<string, string>;
  args: string[];
  options: Record<string, string>;
  limits: Partial<GameLimits>;
}

function parseWords(option: string, text: string): EngineWords {
  const words: EngineWords = { values: new Map(), args: [], options: {}, limits: {} };
  for (const word of splitWords(text)) {
    const at = word.indexOf('=');
    const [key, value] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : ['', ''];
    if (key.startsWith('option.')) words.options[key.slice(7)] = value;
    else if (key === 'arg') words.args.push(value);
    else if (key === 'args') words.args.push(...splitWords(value));
    else if (Object.hasOwn(LIMIT_KEYS, key)) Object.assign(words.limits, LIMIT_KEYS[key](value));
    else if (KEYS.includes(key)) words.values.set(key, value);
    else throw new UserError(`${option}: '${word}' is none of its words ${ALL_KEYS}`, 2);
  }
  const isEndless =
    splitWords(text).includes('tc=inf') && Object.keys(words.limits).every((key) => !ENDS.includes(key));
  if (isEndless) throw new UserError(`${option}: tc=inf needs nodes=, depth= or st= in its place`, 2);
  return words;
}

function commandEngine(values: Map<string, string>, args: string[]): EngineSpec {
  const cmd = values.get('cmd') as string;
  const folder = values.get('dir');
  if (folder !== undefined && !existsSync(folder)) throw new UserError(`--engine: no such folder: ${folder}`);
  // A path with spaces in it is a program; anything else with spaces is a program and its arguments.
  const [program, ...words] = existsSync(resolve(folder ?? '.', cmd)) ? [cmd] : splitWords(cmd);
  if (program === undefined) throw new UserError('--engine: cmd= is empty', 2);
  const spec: EngineSpec = { command: locate(program, folder), args: [...words, ...args], options: {} };
  const name = values.get('name');
  if (name !== undefined) spec.name = name;
  if (folder !== undefined) spec.folder = folder;
  return spec;
}

// Relative to the engine's folder first, then to ours; without a slash it is looked for in PATH.
function locate(program: string, folder: string | undefined): string {
  const here = resolve(program);
  const there = folder === undefined ? here : resolve(folder, program);
  if (existsSync(there) && (program.includes('/') || folder !== undefined)) return there;
  return program.includes('/') && existsSync(here) ? here : program;
}

function weightsEngine(values: Map<string, string>): EngineSpec {
  const [weights, build, revision] = ['weights', 'build', 'rev'].map((key) => values.get(key));
  if (weights === undefined && build === undefined && revision === undefined) {
    throw new UserError('--engine needs cmd=, weights=, build= or rev=', 2);
  }
  if (build !== undefined && revision !== undefined) throw new UserError('--engine: build= or rev=, not both', 2);
  const built = revision === undefined ? null : revisionBuild(revision);
  const label = weights === undefined && built !== null ? `heft ${built.commit.slice(0, 8)}` : undefined;
  const folder = built?.folder ?? build;
  const name = values.get('name') ?? label;
  return ownEngine(weights ?? 'shipped', {
    ...(folder !== undefined && { build: folder }),
    ...(name !== undefined && { name }),
  });
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
