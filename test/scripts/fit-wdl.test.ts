import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { freshManifest, writeManifest } from '../../selfplay/records/manifest.js';
import { runHere } from '../support/program.js';

const program = fileURLToPath(new URL('../../dist/scripts/fit-wdl.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-fit-wdl-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a PGN file of this many games, won, drawn and lost in turn, whose scores favour the winner. */
function writeGames(name: string, games: number, comment = (score: string) => `{${score}/9 0.1s}`): string {
  const file = join(folder, name);
  const pgn = Array.from({ length: games }, (_, i) => {
    const result = ['1-0', '1/2-1/2', '0-1'][i % 3];
    const scores = [1, -1, 1, -1].map((sign) => {
      const score = sign * ((1 - (i % 3)) * 2 + Math.sin(i + sign));
      return comment(`${score < 0 ? '' : '+'}${score.toFixed(2)}`);
    });
    const moves = `1. e4 ${scores[0]} e5 ${scores[1]} 2. Nf3 ${scores[2]} Nc6 ${scores[3]}`;
    return `[Event "game ${i}"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;
  });
  writeFileSync(file, pgn.join(''));
  return file;
}

const run = (data: string, out: string) => runHere(program, ['--data', data, '--out', join(folder, out)], folder);

test('a model fitted to a folder of PGN files lists the checksum of each file', async () => {
  mkdirSync(join(folder, 'games'));
  writeGames('games/a.pgn', 60);
  writeGames('games/b.pgn', 63);
  expect(await run(join(folder, 'games'), 'folder.ts')).toMatchObject({ code: 0, stderr: '' });
  const model = readFileSync(join(folder, 'folder.ts'), 'utf8');
  expect(model).toMatch(/"name": "a\.pgn", "sha256": "[0-9a-f]{64}" \},\s+\{ "name": "b\.pgn"/);
  expect(model).toContain('"games": 123');
});

test('two folders with the same games are rejected', async () => {
  const folders = ['one', 'again'].map((name) => join(folder, name));
  for (const path of folders) {
    mkdirSync(path);
    writeManifest(path, freshManifest({ command: 'a test', seed: 1 }, { bench: 9 }, 200, {}));
  }
  const { code, stderr } = await runHere(program, ['--data', ...folders, '--out', join(folder, 'twice.ts')], folder);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${folders.join(' and ')} hold the same games (seed 1)`)]);
});

test('games without scores are rejected, and no model is written', async () => {
  const games = writeGames('unscored.pgn', 120, () => '');
  const { code, stderr } = await run(games, 'unscored.ts');
  expect([code, stderr]).toEqual([1, expect.stringContaining('none of the 120 games has scores')]);
  expect(existsSync(join(folder, 'unscored.ts'))).toBe(false);
});

test('the output counts the used, excluded and faulty games', async () => {
  const file = writeGames('mixed.pgn', 120);
  appendFileSync(file, '[Event "unfinished"]\n[Result "*"]\n\n1. e4 *\n\n[Result "1-0"]\n\n1. e5 1-0\n');
  const { stdout } = await run(file, 'mixed.ts');
  expect(stdout).toMatch(
    /^used: 120 games, 480 positions\nexcluded: 1 unfinished\nfaults: 1, for example .*mixed\.pgn:/,
  );
  writeFileSync(file, '[Result "1-0"]\n\n1. e5 1-0\n');
  expect((await run(file, 'few.ts')).stderr).toMatch(/^error: 0 games are too few; .*\n.*\nfaults: 1, for example /);
});
