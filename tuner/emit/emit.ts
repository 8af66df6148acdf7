// EMIT_OPTIONS and emitValues(): the values of a fit as source text, in the run's folder or in the user's source file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { choice, type SettingsOf, text } from '../../selfplay/common/options.js';
import type { Model } from '../model/model.js';
import { EMITTED_FILES, LANGUAGES, renderValues, type Style } from './languages.js';
import { patched } from './patch.js';

export const EMIT_OPTIONS = {
  emit: choice(LANGUAGES, { help: 'language in which the values are also written, as arrays' }),
  macro: text({ defaultText: 'none', help: 'macro of a pair in these arrays, for example S for S(12, -7)' }),
  type: text({ defaultText: "the language's int", help: 'type of a pair in these arrays, for example Score' }),
  patch: text({
    help: 'source file whose values are replaced between heft:begin or heft:values TERM and heft:end',
  }),
};

export type EmitSettings = {
  [Name in keyof SettingsOf<typeof EMIT_OPTIONS>]?: SettingsOf<typeof EMIT_OPTIONS>[Name] | undefined;
};

/** Returns the files that will be written into the folder. */
export const emittedFiles = ({ emit }: EmitSettings): string[] => (emit === undefined ? [] : [EMITTED_FILES[emit]]);

/** Checks the options and the markers of the file to patch before a fit; any `weights` will do. */
export function checkEmit(settings: EmitSettings, model: Model, weights: WeightSet): void {
  const { emit, macro, type, patch } = settings;
  if (emit === undefined && (macro ?? type ?? patch) !== undefined)
    throw new UserError('--macro, --type and --patch require --emit', 2);
  if (macro !== undefined && (emit === 'json' || !/^[A-Za-z_][\w:.]*!?$/.test(macro)))
    throw new UserError(`--macro ${macro}: ${emit === 'json' ? 'JSON has no macros' : 'this is no name'}`, 2);
  if (patch !== undefined) patchedFile(patch, model, weights, settings);
}

/** Writes the values; the patched file is replaced atomically. */
export function emitValues(settings: EmitSettings, model: Model, weights: WeightSet, folder: string): string[] {
  const style = styleOf(settings);
  if (style === null) return [];
  const file = join(folder, EMITTED_FILES[style.language]);
  writeFileAtomic(file, renderValues(model, weights, style));
  const { patch } = settings;
  if (patch === undefined) return [file];
  writeFileAtomic(patch, patchedFile(patch, model, weights, settings));
  return [file, patch];
}

function patchedFile(file: string, model: Model, weights: WeightSet, settings: EmitSettings): string {
  if (!existsSync(file)) throw new UserError(`--patch: no such file: ${file}`, 2);
  const style = styleOf(settings) ?? { language: 'c' };
  return patched(readFileSync(file, 'utf8'), file, model, weights, style);
}

const styleOf = ({ emit, macro, type }: EmitSettings): Style | null =>
  emit === undefined ? null : { language: emit, macro, type };
