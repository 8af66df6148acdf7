// `heft-tools COMMAND`: one program with the main commands, which are npm scripts in a clone. Each command runs the same program as the npm
// script of that name, with the same options and help.

import { readFileSync } from 'node:fs';
import { projectFile } from '../selfplay/common/program.js';

interface ToolCommand {
  help: string;
  /** Imports the program, which reads process.argv as if started directly. */
  run: () => Promise<unknown>;
}

const COMMANDS: Readonly<Record<string, ToolCommand>> = {
  match: {
    help: 'play engines or git revisions: SPRT, gauntlet, round robin, Swiss',
    run: () => import('../selfplay/match/main.js'),
  },
  queue: {
    help: 'play a queue of tests on this machine, with a web page',
    run: () => import('../selfplay/queue/main.js'),
  },
  ratings: {
    help: 'rate the players of PGN files, with error margins',
    run: () => import('../selfplay/ratings/main.js'),
  },
  spsa: { help: 'tune the options of any engine by playing games (SPSA)', run: () => import('../tuner/spsa/main.js') },
  tune: { help: 'fit evaluation weights to games or positions', run: () => import('../tuner/commands/tune-main.js') },
  data: {
    help: 'check and convert files of games and positions, and run test suites',
    run: () => import('../selfplay/data/main.js'),
  },
  selfplay: { help: 'record self-play games of Heft', run: () => import('../selfplay/datagen/main.js') },
  loop: {
    help: 'train Heft on its own games, in generations',
    run: () => import('../tuner/loop/loop-main.js'),
  },
};

const [name = '--help'] = process.argv.slice(2);

if (Object.hasOwn(COMMANDS, name)) {
  // The command must receive only its own arguments
  process.argv.splice(2, 1);
  await COMMANDS[name].run();
} else if (name === '--help' || name === '-h' || name === 'help') {
  console.log(usage());
} else if (name === '--version') {
  console.log(JSON.parse(readFileSync(projectFile('package.json'), 'utf8')).version);
} else {
  process.stderr.write(`error: no such command: ${name.slice(0, 40)} (heft-tools --help lists the commands)\n`);
  process.exitCode = 2;
}

function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((command) => command.length)) + 2;
  const lines = Object.entries(COMMANDS).map(([command, { help }]) => `  ${command.padEnd(width)}${help}`);
  return `heft-tools COMMAND [options]\n\n${lines.join('\n')}\n\nheft-tools COMMAND --help lists the options of a command.`;
}
