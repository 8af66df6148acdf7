// Import this first in main.ts: reports errors of modules loaded after it, which may fail for lack of memory.

import { exitOnFailure } from './start-failure.js';

process.once('uncaughtException', exitOnFailure);
