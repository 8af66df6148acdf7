// The file of `--variables`: names and OpenBench's lines, or weather-factory's config.json.

import { readFileSync } from 'node:fs';
import { UserError } from '../../selfplay/common/errors.js';

/** A parameter of weather-factory; `step` is its perturbation. */
const KEYS = ['value', 'min_value', 'max_value', 'step'] as const;

/** Returns the names and lines of the file; throws a UserError if it cannot be read. */
export function variableLines(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UserError(`--variables: cannot read ${file}: ${(error as Error).message}`);
  }
  if (/^\s*\{/.test(text)) return weatherFactoryLines(text, file);
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line !== '');
}

/** Returns OpenBench's lines for the parameters of a config.json. */
function weatherFactoryLines(text: string, file: string): string[] {
  let parameters: Record<string, Partial<Record<string, unknown>> | null>;
  try {
    parameters = JSON.parse(text);
  } catch (error) {
    throw new UserError(`--variables: ${file}: ${(error as Error).message}`, 2);
  }
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
