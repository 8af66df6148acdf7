// renderValues() formats fitted values as source code, with one array per term, in the order in which the terms are declared and with their
// declared shapes.

import type { Pair, WeightSet } from '../../engine/eval/weight-set.js';
import { isBoard, type Model, type Term } from '../model/model.js';
import { provenanceComments } from '../weights/weights-file.js';

export const LANGUAGES = ['c', 'cpp', 'rust', 'ts', 'json'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Name of the output file in the folder of a run. */
export const EMITTED_FILES: Record<Language, string> = {
  c: 'weights.h',
  cpp: 'weights.hpp',
  rust: 'weights.rs',
  ts: 'weights.ts',
  json: 'values.json',
};

export interface Style {
  language: Language;
  /** Macro around a pair, such as S in `S(12, -7)`. Without it, a pair is an array of two. */
  macro?: string | undefined;
  /**
   * Type in the declarations. With a macro, untapered terms do not use it. Default: the usual type of the language; in Rust with a macro,
   * the result of rustType().
   */
  type?: string | undefined;
}

interface Syntax {
  brackets: readonly [open: string, close: string];
  /** Default types of an entry: `type` for integers, `real` for numbers with fractions, which frozen values may have. */
  type: string;
  real: string;
  declare: (name: string, type: string, lengths: readonly number[], values: string) => string;
}

const ofC = (storage: string): Syntax => ({
  brackets: ['{', '}'],
  type: 'int',
  real: 'double',
  declare: (name, type, lengths, values) =>
    `${storage} ${type} ${name}${lengths.map((length) => `[${length}]`).join('')} = ${values};`,
});

const SYNTAX: Record<Language, Syntax> = {
  c: ofC('static const'),
  cpp: ofC('inline constexpr'),
  rust: {
    brackets: ['[', ']'],
    type: 'i32',
    real: 'f64',
    declare: (name, type, lengths, values) => {
      const whole = lengths.reduceRight((inner, length) => `[${inner}; ${length}]`, type);
      return `pub const ${snakeCase(name)}: ${whole} = ${values};`;
    },
  },
  ts: {
    brackets: ['[', ']'],
    type: '',
    real: '',
    declare: (name, type, lengths, values) =>
      `export const ${name}${type === '' ? '' : `: ${type}${'[]'.repeat(lengths.length)}`} = ${values};`,
  },
  json: {
    brackets: ['[', ']'],
    type: '',
    real: '',
    declare: (name, _, __, values) => `${JSON.stringify(name)}: ${values}`,
  },
};

/** Returns the text of an output file. Except in JSON, comments at the top give the provenance of the values. */
export function renderValues(model: Model, weights: WeightSet, style: Style): string {
  const declarations = model.terms.map((term) => renderTerm(term, weights.terms[term.name], style));
  if (style.language === 'json') return `{\n${declarations.map(indented).join(',\n')}\n}\n`;
  const head = [
    `// Values of ${model.engine}, fitted by Heft's tuner. Generated: the next fit replaces them.`,
    ...provenanceComments(weights),
  ];
  const guard = style.language === 'c' || style.language === 'cpp' ? ['', '#pragma once'] : [];
  return `${[...head, ...guard, '', declarations.join('\n\n')].join('\n')}\n`;
}

/** Returns the declaration of a term. */
export function renderTerm(term: Term, pairs: readonly Pair[], style: Style): string {
  const { declare, ...types } = SYNTAX[style.language];
  const type = isWhole(pairs) ? types.type : types.real;
  const hasPair = style.macro === undefined && term.isUntapered !== true;
  // Without a macro, a pair is an array of two
  const lengths = [...shapeOf(term), ...(hasPair ? [2] : [])];
  const isPlain = term.isUntapered === true && style.macro !== undefined;
  const usual = style.language === 'rust' && style.macro !== undefined ? rustType(style.macro) : type;
  return declare(term.name, isPlain ? type : (style.type ?? usual), lengths, nested(term, pairs, style));
}

/**
 * Returns the type of a pair in Rust. The macro `S` is a tuple struct and therefore the type; `S::new` is a function of the type. The
 * result type of a real macro is unknown; i32 is assumed.
 */
const rustType = (macro: string): string => (macro.endsWith('!') ? 'i32' : macro.replace(/::[a-z]\w*$/, ''));

/** Returns the values of a term without the outer brackets, for use inside an existing declaration. */
export function renderBody(term: Term, pairs: readonly Pair[], style: Style): string {
  const text = nested(term, pairs, style);
  if (shapeOf(term).length === 0) return text;
  const lines = text
    .slice(1, -1)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
}

const shapeOf = ({ shape, isSingle }: Term): readonly number[] => (isSingle === true ? [] : shape);

function nested(term: Term, pairs: readonly Pair[], style: Style): string {
  // In Rust, the literal 3 is not an f64
  const isReal = style.language === 'rust' && !isWhole(pairs);
  const textOf = (value: number): string => (isReal && Number.isInteger(value) ? value.toFixed(1) : String(value));
  const cells = pairs.map(([mg, eg]) => cellOf(term, textOf(mg), textOf(eg), style));
  const width = Math.max(...cells.map(({ length }) => length));
  const [open, close] = SYNTAX[style.language].brackets;
  const comma = style.language === 'json' ? '' : ',';
  const render = (lengths: readonly number[], from: number): string => {
    const [length, ...inner] = lengths;
    if (length === undefined) return cells[from];
    const size = inner.reduce((product, one) => product * one, 1);
    if (inner.length > 0) {
      const parts = Array.from({ length }, (_, i) => indented(render(inner, from + i * size)));
      return `${open}\n${parts.join(',\n')}${comma}\n${close}`;
    }
    const row = cells.slice(from, from + length);
    // One rank of a board per line
    const across = isBoard(term) ? 8 : length;
    if (row.length <= across && row.join(', ').length <= 100) return `${open}${row.join(', ')}${close}`;
    const perLine = isBoard(term) ? 8 : Math.max(1, Math.floor(100 / (width + 2)));
    const lines = Array.from({ length: Math.ceil(length / perLine) }, (_, i) =>
      row
        .slice(i * perLine, (i + 1) * perLine)
        .map((cell) => cell.padStart(width))
        .join(', '),
    );
    return `${open}\n${lines.map((line) => `  ${line}`).join(',\n')}${comma}\n${close}`;
  };
  return render(shapeOf(term), 0);
}

const isWhole = (pairs: readonly Pair[]): boolean => pairs.flat().every(Number.isInteger);

function cellOf(term: Term, mg: string, eg: string, { language, macro }: Style): string {
  if (term.isUntapered === true) return mg;
  const [open, close] = macro === undefined ? SYNTAX[language].brackets : [`${macro}(`, ')'];
  return `${open}${mg}, ${eg}${close}`;
}

const indented = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`;

const snakeCase = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
