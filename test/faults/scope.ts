// What the tests of faults try: a little of the quick commands in `npm run test:slow`; HEFT_FAULTS=all, or a list such as loop,data, tries all of
// these commands. HEFT_FAULT_POINTS limits the calls that fail in each, the damages of each kind of file, and the kills.

import { SMALL_RUNS } from './small-runs.js';

const asked = process.env['HEFT_FAULTS'] ?? '';
const QUICK = ['selfplay', 'label', 'match', 'spsa'];
const names = asked === '' ? QUICK : asked.split(',');

/** Whether more than a little is tried. */
export const isFull = asked !== '';

/** The commands that are tried. */
export const CHOSEN = SMALL_RUNS.filter(({ name }) => asked === 'all' || names.includes(name));

/** Calls that fail in each command. */
export const POINTS = Number(process.env['HEFT_FAULT_POINTS'] ?? (isFull ? Number.POSITIVE_INFINITY : 8));
