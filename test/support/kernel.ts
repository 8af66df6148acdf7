// Runs before each test file. Test files share processes, so the engine is reset to the state of a new process.

import { resetEngine } from './wasm.js';

resetEngine();
