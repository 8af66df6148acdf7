// A command: what it is called, its options, and what it does with their settings.

import type { CommandModule } from 'yargs';
import { addOptions, givenSettings, type Options, readSettings, type SettingsOf } from './options.js';

/**
 * Returns the command for yargs; the name `$0` is the one that needs no name. `run` gets the settings, and those among them that
 * were given rather than left at their defaults.
 */
export function command<O extends Options>(
  name: string,
  describe: string,
  options: O,
  run: (settings: SettingsOf<O>, given: Partial<SettingsOf<O>>) => Promise<void> | void,
): CommandModule {
  return {
    command: name,
    describe,
    builder: (parser) => addOptions(parser, options),
    handler: (argv) => run(readSettings(options, argv), givenSettings(options, argv)),
  };
}
