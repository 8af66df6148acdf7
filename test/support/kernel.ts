// Loaded before each test file: games, evaluations and searches of the test's process run in WebAssembly, as in the shipped programs.

import '../../engine/tracing-node.js';
