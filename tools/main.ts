// `heft-tools COMMAND`: one program for what the npm scripts of a clone do.

import { readFileSync } from 'node:fs';
import { projectFile } from '../selfplay/common/program.js';
import { COMMANDS } from './commands.js';

const [name = '--help'] = process.argv.slice(2);

if (Object.hasOwn(COMMANDS, name)) {
  // To the command its own words are all that there are
  process.argv.splice(2, 1);
  await COMMANDS[name].run();
} else if (name === '--help' || name === '-h' || name === 'help') {
  console.log(usage());
} else if (name === '--version') {
  console.log(JSON.parse(readFileSync(projectFile('package.json'), 'utf8')).version);
} else {
  process.stderr.write(`error: no such command: ${name.slice(0, 40)} (heft-tools --help lists them)\n`);
  process.exitCode = 2;
}

function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((command) => command.length)) + 2;
  const lines = Object.entries(COMMANDS).map(([command, { help }]) => `  ${command.padEnd(width)}${help}`);
  return `heft-tools COMMAND [options]\n\n${lines.join('\n')}\n\nheft-tools COMMAND --help explains each one's options.`;
}
