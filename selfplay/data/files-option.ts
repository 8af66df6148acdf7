// The files of a command, as its words without an option.

import { UserError } from '../common/errors.js';
import { list, type SettingsOf } from '../common/options.js';

export const FILES_OPTION = { files: list({ help: 'files or folders' }) };

/** Returns the files; UserError if there are none. */
export function filesOf({ files }: SettingsOf<typeof FILES_OPTION>): readonly string[] {
  if (files === undefined || files.length === 0) throw new UserError('name at least one file or folder', 2);
  return files.map(String);
}
