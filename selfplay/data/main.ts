// `npm run data`: checks and converts files of games and positions, and runs suites of test positions.

import '../../engine/kernel-node.js';
import { hideBin } from 'yargs/helpers';
import { commandLine, runCommand } from '../common/command-line.js';
import { joinWords } from '../common/words.js';
import { checkCommand } from './check-command.js';
import { convertCommand } from './convert-command.js';
import { SUITE_OPTIONS, suiteCommand } from './suite/command.js';

// A reader of the output, such as head, may have enough of it
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await runCommand(async () => {
  await commandLine('data', 'check FILE… | convert FILE… --out FILE | suite FILE.epd')
    .command(checkCommand)
    .command(convertCommand)
    .command(suiteCommand)
    .demandCommand(1, 'data: name a command: check, convert or suite')
    .parseAsync(joinWords(hideBin(process.argv), SUITE_OPTIONS));
});
