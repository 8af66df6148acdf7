// The fitting methods, by the names that `--method` takes.

import { cg } from './cg.js';
import { adam } from './first-order.js';
import { gaussNewton } from './gauss-newton.js';
import { gd } from './gd.js';
import { hybrid } from './hybrid.js';
import { local } from './local.js';
import type { Method } from './method.js';

/** A method with an opaque state, which only the method itself reads. */
// biome-ignore lint/suspicious/noExplicitAny: the states differ from method to method
export type AnyMethod = Method<any>;

export const METHODS: Readonly<Record<string, AnyMethod>> = {
  adam,
  gd,
  cg,
  'gauss-newton': gaussNewton,
  local,
  hybrid,
};
