// JSON objects with a checksum as their last member, so that a damaged byte in the files of a run is detected. Objects without one are read
// as they are: earlier versions wrote none.

import { createHash } from 'node:crypto';

const NAME = 'checksum';
/** A last member that may be the checksum, damaged or not. */
const SEAL = /,\s*"([^"]*)":\s*"([^"]{12,20})"\s*\}\s*$/;

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Returns the object as JSON with its checksum; `space` as in JSON.stringify. The object is not empty. */
export function sealedJson(value: object, space?: number): string {
  const body = JSON.stringify(value, null, space).replace(/\s*\}$/, '');
  const gap = space === undefined ? '' : `\n${' '.repeat(space)}`;
  const colon = space === undefined ? ':' : ': ';
  return `${body},${gap}"${NAME}"${colon}"${checksumOf(body)}"${space === undefined ? '' : '\n'}}`;
}

/** Returns the value of a JSON text, without its checksum; throws an Error if the text is no JSON or the checksum differs. */
export function unsealedJson(text: string): unknown {
  const seal = SEAL.exec(text);
  if (seal === null) return JSON.parse(text);
  const body = text.slice(0, seal.index);
  if (seal[1] !== NAME || seal[2] !== checksumOf(body))
    throw new Error('its checksum differs; restore the file, or remove "checksum" from it if you changed it yourself');
  return JSON.parse(`${body}}`);
}
