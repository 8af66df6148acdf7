// emitValues() writes the values of a fit as source code, to the folder of the run and, with --patch, into one of the user's source files.

import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { attempt, UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { choice, type SettingsOf, text } from '../../selfplay/common/options.js';
import type { Model, Term } from '../model/model.js';
import { EMITTED_FILES, LANGUAGES, renderBody, renderTerm, renderValues, type Style } from './languages.js';

export const EMIT_OPTIONS = {
  emit: choice('language in which the values are also written as arrays', LANGUAGES),
  macro: text('macro around each pair in the arrays of --emit, for example S for S(12, -7)', { defaultText: 'none' }),
  type: text('type of the pairs in the arrays of --emit, or of the numbers without --macro, for example Score', {
    defaultText: 'usual for the language',
  }),
  patch: text('source file whose values are replaced between heft:begin or heft:values TERM and heft:end'),
};

export type EmitSettings = SettingsOf<typeof EMIT_OPTIONS>;

/** Returns the names of the files that emitValues() writes into the folder. */
export const emittedFiles = ({ emit }: EmitSettings): string[] => (emit === undefined ? [] : [EMITTED_FILES[emit]]);

/**
 * Checks the options, and the markers in the file to patch, before a fit. Throws a UserError if any is invalid. The values of `weights`
 * have no effect.
 */
export function checkEmit(settings: EmitSettings, model: Model, weights: WeightSet): void {
  const { emit, macro, type, patch } = settings;
  const style = styleOf(settings);
  if (style === null && (macro ?? type ?? patch) !== undefined)
    throw new UserError('--macro, --type and --patch require --emit', 2);
  if (macro !== undefined && (emit === 'json' || !/^[A-Za-z_][\w:.]*!?$/.test(macro)))
    throw new UserError(`--macro ${macro}: ${emit === 'json' ? 'JSON has no macros' : 'not an identifier'}`, 2);
  if (type !== undefined && emit === 'json') throw new UserError(`--type ${type}: JSON has no types`, 2);
  if (style !== null && patch !== undefined) patchedFile(patch, model, weights, style);
}

/** Writes the values and returns the paths of the files. The patched file is replaced atomically. */
export function emitValues(settings: EmitSettings, model: Model, weights: WeightSet, folder: string): string[] {
  const style = styleOf(settings);
  if (style === null) return [];
  const file = join(folder, EMITTED_FILES[style.language]);
  writeFileAtomic(file, renderValues(model, weights, style));
  const { patch } = settings;
  if (patch === undefined) return [file];
  writeFileAtomic(patch, patchedFile(patch, model, weights, style));
  return [file, patch];
}

function patchedFile(file: string, model: Model, weights: WeightSet, style: Style): Buffer {
  if (!existsSync(file)) throw new UserError(`--patch: no such file: ${file}`, 2);
  const bytes = attempt(`--patch: cannot read ${file}`, () => readFileSync(file));
  // Old sources often have an 8-bit encoding, which decoding as UTF-8 would damage
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  return Buffer.from(patched(bytes.toString(encoding), file, model, weights, style), encoding);
}

const styleOf = ({ emit, macro, type }: EmitSettings): Style | null =>
  emit === undefined ? null : { language: emit, macro, type };

// patched() replaces the values between markers in a source file. A marker is a line that contains, usually in a comment, one of
//
//   heft:begin [TERM …]   followed by the declarations of these terms, or of all terms
//   heft:values TERM      followed by the values of one term, without the outer brackets, for a declaration in the user's own style
//   heft:end              the end of the block
//
// All other lines, and their line endings, stay as they are. In JSON, commas separate the terms of a block. If heft:end is itself an entry,
// a comma also follows the last term.

const MARKER = /heft:(begin|values|end)\b((?:"[ \t]*:[ \t]*"|:)?[\w \t,[\]]*)/;

/** Returns the text with new values. Throws a UserError with file and line for an invalid marker, or if there is no marker. */
export function patched(text: string, file: string, model: Model, weights: WeightSet, style: Style): string {
  // Lines with their endings
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const comma = style.language === 'json' ? ',' : '';
  const out: string[] = [];
  let open: { line: number; isList: boolean } | null = null;
  let blocks = 0;
  for (const [index, line] of lines.entries()) {
    const [, kind, words] = MARKER.exec(line) ?? [];
    const fail = (problem: string): never => {
      throw new UserError(`${file}:${index + 1}: ${problem}`);
    };
    if (kind === 'end') {
      if (open === null) fail('heft:end without heft:begin or heft:values before it');
      // In strict JSON, the marker itself is an entry
      if (open?.isList === true && /^\s*"/.test(line)) out.push(out.pop()?.replace(/(?=\r?\n)/, comma) ?? '');
      open = null;
    }
    if (open === null) out.push(line);
    if (kind !== 'begin' && kind !== 'values') continue;
    if (open !== null)
      fail(`a marker within the block that begins on line ${open.line}; end that block with heft:end first`);
    open = { line: index + 1, isList: kind === 'begin' };
    blocks++;
    const names = words.split(/[\s,:"]+/).filter(Boolean);
    const terms = names.map((name) => model.terms.find((term) => term.name === name) ?? fail(`no such term: ${name}`));
    if (kind === 'values' && terms.length !== 1) fail('heft:values takes the name of one term');
    const chosen = terms.length === 0 ? model.terms : (terms as Term[]);
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const ending = line.endsWith('\r\n') ? '\r\n' : '\n';
    const render = kind === 'values' ? renderBody : renderTerm;
    const texts = chosen.map((term) => render(term, weights.terms[term.name], style));
    for (const value of texts.join(`${comma}\n\n`).split('\n')) out.push((value === '' ? '' : indent + value) + ending);
  }
  if (open !== null) throw new UserError(`${file}:${open.line}: the block that begins here has no heft:end`);
  if (blocks === 0)
    throw new UserError(
      `${file}: no line has heft:begin or heft:values; put the values between such a line and one with heft:end`,
    );
  return out.join('');
}
