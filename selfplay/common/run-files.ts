// Checksums of the JSON files in a run's folder, and the identity of a run: everything that affects its results.

import { createHash } from 'node:crypto';
import { UserError } from './errors.js';

/** Returns the sha256 (hex) of the concatenated contents. */
export function sha256(...contents: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex');
}

/** Everything that affects a run's results, as JSON values by name. */
export type Identity = Readonly<Record<string, unknown>>;

/** Throws a UserError that states the first difference if the folder contains a different run. */
export function refuseOtherRun(folder: string, kind: string, old: Identity, now: Identity): void {
  const difference = identityDifference(old, now);
  if (difference === null) return;
  throw new UserError(`${folder} holds a ${kind} with ${difference}; choose another --out, or delete this folder`);
}

/** Returns `name value (now value)` for the first value in which two identities differ, or null. */
export function identityDifference(old: unknown, now: unknown, name = ''): string | null {
  if (isObject(old) && isObject(now)) {
    for (const key of Object.keys({ ...old, ...now })) {
      const difference = identityDifference(old[key], now[key], name === '' ? key : `${name}.${key}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  const [before, after] = [old, now].map((value) => (value === undefined ? 'none' : JSON.stringify(value)));
  return before === after ? null : `${name} ${before} (now ${after})`;
}

/** Returns the value as JSON, with each object and list on one line if it fits; `indent` is the indentation of the first line. */
export function compactJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 110) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => compactJson(part, deeper))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${compactJson(part, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}

/** Returns whether the value is an object other than a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// JSON objects with a checksum as their last member, so a damaged byte is detected. Objects without one, from earlier versions, are
// accepted unless their last member looks like one

const NAME = 'checksum';
/** A last member that may be the checksum, damaged or not. */
const SEAL = /,\s*"([^"]*)":\s*"([^"]{12,20})"\s*\}\s*$/;

const checksumOf = (text: string): string => sha256(text).slice(0, 16);

/** Returns the object as JSON with its checksum; `space` is as in JSON.stringify. The object must not be empty. */
export function sealedJson(value: object, space?: number): string {
  const body = JSON.stringify(value, null, space).replace(/\s*\}$/, '');
  return JSON.stringify({ ...value, [NAME]: checksumOf(body) }, null, space);
}

/** Returns the value of a JSON text, without its checksum; throws an Error if the text is not JSON or the checksum differs. */
export function unsealedJson(text: string): unknown {
  const seal = SEAL.exec(text);
  if (seal === null) return JSON.parse(text);
  const body = text.slice(0, seal.index);
  if (seal[1] !== NAME || seal[2] !== checksumOf(body))
    throw new Error('its checksum does not match; restore the file, or delete "checksum" from it if you edited it');
  return JSON.parse(`${body}}`);
}
