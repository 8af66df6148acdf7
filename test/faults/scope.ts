// Scope of the fault tests: a few runs of the quick commands in `npm run test:slow`; HEFT_FAULTS=all tests all commands fully, and a list
// such as loop,data only those named. HEFT_FAULT_POINTS limits the failing calls of each command, the damaged copies of each kind of file,
// and the kills.

import { SMALL_RUNS } from './small-runs.js';

const asked = process.env['HEFT_FAULTS'] ?? '';
const QUICK = ['selfplay', 'label', 'match', 'spsa'];
const names = asked === '' ? QUICK : asked.split(',');

/** Whether the full test was requested. */
export const isFull = asked !== '';

/** The commands to test. */
export const CHOSEN = SMALL_RUNS.filter(({ name }) => asked === 'all' || names.includes(name));

/** Number of failing calls per command. */
export const POINTS = Number(process.env['HEFT_FAULT_POINTS'] ?? (isFull ? Number.POSITIVE_INFINITY : 8));
