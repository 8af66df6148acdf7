// Loaded before each test file: games, evaluations and searches of the test's process run in WebAssembly, as in the shipped programs.

import { compiled } from '../../engine/kernel-node.js';
import { useTracing } from '../../engine/search/kernel.js';

useTracing(compiled('trace'));
