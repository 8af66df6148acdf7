// The UCI options: declared once, listed for `uci`, parsed and checked for `setoption`.

import { DEFAULT_HASH, DEFAULT_MOVE_OVERHEAD } from '../engine.js';
import { MAX_THREADS } from './crew.js';

/** Name and version as GUIs show them. */
export const ENGINE_NAME = 'Heft 0.1.0';
export const ENGINE_AUTHOR = 'the Heft authors';

interface Option {
  name: string;
  type: 'spin' | 'check' | 'button' | 'string';
  default?: number | boolean | string;
  min?: number;
  max?: number;
}

/** Largest hash in mebibytes that Node can share between threads. */
const MAX_HASH = 2048;

const OPTIONS: readonly Option[] = [
  { name: 'Hash', type: 'spin', default: DEFAULT_HASH, min: 1, max: MAX_HASH },
  { name: 'Clear Hash', type: 'button' },
  { name: 'Threads', type: 'spin', default: 1, min: 1, max: MAX_THREADS },
  { name: 'Ponder', type: 'check', default: false },
  { name: 'MultiPV', type: 'spin', default: 1, min: 1, max: 218 },
  { name: 'Move Overhead', type: 'spin', default: DEFAULT_MOVE_OVERHEAD, min: 0, max: 5000 },
  { name: 'UCI_Chess960', type: 'check', default: false },
  { name: 'EvalFile', type: 'string', default: '<empty>' },
];

/** Returns the answer to `uci`, line by line. */
export function identify(): string[] {
  const lines = OPTIONS.map(({ name, type, default: value, min, max }) => {
    const preset = value === undefined ? '' : ` default ${value}`;
    const range = min === undefined ? '' : ` min ${min} max ${max}`;
    return `option name ${name} type ${type}${preset}${range}`;
  });
  return [`id name ${ENGINE_NAME}`, `id author ${ENGINE_AUTHOR}`, ...lines, 'uciok'];
}

/** A `setoption` that can be carried out: the option's declared name and its value. */
export type Setting = { name: string; value: number | boolean | string };

/** Returns the option and value that a `setoption` line sets, or a text that says why it sets nothing. */
export function parseSetOption(line: string): Setting | string {
  const match = /^\s*setoption\s+name\s+(.*?)(?:\s+value(?:\s+(.*?))?)?\s*$/i.exec(line);
  if (match === null) return 'setoption needs a name';
  const option = OPTIONS.find(({ name }) => name.toLowerCase() === match[1].replace(/\s+/g, ' ').toLowerCase());
  if (option === undefined) return `no such option: ${match[1]}`;
  const text = match[2] ?? '';
  const { name, type, min = 0, max = 0 } = option;
  if (type === 'button' || type === 'string') return { name, value: text === '<empty>' ? '' : text };
  if (type === 'check') {
    return /^(true|false)$/i.test(text)
      ? { name, value: /^true$/i.test(text) }
      : `${name} is true or false, not '${text}'`;
  }
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? { name, value } : `${name} is a number from ${min} to ${max}, not '${text}'`;
}
