// Compares the run in a folder with the requested run. The identity of a run holds everything that affects its games.

import { UserError } from './errors.js';

/** What a run's results depend on, by name: values of JSON. */
export type Identity = Readonly<Record<string, unknown>>;

/** Throws a UserError with the first difference if the folder holds another run than requested. */
export function refuseOtherRun(folder: string, kind: string, old: Identity, now: Identity): void {
  const difference = identityDifference(old, now);
  if (difference === null) return;
  throw new UserError(`${folder} holds a ${kind} with ${difference}; choose another --out, or delete it`);
}

/** Returns `name value (now value)` for the first value in which two identities differ, or null. */
export function identityDifference(old: Identity, now: Identity): string | null {
  return differenceOf(old, now, '');
}

function differenceOf(old: unknown, now: unknown, name: string): string | null {
  if (isObject(old) && isObject(now)) {
    for (const key of Object.keys({ ...old, ...now })) {
      const difference = differenceOf(old[key], now[key], name === '' ? key : `${name}.${key}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  const [before, after] = [old, now].map((value) => (value === undefined ? 'none' : JSON.stringify(value)));
  return before === after ? null : `${name} ${before} (now ${after})`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
