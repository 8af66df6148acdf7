// Tests of the installed package in a host (a version of Node, Bun or Deno), and the examples of its README with their expected output.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const README = new URL('../../engine/npm/README.md', import.meta.url);
const codes = Array.from(readFileSync(README, 'utf8').matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code);

const PRINTED = [
  /^[a-h][1-8][a-h][1-8]\n$/,
  /^1 \{ cp: -?\d+ \} [\s\S]*\n10 \{ cp: -?\d+ \} .*\n[a-h][1-8][a-h][1-8] \d+\n$/,
  /^d1d8 \[ \{ mate: 1 \}, \{ cp: -?\d+ \} \]\nTimeoutError\n$/,
  /^\d+ 0 \{ name: 'passedPawn', mg: -?\d+, eg: -?\d+, tapered: -?\d+ \}\n0\n$/,
  /^Bxf7\+ scores −\d\.\d\d and O-O \S+\.\nMaterial \d+\n$/,
  /^20 8902\ncheckmate d8h4 rnb1kbnr\/pppp1ppp\/8\/4p3\/6Pq\/5P2\/PPPPP2P\/RNBQKBNR w KQkq - 1 3\n\[[^\]]*'e4'[^\]]*\]\n$/,
];
if (codes.length !== PRINTED.length) throw new Error(`${codes.length} examples instead of ${PRINTED.length}`);

export const EXAMPLES = codes.map((code, i) => ({ code, printed: PRINTED[i] }));

const MISUSES = fileURLToPath(new URL('library-misuses.mjs', import.meta.url));

/** Declares the tests of the package that is installed in a folder, run by a program with arguments before the script. */
export function runsPackage(folder: string, program: string, args: readonly string[]): void {
  const run = (file: string, input = '', ...more: string[]): string =>
    execFileSync(program, [...args, file, ...more], { cwd: folder, encoding: 'utf8', input, stdio: 'pipe' });
  const heft = join(folder, 'node_modules/heft-chess/dist/heft.js');

  test.each(EXAMPLES)('README example %$ prints the documented output', ({ code, printed }) => {
    // console.log of Bun and Deno formats differently
    const print =
      "import { formatWithOptions as format } from 'node:util'; console.log = (...words) => process.stdout.write(format({}, ...words) + '\\n');";
    writeFileSync(join(folder, 'example.mjs'), `${print}\n${code}`);
    expect(run('example.mjs')).toMatch(printed);
  });

  test('each misuse of the library throws a typed error', () => {
    copyFileSync(MISUSES, join(folder, 'misuses.mjs'));
    const code = "import * as library from 'heft-chess'; import { misuse } from './misuses.mjs';";
    writeFileSync(join(folder, 'misuse.mjs'), `${code} console.log(JSON.stringify(await misuse(library)));`);
    const { count, wrong } = JSON.parse(run('misuse.mjs'));
    expect([count >= 60, wrong]).toEqual([true, []]);
  });

  test('a script can load the library with require()', () => {
    const play = "require('heft-chess').createEngine({ hash: 1 }).then(async (engine) => {";
    const code = `${play} console.log((await engine.search({ depth: 2 })).bestMove); engine.close(); });`;
    writeFileSync(join(folder, 'required.cjs'), code);
    expect(run('required.cjs')).toMatch(/^[a-h][1-8]/);
  });

  test('the program runs as a UCI engine with several threads, and rejects an invalid argument', () => {
    const input = 'uci\nsetoption name Threads value 3\ngo depth 8\nisready\n';
    expect(run(heft, input)).toMatch(/^uciok\n[\s\S]*^bestmove /m);
    expect(() => run(heft, '', '--weights', 'none.json')).toThrow(/--weights none\.json: /);
  });
}
