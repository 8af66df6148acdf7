// A variable: a number with a range, and the lines in which OpenBench and fishtest write it.

import { UserError } from '../../selfplay/common/errors.js';

export interface Variable {
  name: string;
  /** Whole numbers are played with after stochastic rounding. */
  kind: 'int' | 'float';
  start: number;
  min: number;
  max: number;
  /** What it is perturbed by in the last iteration; with Kiiski's method the standard deviation throughout. */
  cEnd: number;
  /** The step rate of the last iteration; Kiiski's method has its apply factor instead. */
  rEnd: number;
}

/** The step rate where none is given: fishtest's and OpenBench's. */
export const DEFAULT_R_END = 0.002;

/**
 * Reads `name, int|float, start, min, max, c_end, r_end` (OpenBench), the kind left out as in fishtest, or r_end left out.
 * A line that is wrong is a UserError that begins with `where`.
 */
export function parseVariable(line: string, where: string): Variable {
  const fields = line.split(',').map((field) => field.trim());
  const isTyped = fields[1] === 'int' || fields[1] === 'float';
  const [name, ...rest] = isTyped ? [fields[0], ...fields.slice(2)] : fields;
  const numbers = rest.map((field) => (field === '' ? Number.NaN : Number(field)));
  if (name === '' || numbers.length < 4 || numbers.length > 5 || !numbers.every(Number.isFinite)) {
    throw new UserError(`${where}: '${line}' is not: name, int or float, start, min, max, c_end, r_end`, 2);
  }
  const [start, min, max, cEnd, rEnd = DEFAULT_R_END] = numbers;
  const kind = isTyped && fields[1] === 'float' ? 'float' : 'int';
  const problem =
    min >= max || start < min || start > max
      ? `needs min <= start <= max, not ${min}, ${start}, ${max}`
      : cEnd <= 0 || rEnd <= 0
        ? `needs c_end and r_end above 0, not ${cEnd} and ${rEnd}`
        : kind === 'int' && ![min, max].every(Number.isInteger)
          ? `is a whole number and needs whole bounds, not ${min} and ${max}`
          : null;
  if (problem !== null) throw new UserError(`${where}: ${name} ${problem}`, 2);
  return { name, kind, start, min, max, cEnd, rEnd };
}

/** Returns the variable as OpenBench's SPSA input has it, starting from the value. */
export function formatVariable({ name, kind, start, min, max, cEnd, rEnd }: Variable, value = start): string {
  return [name, kind, shortNumber(value), min, max, cEnd, rEnd].join(', ');
}

/** Returns the number with as many digits as matter: four behind the point at most. */
export function shortNumber(value: number): string {
  return String(Number(value.toFixed(4)));
}
