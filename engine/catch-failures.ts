// Import this first in main.ts: reports errors of the modules that are loaded after it, which need memory themselves.

import { exitOnFailure } from './start-failure.js';

process.once('uncaughtException', exitOnFailure);
