// Conversion of names and lines to variables, and of values to options or, for knobs, to weights. Variables are options declared by the
// engine, elements of a list in a string option, and knobs of Heft's evaluation tables.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import type { Random } from '../../engine/kernel/random.js';
import { didYouMean } from '../../engine/names.js';
import { PARAMS } from '../../engine/search/params.js';
import { UserError } from '../../selfplay/common/errors.js';
import { type Knob, knobVariable, parseKnob, turnKnobs } from './knobs.js';
import { DEFAULT_R_END, parseVariable, shortNumber, type Variable } from './variable.js';

/** An engine's declared options: declaration, from the type on, by lower-case name. */
export type Declarations = ReadonlyMap<string, string>;

const ELEMENT = /^(.+)\[(\d+)\]$/;
const NUMBER = /-?\d+(?:\.\d+)?/g;

/**
 * Returns the variables for names and lines: `all` for Heft's search parameters, a name with its declared range, or a line in OpenBench's
 * format. Throws a UserError if one cannot be tuned.
 */
export function resolveVariables(texts: readonly string[], declared: Declarations, base: WeightSet | null): Variable[] {
  const variables = texts.flatMap((text) => {
    if (text === 'all' && base !== null) return Object.keys(PARAMS).map(searchParameter);
    if (!text.includes(',')) return [defaultVariable(text, declared, base)];
    const variable = parseVariable(text, 'variable');
    return [{ ...variable, name: (base === null ? undefined : ownName(variable.name)) ?? variable.name }];
  });
  for (const [i, variable] of variables.entries()) {
    const problem = problemOf(variable, declared, base);
    if (problem !== null) throw new UserError(`variable ${variable.name}: ${problem}`, 2);
    if (variables.findIndex(({ name }) => name.toLowerCase() === variable.name.toLowerCase()) < i) {
      throw new UserError(`variable ${variable.name} is given twice`, 2);
    }
  }
  return variables;
}

// The names of UCI options are not case-sensitive
const ownName = (name: string): string | undefined =>
  Object.keys(PARAMS).find((param) => param.toLowerCase() === name.toLowerCase());

/** Returns a search parameter of Heft as a variable, with its declared step as c_end. */
export function searchParameter(name: string): Variable {
  const { value, min, max, step } = PARAMS[name];
  return { name, kind: 'int', start: value, min, max, cEnd: step, rEnd: DEFAULT_R_END };
}

/** Converts values to options and weights of an engine. */
export class Tunables {
  private readonly knobs: (Knob | null)[];

  /** `base` holds the weights of the knobs; null for another engine. */
  constructor(
    private readonly variables: readonly Variable[],
    private readonly declared: Declarations,
    private readonly base: WeightSet | null,
  ) {
    this.knobs = variables.map(({ name }) => (base === null ? null : parseKnob(name)));
  }

  /** Whether weights are tuned. */
  get hasKnobs(): boolean {
    return this.knobs.some((knob) => knob !== null);
  }

  /** Returns the values of the options by name, without weights. */
  options(values: readonly number[]): Record<string, string> {
    const options: Record<string, string> = {};
    for (const [i, variable] of this.variables.entries()) {
      if (this.knobs[i] !== null) continue;
      const { name, kind } = variable;
      const text = kind === 'int' ? String(Math.round(values[i])) : shortNumber(values[i], variable);
      const list = listElement(name, this.declared);
      if (list === null) {
        options[name] = text;
        continue;
      }
      // The elements of a list may name it in different cases
      const option = Object.keys(options).find((key) => key.toLowerCase() === list.option.toLowerCase()) ?? list.option;
      options[option] = withElement(options[option] ?? list.text, list.index, text);
    }
    return options;
  }

  /** Returns the weights with the knobs at their values; see turnKnobs(). */
  weights(values: readonly number[], random?: Random): WeightSet {
    const turned = this.knobs.flatMap((knob, i) => (knob === null ? [] : [{ knob, value: values[i] }]));
    return turnKnobs(this.base as WeightSet, turned, random);
  }
}

function defaultVariable(name: string, declared: Declarations, base: WeightSet | null): Variable {
  const own = ownName(name);
  if (base !== null && own !== undefined) return searchParameter(own);
  const knob = base === null ? null : parseKnob(name);
  if (knob !== null) return knobVariable(name, knob);
  const range = rangeOf(name, declared);
  if (range === null) {
    const problem = optionProblem(name, declared) ?? 'needs a complete line with a range and c_end';
    throw new UserError(`variable ${name}: ${problem}`, 2);
  }
  const [start, min, max] = range;
  // Some engines declare an option that has only one value
  if (min >= max || start < min || start > max)
    throw new UserError(
      `variable ${name}: needs min < max and a default between them, not ${min}, ${start}, ${max}`,
      2,
    );
  const kind = range.every(Number.isInteger) ? 'int' : 'float';
  // A twentieth of the range, as in fishtest's form
  return { name, kind, start, min, max, cEnd: (max - min) / 20, rEnd: DEFAULT_R_END };
}

// Returns default, minimum and maximum. A number in a string ranges from 0 to twice its default, as in Stockfish's TUNE
function rangeOf(name: string, declared: Declarations): [number, number, number] | null {
  const declaration = declared.get(name.toLowerCase()) ?? '';
  const spin = spinOf(declaration);
  if (spin !== null) return spin;
  const list = listElement(name, declared);
  const text = list === null ? defaultText(declaration) : (list.text.match(NUMBER)?.[list.index] ?? '');
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value !== 0 ? [value, Math.min(0, 2 * value), Math.max(0, 2 * value)] : null;
}

function problemOf({ name, kind, min, max }: Variable, declared: Declarations, base: WeightSet | null): string | null {
  if (base !== null && parseKnob(name) !== null) return null;
  const problem = optionProblem(name, declared);
  if (problem !== null) return problem;
  const spin = spinOf(declared.get(name.toLowerCase()) ?? '');
  if (spin === null) return null;
  if (kind !== 'int' && spin.every(Number.isInteger)) return 'the engine takes only whole numbers';
  const [, lowest, highest] = spin;
  if (min >= lowest && max <= highest) return null;
  return `the engine takes numbers from ${lowest} to ${highest}, not from ${min} to ${max}`;
}

// Returns default, minimum and maximum of a spin option, which may come in any order and, in some engines, have decimals
function spinOf(declaration: string): [number, number, number] | null {
  if (!declaration.startsWith('spin ')) return null;
  const [preset, min, max] = [/ default (\S+)/, / min (\S+)/, / max (\S+)/].map((field) =>
    Number(field.exec(declaration)?.[1]),
  );
  return [preset, min, max].every(Number.isFinite) ? [preset, min, max] : null;
}

function optionProblem(name: string, declared: Declarations): string | null {
  const declaration = declared.get(name.toLowerCase());
  if (declaration !== undefined) {
    return /^(spin|string)/.test(declaration) ? null : `a ${declaration.split(' ')[0]} option is not a number`;
  }
  const list = listElement(name, declared);
  if (list === null)
    return `the engine has no such option${didYouMean(name, declared.keys())}; it has ${[...declared.keys()].join(', ')}`;
  const count = list.text.match(NUMBER)?.length ?? 0;
  if (count === 0) return `the default of ${list.option} contains no numbers: '${list.text}'`;
  return list.index < count ? null : `the list has the elements 0 to ${count - 1}: '${list.text}'`;
}

/** Returns the option, index and default of `NAME[i]`: number i, counted from 0, in the string option NAME. Otherwise returns null. */
function listElement(name: string, declared: Declarations): { option: string; index: number; text: string } | null {
  const [, option, index] = ELEMENT.exec(name) ?? [];
  if (option === undefined || declared.has(name.toLowerCase())) return null;
  const text = defaultText(declared.get(option.toLowerCase()) ?? '');
  return text === null ? null : { option, index: Number(index), text };
}

const defaultText = (declaration: string): string | null => /^string default (.*)$/.exec(declaration)?.[1] ?? null;

function withElement(list: string, index: number, text: string): string {
  let at = 0;
  return list.replace(NUMBER, (number) => (at++ === index ? text : number));
}
