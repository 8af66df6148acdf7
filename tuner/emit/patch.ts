// patched(): a source file with new values between its markers, lines that contain
//
//   heft:begin            the declarations of all terms, or of those that follow in the line
//   heft:values TERM      the values of a term alone, between the brackets of a declaration of the author's
//   heft:end              the end of either
//
// in a comment of the language. All other lines stay as they are.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import type { Model, Term } from '../model/model.js';
import { renderBody, renderTerm, type Style } from './languages.js';

const MARKER = /heft:(begin|values|end)\b([\w \t]*)/;

/** Returns the text with the values; throws a UserError with file and line for an invalid marker. */
export function patched(text: string, file: string, model: Model, weights: WeightSet, style: Style): string {
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const out: string[] = [];
  let open: { line: number } | null = null;
  let blocks = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, kind, words] = MARKER.exec(line) ?? [];
    const fail = (problem: string): never => {
      throw new UserError(`${file}:${index + 1}: ${problem}`);
    };
    if (kind === 'end') {
      if (open === null) fail('heft:end without heft:begin or heft:values before it');
      open = null;
    }
    if (open === null) out.push(line);
    if (kind !== 'begin' && kind !== 'values') continue;
    if (open !== null) fail(`a marker within the block that begins in line ${open.line}; end that with heft:end first`);
    open = { line: index + 1 };
    blocks++;
    const names = words.trim().split(/\s+/).filter(Boolean);
    const terms = names.map((name) => model.terms.find((term) => term.name === name) ?? fail(`no such term: ${name}`));
    if (kind === 'values' && terms.length !== 1) fail('heft:values takes the name of one term');
    const chosen = terms.length === 0 ? model.terms : (terms as Term[]);
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const blank = kind === 'begin' && chosen.length > 1 ? [''] : [];
    const texts = chosen.flatMap((term, i) => [
      ...(i > 0 ? blank : []),
      (kind === 'values' ? renderBody : renderTerm)(term, weights.terms[term.name], style),
    ]);
    for (const value of texts.join('\n').split('\n')) out.push(value === '' ? '' : indent + value);
  }
  if (open !== null) throw new UserError(`${file}:${open.line}: the block that begins here has no heft:end`);
  if (blocks === 0)
    throw new UserError(
      `${file}: no line has heft:begin or heft:values; put the values between such a line and one with heft:end`,
    );
  return out.join(ending);
}
