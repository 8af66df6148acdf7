// Variable: a number to tune, with its range. Variables are read from lines in the format of OpenBench or fishtest, or from
// weather-factory's config.json, and written in OpenBench's format.

import { readFileSync } from 'node:fs';
import { attempt, UserError } from '../../selfplay/common/errors.js';

export interface Variable {
  name: string;
  /** Integers are rounded stochastically for games. */
  kind: 'int' | 'float';
  start: number;
  min: number;
  max: number;
  /** Perturbation in the last iteration; in Kiiski's method, the constant standard deviation. */
  cEnd: number;
  /** Step rate in the last iteration; Kiiski's method uses its apply factor instead. */
  rEnd: number;
}

/** Default step rate, as in fishtest and OpenBench. */
export const DEFAULT_R_END = 0.002;

/**
 * Reads `name, int|float, start, min, max, c_end, r_end` (OpenBench), optionally without the kind, as in fishtest, or without r_end. Throws
 * a UserError that begins with `where` for an invalid line.
 */
export function parseVariable(line: string, where: string): Variable {
  const fields = line.split(',').map((field) => field.trim());
  const isTyped = fields[1] === 'int' || fields[1] === 'float';
  const [name, ...rest] = isTyped ? [fields[0], ...fields.slice(2)] : fields;
  const numbers = rest.map((field) => (field === '' ? Number.NaN : Number(field)));
  if (name === '' || numbers.length < 4 || numbers.length > 5 || !numbers.every(Number.isFinite)) {
    throw new UserError(`${where}: '${line}' is not of the form name, int or float, start, min, max, c_end, r_end`, 2);
  }
  const [start, min, max, cEnd, rEnd = DEFAULT_R_END] = numbers;
  const kind = isTyped && fields[1] === 'float' ? 'float' : 'int';
  const problem =
    min >= max || start < min || start > max
      ? `needs min < max and start between them, not ${min}, ${start}, ${max}`
      : cEnd <= 0 || rEnd <= 0
        ? `needs c_end and r_end above 0, not ${cEnd} and ${rEnd}`
        : kind === 'int' && ![min, max].every(Number.isInteger)
          ? `is an integer and needs integer bounds, not ${min} and ${max}`
          : null;
  if (problem !== null) throw new UserError(`${where}: ${name} ${problem}`, 2);
  return { name, kind, start, min, max, cEnd, rEnd };
}

/** Returns the variable as OpenBench's SPSA input, starting from the value. */
export function formatVariable(variable: Variable, value = variable.start): string {
  const { name, kind, min, max, cEnd, rEnd } = variable;
  return [name, kind, shortNumber(value, variable), min, max, cEnd, rEnd].join(', ');
}

/** Determines the number of decimals of a variable's values. */
type Scale = Pick<Variable, 'cEnd'>;

/** Returns a value of a variable with this number of decimals, or more if a hundredth of its c_end requires them. */
export const fixedNumber = (value: number, { cEnd }: Scale, decimals: number): string =>
  value.toFixed(Math.min(100, Math.max(decimals, 2 - Math.floor(Math.log10(cEnd)))));

/** Returns a value of a variable with at most four decimals, or enough to show a hundredth of its c_end. */
export const shortNumber = (value: number, scale: Scale = { cEnd: 1 }): string =>
  String(Number(fixedNumber(value, scale, 4)));

// The file of `--variables`: names and OpenBench's lines, or weather-factory's config.json.

/** Fields of a weather-factory parameter; `step` is the perturbation. */
const KEYS = ['value', 'min_value', 'max_value', 'step'] as const;

/** Returns the names and lines of the file; throws a UserError if it cannot be read. */
export function variableLines(file: string): string[] {
  const text = attempt(`--variables: cannot read ${file}`, () => readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  if (/^\s*\{/.test(text)) return weatherFactoryLines(text, file);
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line !== '');
}

/** Returns OpenBench's lines for the parameters of a config.json. */
function weatherFactoryLines(text: string, file: string): string[] {
  type Parameters = Record<string, Partial<Record<string, unknown>> | null>;
  const parameters: Parameters = attempt(`--variables: ${file}`, () => JSON.parse(text), 2);
  return Object.entries(parameters).map(([name, parameter]) => {
    const missing = KEYS.find((key) => typeof parameter?.[key] !== 'number');
    if (missing !== undefined || parameter === null) {
      throw new UserError(
        `--variables: ${file}: ${name} has no number "${missing}"; weather-factory's config.json has ${KEYS.join(', ')} for each parameter`,
        2,
      );
    }
    // A comma would start the next field; UCI names may contain blanks
    if (/[,\r\n\t]/.test(name) || name.trim() !== name)
      throw new UserError(`--variables: ${file}: '${name}' is not a valid option name for SPSA`, 2);
    return [name, 'int', ...KEYS.map((key) => parameter[key])].join(', ');
  });
}
