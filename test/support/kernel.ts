// Runs before each test file. Test files share processes, so each one finds the engine as in a new process.

import { resetEngine } from './wasm.js';

resetEngine();
