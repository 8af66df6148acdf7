// Terminal output of a loop that is stopped: progress is redrawn in place and must not erase messages.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { isSlow } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/loop/loop-main.js'));
const scratch = mkdtempSync(join(tmpdir(), 'heft-loop-terminal-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Returns the lines that a terminal would show, interpreting the escape sequences of a redrawn table. */
function shown(output: string): string[] {
  const lines = [''];
  let row = 0;
  let column = 0;
  for (const part of output.split('\x1b')) {
    const [sequence = '', number, action] = /^\[\??(\d*)([A-Za-z])/.exec(part) ?? [];
    if (action === 'A') row = Math.max(0, row - Number(number || 1));
    if (action === 'K') lines[row] = number === '2' ? '' : lines[row].slice(0, column);
    if (action === 'J') lines.splice(row, lines.length, lines[row].slice(0, column));
    if (action === 'G') column = 0;
    for (const character of part.slice(sequence.length)) {
      if (character === '\r') column = 0;
      else if (character === '\n') lines[++row] ??= '';
      else {
        lines[row] = lines[row].slice(0, column).padEnd(column) + character + lines[row].slice(column + 1);
        column++;
      }
    }
  }
  return lines.map((line) => line.trimEnd());
}

test.runIf(isSlow && spawnSync('script', ['--version']).status === 0)(
  'a loop stopped in a terminal prints a stop message and the path of its report',
  async () => {
    const command = `stty cols 80 rows 30; "${process.execPath}" "${MAIN}" --preset smoke --games 4000 --out "${join(scratch, 'run')}"`;
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: scratch });
    let output = '';
    const ended = new Promise((resolve) => child.on('close', resolve));
    const playing = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        output += chunk;
        if (/ 2\d\/4000/.test(output)) resolve();
      });
    });
    await playing;
    child.stdin.write('\x03');
    expect(await ended).toBe(130);
    const lines = shown(output);
    expect(lines.join('\n')).toMatch(/\ngeneration 1 of 1: 4000 games at 150 nodes per move \(about .* left\)\n/);
    expect(lines.join('\n')).toContain('stopping; press Ctrl-C again to stop at once');
    expect(lines.join('\n')).toMatch(
      /\nreport so far: .*run\/report\.html\nstopped; the same command continues the run\n/,
    );
    expect(lines.join('\n')).not.toContain('games/s');
  },
  120_000,
);
