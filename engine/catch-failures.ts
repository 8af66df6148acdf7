// Import this module first in main.ts. It reports errors in the modules loaded after it, which may fail if memory is scarce.

import { exitOnFailure } from './start-failure.js';

process.once('uncaughtException', exitOnFailure);
