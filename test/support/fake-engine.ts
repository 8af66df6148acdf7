// Starts the scripted engine of the tests.

import { fileURLToPath } from 'node:url';
import type { EngineSpec } from '../../selfplay/engines/process.js';

export const FAKE_ENGINE = fileURLToPath(new URL('fake-engine.mjs', import.meta.url));

/** Returns the scripted engine with these arguments (see fake-engine.mjs). */
export function fakeEngine(...words: string[]): EngineSpec {
  return { command: process.execPath, args: [FAKE_ENGINE, ...words], options: {} };
}
