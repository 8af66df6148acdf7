// `npm run data`: check, convert and suite, as commands.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { STARTPOS } from '../../../engine/board/fen.js';
import { noProblems } from '../../../selfplay/common/errors.js';
import { checkFile } from '../../../selfplay/data/check.js';
import type { CheckedFile } from '../../../selfplay/data/checked-file.js';
import { convert } from '../../../selfplay/data/convert.js';
import { readSuite } from '../../../selfplay/data/suite/file.js';
import { comparisonLines, differenceOf } from '../../../selfplay/data/suite/report.js';
import { judge } from '../../../selfplay/data/suite/run.js';
import type { SearchAnswer } from '../../../selfplay/engines/uci-engine.js';
import { parseColumns } from '../../../selfplay/positions/columns.js';
import { readLabelled } from '../../../selfplay/positions/reader.js';
import { writeManifest } from '../../../selfplay/records/manifest.js';
import type { GameRecord } from '../../../selfplay/records/record.js';
import { sha256OfFile } from '../../../selfplay/records/shard.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { concat, randomGame } from '../../support/random-games.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-data-'));
afterAll(() => rmSync(folder, { recursive: true }));
const MAIN = fileURLToPath(new URL('../../../dist/selfplay/data/main.js', import.meta.url));
const input = (name: string): string => fileURLToPath(new URL(`../../inputs/${name}`, import.meta.url));

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Writes the folder of a self-play run that contains these shards. */
function writeRun(name: string, shards: readonly { file: string; records: readonly GameRecord[] }[]): string {
  const out = join(folder, name);
  mkdirSync(out);
  const entries = shards.map(({ file, records }) => {
    writeFileSync(join(out, file), concat(records.map(encodeGame)));
    const positions = records.reduce((sum, { moves }) => sum + moves.length, 0);
    return { file, games: records.length, positions, sha256: sha256OfFile(join(out, file)) };
  });
  const games = entries.reduce((sum, entry) => sum + entry.games, 0);
  const facts = { command: 'selfplay', seed: 1, engineVersion: 'Heft', settings: {}, gamesPerShard: 3, complete: true };
  const positions = entries.reduce((sum, entry) => sum + entry.positions, 0);
  writeManifest(out, { ...facts, games, positions, shards: entries });
  return out;
}

function run(...args: string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', cwd: folder });
  return { status, out: stdout, error: stderr };
}

describe('check', () => {
  test.each<[string, Partial<CheckedFile>]>([
    [
      'files/v07_zh.pgn',
      { kind: 'pgn', games: 3, plies: 8, positions: 8, used: 1, excluded: { 'variant Crazyhouse': 2 } },
    ],
    ['files/d11_chesscom.pgn', { kind: 'pgn', games: 1, plies: 4, used: 0, excluded: { time: 1 } }],
    ['files/t24_headless.pgn', { games: 3, plies: 8, used: 3, results: { white: 1, draw: 1, black: 1 } }],
    ['movetext/s05_promo_forms.pgn', { games: 5, plies: 48, used: 4, faultCount: 1 }],
    ['movetext/n02_z0_main.pgn', { games: 2, plies: 9, used: 2, repaired: { 'null move': 1 } }],
    ['labels/a19_csv_decimalcomma.csv', { kind: 'labels', games: 0, positions: 3, used: 3 }],
    ['labels/a26_cr.epd', { kind: 'labels', used: 3, results: { white: 1, draw: 1, black: 1 } }],
    ['labels/b28_semi_nospace.epd', { kind: 'epd', positions: 1, used: 1, faultCount: 0 }],
    ['labels/b18_fen_moves.txt', { kind: 'epd', positions: 1, used: 1 }],
  ])('check reports the contents of %s', async (name, expected) => {
    expect(await checkFile(input(name))).toMatchObject(expected);
  });

  test.each(['1.0 34', '34 1-0', ': 1.0 : 34'])('check reads labels separated by spaces: %s', async (labels) => {
    const lines = `${STARTPOS} ${labels}\n`.repeat(6);
    expect(await checkFile(write('blanks.txt', lines))).toMatchObject({ kind: 'labels', used: 6, faultCount: 0 });
  });

  test('check warns about one-sided results', async () => {
    const { warnings } = await checkFile(input('labels/a43_only_wins.txt'));
    expect(warnings).toEqual([expect.stringMatching(/^one-sided: 100\.0 % are won by White/)]);
  });

  test('check replays the moves of records and reports a truncated file', async () => {
    const records = Array.from({ length: 5 }, (_, seed) => randomGame(seed, 40));
    const bytes = concat(records.map(encodeGame));
    const whole = await checkFile(write('games.vf', bytes));
    const plies = records.reduce((sum, { moves }) => sum + moves.length, 0);
    expect(whole).toMatchObject({ kind: 'viriformat', games: 5, plies, used: 5, faultCount: 0 });
    const cut = await checkFile(write('cut.bin', bytes.subarray(0, -3)));
    expect(cut).toMatchObject({ kind: 'viriformat', games: 4, used: 4, faultCount: 1 });
    expect(cut.faults).toEqual([{ line: 5, text: expect.stringMatching(/^game 5: /) }]);
  });

  test('check reports illegal positions and excludes finished games', async () => {
    const lines = [
      '4k3/8/8/8/8/8/8/4K2R w K - 0 1 [1.0]',
      '4k3/8/8/8/8/8/8/4K2R w K - 0 1 [1.0]',
      '4k3/4R3/8/8/8/8/8/4K3 w - - 0 1 [1.0]',
      'k7/8/1QK5/8/8/8/8/8 b - - 0 1 [0.5]',
      '4k3/8/8/8/8/8/8/4K3 w - - 0 1 [0.25]',
    ];
    const check = await checkFile(write('lines.txt', lines.join('\n')));
    expect(check).toMatchObject({
      positions: 4,
      used: 2,
      excluded: { 'game over (stalemate)': 1, 'game over (material)': 1 },
    });
    expect(check.faults).toEqual([{ line: 3, text: 'the side to move could capture the king' }]);
    expect(Object.fromEntries(check.facts)).toMatchObject({ positions: '3 different, 1 repeated' });
  });

  test('check counts duplicate games by start position and moves', async () => {
    const { facts } = await checkFile(write('double.pgn', '1. e4 e5 1-0\n\n1. e4 e5 0-1\n\n1. d4 1-0\n'));
    expect(Object.fromEntries(facts)).toMatchObject({
      duplicates: '1 games with the same start and moves as another',
    });
  });

  test('check writes a JSON array with one object per file, and fails if there are faults', () => {
    const [good, bad] = [input('files/t24_headless.pgn'), write('bad.pgn', '[Event "x"]\n\n1. e5 1-0\n')];
    const json = join(folder, 'check.json');
    const { status, out } = run('check', good, bad, '--json', json);
    expect(status).toBe(1);
    expect(out).toContain('games       3: 3 used (8 plies), 0 left out, 0 faulty');
    expect(out).toContain("faults      3: 'e5' is not a legal move here");
    const files = JSON.parse(readFileSync(json, 'utf8'));
    expect(files).toMatchObject([
      { file: good, kind: 'pgn', games: 3, faults: [] },
      { file: bad, games: 1, used: 0, faults: [{ line: 3, text: "'e5' is not a legal move here" }] },
    ]);
    expect(run('check', good).status).toBe(0);
    expect(run('check', good, '--json', json)).toMatchObject({ status: 1, error: expect.stringContaining('exists') });
    expect(run('check', '--strict', bad)).toMatchObject({
      status: 1,
      error: `error: ${bad}:3: 'e5' is not a legal move here\n`,
    });
  });

  test('an unreadable file is a fault, and the other files are still checked', () => {
    const zip = write('book.zip', Buffer.from('PK\x03\x04xxxxxxxxxxxxxxxx', 'latin1'));
    const { status, out } = run('check', zip, 'missing.pgn', input('files/t24_headless.pgn'));
    expect(status).toBe(1);
    expect(out).toContain(`${zip} is a zip archive; run: unzip ${zip}`);
    expect(out).toContain('cannot read missing.pgn');
    expect(out).toContain('3 used (8 plies)');
  });

  test('a pipe is rejected', () => {
    const command = 'printf "1. e4 1-0\n1. d4 0-1\n" | "$0" "$1" check /dev/stdin';
    const { status, stdout } = spawnSync('sh', ['-c', command, process.execPath, MAIN], { encoding: 'utf8' });
    expect(stdout).toContain('cannot read /dev/stdin: a pipe; write its data to a file first');
    expect(status).toBe(1);
  });

  test.each([
    ['empty.pgn', '\n'],
    ['empty.epd', '\n'],
    ['empty.vf', ''],
    ['empty.csv', 'fen,result\n'],
    ['empty.txt', '', 'fen=fen,result=wdl'],
  ])('%s without games or positions is a fault', async (name, content, columns?: string) => {
    const { faults } = await checkFile(write(name, content), columns === undefined ? undefined : parseColumns(columns));
    expect(faults).toEqual([{ line: 0, text: expect.stringMatching(/empty\.\w+: no (?:games|positions)$/) }]);
  });

  test('check counts every fault of a file with many short lines', async () => {
    const { faults, faultCount } = await checkFile(write('short.epd', 'x\n'.repeat(2 ** 17)));
    expect([faults[0], faultCount]).toEqual([{ line: 1, text: "'x' is not a position" }, 2 ** 17]);
  });

  test('check verifies the shards of a run against the manifest, and reads a single shard without a checksum', async () => {
    const shards = [0, 1].map((shard) => ({
      file: `shard-000${shard}.vf`,
      records: [0, 1, 2].map((seed) => randomGame(3 * shard + seed, 30)),
    }));
    const out = writeRun('run', shards);
    expect(await checkFile(out)).toMatchObject({
      kind: 'viriformat',
      games: 6,
      used: 6,
      faultCount: 0,
      format: ['viriformat', '2 files', 'checksums in the manifest'],
    });
    const shard = join(out, 'shard-0001.vf');
    expect(await checkFile(shard)).toMatchObject({ games: 3, format: ['viriformat', 'no checksum'] });
    expect(run('convert', shard, '--out', 'loose.csv').out).toContain('read        1 viriformat, no checksum\n');
    // Flip one bit of a score
    const bytes = readFileSync(shard);
    bytes[34] ^= 1;
    writeFileSync(shard, bytes);
    const { status, out: text } = run('check', 'run', input('files/t24_headless.pgn'));
    expect(status).toBe(1);
    expect(text).toContain('run/shard-0001.vf is altered: its checksum does not match the manifest; restore the file');
    expect(text).toContain('3 used (8 plies)');
  });

  test('files of other kinds are skipped with a message, or read if there are no others', () => {
    mkdirSync(join(folder, 'mixed'));
    for (const name of ['a.vf', 'b.viri']) write(`mixed/${name}`, encodeGame(randomGame(name.charCodeAt(0), 30)));
    write('mixed/.hidden', '');
    write(
      'mixed/._c.pgn',
      new Uint8Array(4096).map((_, i) => (7 * i) % 251),
    );
    const alone = run('convert', 'mixed', '--out', 'alone.csv');
    expect([alone.error, alone.out]).toEqual(['', expect.stringContaining(': 2 games, ')]);
    write('mixed/c.pgn', '1. e4 1-0\n');
    for (const args of [
      ['convert', 'mixed', '--out', 'mixed.csv'],
      ['check', 'mixed'],
    ]) {
      const { out, error } = run(...args);
      expect(error).toBe('mixed: skipped 2 files of other kinds (a.vf, b.viri); name a file to read it\n');
      expect(out).toMatch(/mixed\.csv: 1 games, |c\.pgn .*\n +games +1: /);
    }
  });

  test('a message lists skipped subfolders, and skipped files in the folder of a run', () => {
    const out = writeRun('with-pgn', [{ file: 'shard-0000.vf', records: [randomGame(1, 30)] }]);
    write('with-pgn/a.pgn', '1. e4 1-0\n');
    write('with-pgn/labels-0000.csv', '');
    expect(run('check', out).error).toBe(
      `${out}: skipped 1 file not listed in manifest.json (a.pgn); name a file to read it\n`,
    );
    for (const name of ['years', 'years/2023', 'years/2024', 'years/.git']) mkdirSync(join(folder, name));
    write('years/a.pgn', '1. e4 1-0\n');
    expect(run('check', 'years').error).toBe('years: skipped 2 subfolders (2023, 2024); name a folder to read it\n');
  });

  test("a match's folder is read without its journals", () => {
    mkdirSync(join(folder, 'match'));
    for (const name of ['run.json', 'games.jsonl', 'events.jsonl']) write(`match/${name}`, '{"game":0}\n');
    write('match/games.pgn', '1. e4 1-0\n');
    const { out, error } = run('convert', 'match', '--out', 'match.csv');
    expect(error).toMatch(/^match: skipped 3 files of other kinds \(events\.jsonl, games\.jsonl, run\.json\)/);
    expect(out).toContain(': 1 games, ');
    const { error: problem } = run('convert', 'match/games.jsonl', '--out', 'journal.csv');
    expect(problem).toContain('no position: expected {"fen": …, "result": …}');
  });

  test('a file and its compressed copy are rejected, in a folder or named one by one', () => {
    mkdirSync(join(folder, 'packed'));
    for (const name of ['a.pgn.gz', 'b.pgn.zst']) write(`packed/${name}`, gzipSync('1. e4 1-0\n'));
    write('packed/a.pgn', '1. e4 1-0\n');
    expect(run('convert', 'packed', '--out', 'packed.csv').error).toBe(
      'error: packed/a.pgn.gz seems to be a compressed copy of packed/a.pgn; move or leave out one of them\n',
    );
    expect(run('convert', 'packed/a.pgn.gz', 'packed/a.pgn', '--out', 'packed.csv').error).toMatch(
      /a\.pgn seems to be a compressed copy of packed\/a\.pgn\.gz;/,
    );
    mkdirSync(join(folder, 'twice'));
    for (const name of ['a.pgn.gz', 'a.pgn.zst']) write(`twice/${name}`, gzipSync('1. e4 1-0\n'));
    expect(run('convert', 'twice', '--out', 'twice.csv').error).toMatch(
      /a\.pgn\.zst seems to be a compressed copy of twice\/a\.pgn\.gz;/,
    );
  });

  test('check reports a folder without games, and suite rejects a folder', () => {
    mkdirSync(join(folder, 'empty'));
    const { status, out } = run('check', 'empty', input('files/t24_headless.pgn'));
    expect([status, out]).toEqual([1, expect.stringContaining('empty: no manifest.json and no PGN, EPD, FEN')]);
    expect(out).toContain('3 used (8 plies)');
    expect(run('suite', 'empty').error).toBe('error: empty is a folder; name a file in it\n');
  });

  test.each([
    [[], /^error: data: a command is missing; use check, convert or suite/],
    [['check'], /^error: name at least one file or folder\n$/],
    [['suite'], /^error: name at least one file or folder\n$/],
    [['check', '--colour', 'x'], /^error: Unknown argument: colour/],
    [['check', 'x', '--columns', 'fan=1'], /^error: --columns takes fen=/],
    [['check', 'x', '--columns', 'fen=1,fen=2'], /^error: --columns names two columns for fen/],
  ])('invalid arguments are rejected with a one-line error: %j', (args, message) => {
    const { status, error } = run(...args);
    expect([status, error]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('convert', () => {
  const games = Array.from({ length: 6 }, (_, seed) => randomGame(seed, 60));
  const source = write('source.vf', concat(games.map(encodeGame)));

  test('records converted to PGN and back are identical', () => {
    expect(run('convert', source, '--out', 'a.pgn').status).toBe(0);
    expect(run('convert', 'a.pgn', '--out', 'b.vf').status).toBe(0);
    expect(readFileSync(join(folder, 'b.vf'))).toEqual(readFileSync(source));
  });

  test.each(['epd', 'csv', 'plain', 'jsonl', 'bullet'])(
    'positions converted to %s keep position, result and score',
    async (name) => {
      const file = (of: string): string => join(folder, of);
      for (const [from, out, to] of [
        [source, `x.${name}`, name],
        [file(`x.${name}`), `${name}.csv`, 'csv'],
        [source, 'wanted.csv', 'csv'],
      ])
        await convert({ files: [from], out: file(out), to });
      // The bullet and plain formats cannot represent an unknown score
      const rows = (file: string): string[] =>
        readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .map((line) =>
            line
              .split(',')
              .slice(0, 3)
              .map((field) => field || '0')
              .join(','),
          );
      expect(rows(`${name}.csv`)).toEqual(rows('wanted.csv'));
      const check = await checkFile(join(folder, `x.${name}`));
      expect([check.faultCount, check.positions]).toEqual([0, games.reduce((sum, { moves }) => sum + moves.length, 0)]);
    },
  );

  test('game numbers continue across files', async () => {
    const files = [0, 1].map((i) => write(`part${i}.vf`, encodeGame(games[i])));
    await convert({ files, out: join(folder, 'parts.csv'), to: 'csv' });
    const rows = readFileSync(join(folder, 'parts.csv'), 'utf8').trim().split('\n').slice(1);
    const numbers = [0, 1].flatMap((i) => Array.from(games[i].moves, () => `${i + 1}`));
    expect(rows.map((row) => row.split(',')[3])).toEqual(numbers);
  });

  test('games from several position files are renumbered', async () => {
    const row = (game: number): string => `${STARTPOS},0.5,,${game},7\n`;
    const texts = [row(5) + row(5) + row(9), row(9)].map((rows) => `fen,result,score,game,opening\n${rows}`);
    const files = texts.map((text, i) => write(`numbered${i}.csv`, text));
    await convert({ files: [...files, write('one.vf', encodeGame(games[0]))], out: join(folder, 'n.csv'), to: 'csv' });
    const rows = readFileSync(join(folder, 'n.csv'), 'utf8').split('\n').slice(1, 6);
    expect(rows.map((line) => line.split(',')[3])).toEqual(['1', '1', '2', '3', '4']);
    expect(rows[3]).toBe(row(3).trim());
  });

  test('positions keep the game and opening numbers of their labels', async () => {
    const labels = write('labels.csv', `fen,result,score,game,opening\n${STARTPOS},0.5,12,7,9\n`);
    for (const name of ['kept.csv', 'kept.jsonl']) {
      const out = join(folder, name);
      await convert({ files: [labels], out, to: name.slice(5) });
      const kept: object[] = [];
      for await (const label of readLabelled(out, noProblems())) kept.push(label);
      expect(kept).toMatchObject([{ result: 0.5, score: 12, game: 7, opening: 9 }]);
    }
  });

  test('concatenated labels are converted to labels that can be read', async () => {
    const part = `fen,result,game\n${STARTPOS},1,1\n${STARTPOS},0,2\n`;
    const out = join(folder, 'both.csv');
    await convert({ files: [write('twice.csv', part + part)], out, to: 'csv' });
    expect(await checkFile(out)).toMatchObject({ faultCount: 0, positions: 4 });
  });

  test('Chess960 castling is written as king takes rook', async () => {
    const pgn = '[FEN "1k6/8/8/8/8/8/8/R1K4R w HA - 0 1"]\n\n1. O-O-O Kb7 1-0\n';
    const out = join(folder, '960.plain');
    await convert({ files: [write('960.pgn', pgn)], out, to: 'plain' });
    expect(readFileSync(out, 'utf8').match(/^move .*$/gm)).toEqual(['move c1a1', 'move b8b7']);
  });

  test('a Chess960 game in PGN has one Variant tag', async () => {
    const start = 'r1k4r/8/8/8/8/8/8/R1K4R w HAha - 0 1';
    for (const [tag, expected] of [
      ['', 'Chess960'],
      ['[Variant "fischerandom"]\n', 'fischerandom'],
    ]) {
      const source = write('960.pgn', `${tag}[FEN "${start}"]\n\n1. O-O O-O-O 1-0\n`);
      await convert({ files: [source], out: join(folder, 'variant.pgn'), to: 'pgn' });
      const text = readFileSync(join(folder, 'variant.pgn'), 'utf8');
      expect(text.match(/^\[Variant.*$/gm)).toEqual([`[Variant "${expected}"]`]);
    }
  });

  test('games of other variants are excluded and counted', () => {
    const { out } = run('convert', input('files/v01_koth.pgn'), input('files/e04_utf16le.pgn'), '--out', 'c.pgn');
    expect(out).toContain('wrote       c.pgn: 3 games, 20 positions as pgn');
    expect(out).toContain('excluded    1 variant King of the Hill');
  });

  test('convert rejects positions for PGN, existing output files, unknown formats and duplicate inputs', () => {
    const labels = input('labels/a02_c9_noquotes.epd');
    expect(run('convert', labels, '--out', 'd.pgn')).toMatchObject({
      status: 1,
      error: expect.stringMatching(
        /holds positions, but pgn requires games; use --to epd, fen, bullet, csv, plain, jsonl\n$/,
      ),
    });
    expect(() => readFileSync(join(folder, 'd.pgn'))).toThrow();
    write('mine.csv', 'mine');
    expect(run('convert', labels, '--out', 'mine.csv').error).toContain('mine.csv exists');
    expect(readFileSync(join(folder, 'mine.csv'), 'utf8')).toBe('mine');
    expect(run('convert', labels, '--out', 'x.unknown')).toMatchObject({ status: 2 });
    const packed = run('convert', labels, '--out', 'x.csv.gz', '--to', 'csv');
    expect([packed.status, packed.error]).toEqual([2, expect.stringContaining('x.csv.gz would not be compressed')]);
    expect(run('convert', labels, labels, '--out', 'twice.csv').error).toBe(`error: ${labels} is given twice\n`);
  });

  test('an output must not be an input, given directly or in a folder', () => {
    mkdirSync(join(folder, 'both'));
    const games = write('both/a.pgn', '1. e4 {+0.10} 1-0\n');
    expect(run('convert', 'both', '--out', 'both/all.csv').status).toBe(0);
    for (const args of [
      ['convert', 'both', '--out', 'both/all.csv'],
      ['convert', games, '--out', 'both/a.pgn'],
      ['convert', games, '--out', 'other.csv', '--json', games],
      ['check', games, '--json', games],
    ]) {
      const { status, error } = run(...args, '--force');
      expect([status, error]).toEqual([
        2,
        expect.stringMatching(/ is also an input; choose a file outside the input folders/),
      ]);
    }
    expect(readFileSync(games, 'utf8')).toContain('{+0.10}');
  });

  test('an illegal position is reported and not converted', () => {
    const lines = '4k3/4R3/8/8/8/8/8/4K3 w - - 0 1 [1.0]\n4k3/8/8/8/8/8/8/4K2R w K - 0 1 [0.5]\n';
    const { out } = run('convert', write('illegal.txt', lines), '--out', 'legal.fen');
    expect(out).toContain('illegal.txt:1: the side to move could capture the king');
    expect(readFileSync(join(folder, 'legal.fen'), 'utf8')).toBe('4k3/8/8/8/8/8/8/4K2R w K - 0 1 [0.5]\n');
  });

  test.each(['bullet', 'plain', 'csv'])('positions without a score are counted if %s needs one', (name) => {
    const pgn = write('unscored.pgn', '1. e4 {+0.10} e5 Nf3 1-0\n');
    const labels = write('unscored.txt', `${STARTPOS} [1.0]\n`);
    const { out } = run('convert', pgn, labels, '--out', `unscored.${name}`);
    expect(out.match(/^unscored +.*$/m)?.[0]).toBe(
      name === 'csv' ? undefined : 'unscored    3 positions without a score, written as score 0',
    );
  });

  test('positions without a score are also counted in records', () => {
    const pgn = write('unscored.pgn', '1. e4 {+0.10} e5 Nf3 1-0\n');
    expect(run('convert', pgn, '--out', 'unscored.vf').out).toContain(
      'unscored    2 positions without a score, written as score -32768, which only Heft reads as unknown\n',
    );
  });

  test('a fractional result is reported and not converted to plain', async () => {
    const fen = '4k3/8/8/8/8/8/8/4K2R w K - 0 1';
    const source = write('expected.txt', `${fen} [0.3]\n${fen} [0.5]\n`);
    const out = join(folder, 'expected.plain');
    const { report } = await convert({ files: [source], out, to: 'plain' });
    expect(report.problems.messages).toEqual([`${source}:1: plain cannot represent the result 0.3`]);
    expect(readFileSync(out, 'utf8').match(/^result .*$/gm)).toEqual(['result 0']);
  });

  test('Ctrl-C stops the conversion of shards', () => {
    const shard = write('long.vf', concat(Array.from({ length: 5000 }, (_, i) => encodeGame(games[i % 6]))));
    const preload = write(
      'interrupt.mjs',
      `import { readdirSync } from 'node:fs';
       const timer = setInterval(() => {
         if (!readdirSync('.').some((name) => name.startsWith('long.pgn.tmp-'))) return;
         clearInterval(timer);
         process.kill(process.pid, 'SIGINT');
       }, 1);`,
    );
    const args = ['--import', pathToFileURL(preload).href, MAIN, 'convert', shard, '--out', 'long.pgn'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
    expect([status, stderr]).toEqual([130, 'error: interrupted while writing long.pgn\n']);
    expect(readdirSync(folder).filter((name) => name.startsWith('long.pgn'))).toEqual([]);
  });

  test('multi-line JSON is reported, and --columns is rejected if all files contain games', async () => {
    const games = write('one.pgn', '1. e4 1-0\n');
    const json = write('pretty.json', '{\n  "fen": "x",\n  "result": 1\n}\n');
    const { report } = await convert({ files: [games, json], out: join(folder, 'one.epd'), to: 'epd' });
    expect(report.problems.messages).toEqual([
      `${json}:1: no positions; write one JSON object per line, as jq -c does`,
    ]);
    const { status, error } = run('convert', games, '--columns', 'fen=2', '--out', 'none.epd');
    expect([status, error]).toEqual([
      2,
      'error: --columns applies to files of positions, but all files contain games; omit it\n',
    ]);
    expect(existsSync(join(folder, 'none.epd'))).toBe(false);
  });

  test.runIf(existsSync('/dev/stdout'))('--out /dev/stdout contains only the data', () => {
    const file = write('o.pgn', '1. e4 1-0\n');
    const command = `'${process.execPath}' '${MAIN}' convert '${file}' --to epd --out /dev/stdout | cat`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', cwd: folder });
    expect(stdout).toMatch(/^[^\n]+ c9 "1-0";\n$/);
    expect(stderr).toMatch(/^wrote +\/dev\/stdout: 1 games, 1 positions as epd\n/);
  });

  test('tags of a gzipped PGN are kept', () => {
    const pgn =
      '[Event "E"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n[ECO "C20"]\n[White-Team "T"]\n\n1. e4 {+0.10/5 1s} e5 1-0\n';
    expect(run('convert', write('e.pgn.gz', gzipSync(pgn)), '--out', 'f.pgn').status).toBe(0);
    const text = readFileSync(join(folder, 'f.pgn'), 'utf8');
    for (const part of ['[Event "E"]', '[White "A"]', '[ECO "C20"]', '[White-Team "T"]', '1. e4 {+0.10} e5 1-0'])
      expect(text).toContain(part);
  });
});

describe('suite', () => {
  const suite = write(
    'suite.epd',
    [
      '4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id "castle.1";',
      '4k3/8/8/8/8/8/8/4K2R w K - am Kd1, Kf1; id "castle.2";',
      '7k/8/5KQ1/8/8/8/8/8 w - - dm 1; id "mate.1";',
      '4k3/8/8/8/8/8/8/4K2R w K - id "points 1"; c0 "Rh8=10, O-O=3";',
    ].join('\n'),
  );

  test('suite reports solved mates, themes and points', () => {
    const json = join(folder, 'suite.json');
    const { status, out } = run('suite', suite, '--depth', '3', '--json', json);
    expect(status).toBe(0);
    expect(out).toMatch(/^ {2}castle +\d of 2 solved/m);
    expect(out).toMatch(/^ {2}mate +1 of 1 solved, 100\.0 ± 42\.9 %/m);
    expect(out).toMatch(/^ {2}all +\d of 4 solved.*; \d+ of 10 points$/m);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ results: [{ positions: 4, maxPoints: 10 }] });
    const mate = run('suite', suite, '--depth', '3', '--only', 'mate', '--failures').out;
    expect(mate).toMatch(/1 of 1 solved.*\n.* in \S+ s\n$/);
  });

  test('an answer is judged by bm, am, dm or points', async () => {
    const tasks = await readSuite(suite);
    const judged = (index: number, move: string, score: number | null = 0): [boolean, number] => {
      const { isSolved, points } = judge(tasks[index], { move, score, nodes: 1, milliseconds: 1 } as SearchAnswer);
      return [isSolved, points];
    };
    const solved = (index: number, ...moves: string[]): boolean[] => moves.map((move) => judged(index, move)[0]);
    expect(solved(0, 'e1g1', 'h1h8', 'e1d1', '0000')).toEqual([true, true, false, false]);
    expect(solved(1, 'e1d1', 'e1f1', 'e1e2')).toEqual([false, false, true]);
    expect([31_999, 31_997, 300, null].map((score) => judged(2, 'g6g7', score)[0])).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(['h1h8', 'e1g1', 'e1d1'].map((move) => judged(3, move))).toEqual([
      [true, 10],
      [false, 3],
      [false, 0],
    ]);
  });

  test('a suite that is given twice is rejected', () => {
    expect(run('suite', suite, suite).error).toBe(`error: ${suite} is given twice\n`);
  });

  test('suite compares two engines on the same positions', () => {
    const engine = `cmd="${process.execPath} ${FAKE_ENGINE}" name=Fake`;
    const { status, out, error } = run(
      'suite',
      suite,
      '--nodes',
      '1000',
      '--engine',
      'weights=shipped',
      '--engine',
      engine,
    );
    expect(error).toBe('');
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/against Fake on the same positions \(95 %\)\n {2}solved \S+ ± [\d.]+/),
    ]);
  });

  test("the suite ends if a worker's engine does not start", () => {
    const lines = Array.from({ length: 300 }, () => '4k3/8/8/8/8/8/8/4K2R w K - bm O-O;');
    const many = write('many.epd', lines.join('\n'));
    const log = join(folder, 'once.log');
    const once = write(
      'once.mjs',
      `import { mkdirSync } from 'node:fs';
       try { mkdirSync(${JSON.stringify(join(folder, 'started'))}); } catch { process.exit(3); }
       await import(${JSON.stringify(FAKE_ENGINE)});`,
    );
    const engine = `cmd="${process.execPath} ${once} log=${log}" name=Once`;
    const { status, error } = run('suite', many, '--nodes', '9', '--workers', '2', '--engine', engine);
    expect([status, error]).toEqual([1, 'error: cannot start Once: ended with exit code 3\n']);
    expect(readFileSync(log, 'utf8').match(/^go /gm)?.length ?? 0).toBeLessThan(lines.length);
  });

  test('Ctrl-C ends a suite during a search', async () => {
    const file = write('endless.epd', '4k3/8/8/8/8/8/8/4K2R w K - bm O-O;');
    const log = join(folder, 'endless.log');
    const engine = `cmd="${process.execPath} ${FAKE_ENGINE} hang=1 log=${log}" name=Fake`;
    const suite = spawn(process.execPath, [MAIN, 'suite', file, '--nodes', '9', '--engine', engine], { cwd: folder });
    let error = '';
    suite.stderr.on('data', (text) => (error += text));
    const end = once(suite, 'close');
    const isSearching = (): boolean => existsSync(log) && readFileSync(log, 'utf8').includes('\ngo ');
    while (suite.exitCode === null && !isSearching()) await sleep(5);
    suite.kill('SIGINT');
    expect(await end).toEqual([130, null]);
    expect(error).toContain('interrupted after 0 of 1 positions');
  });

  test.each([
    ['4k3/8/8/8/8/8/8/4K2R w K - bm Ke3;', "bad.epd:1: 'Ke3' is not a legal move here"],
    ['4k3/8/8/8/8/8/8/4K2R w K - id "x";', 'bad.epd:1: nothing to solve: expected bm, am, dm or points'],
    ['nonsense', "bad.epd:1: 'nonsense' is not a position"],
  ])('an invalid line stops the suite: %s', (line, message) => {
    expect(run('suite', write('bad.epd', line)).error).toContain(message);
  });

  test('comments without a legal move have no points', async () => {
    const line = '4k3/8/8/8/8/8/8/4K2R w H - bm O-O; c0 "depth=20"; c1 "O-O=7, Rh2=3";\n';
    const [task] = await readSuite(write('comments.epd', line));
    expect(task.fen).toBe('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    expect([...task.points.values()]).toEqual([7, 3]);
    expect([...(await readSuite(write('c0.epd', line.replace(/ c1.*;/, ''))))[0].points]).toEqual([]);
    await expect(readSuite(write('typo.epd', line.replace('Rh2', 'Ra2')))).rejects.toThrow(
      "'Ra2' is not a legal move here",
    );
  });

  test('a long comment without spaces is read quickly', async () => {
    const text = 'x'.repeat(200_000);
    const line = `4k3/8/8/8/8/8/8/4K2R w K - bm O-O; c0 "${text}"; c1 "O-O=7 ${text}"; id "x";`;
    const [task] = await readSuite(write('words.epd', line));
    expect([...task.points.values()]).toEqual([7]);
  }, 4000);

  test('a suite may contain more than 100,000 positions', () => {
    const file = write('all.epd', '4k3/8/8/8/8/8/8/4K2R w K - dm 9; id "x";\n'.repeat(2 ** 17));
    expect(run('suite', file, '--only', 'y').error).toContain(
      `no name or suite of the ${2 ** 17} positions begins with y`,
    );
  });

  test('a line that is too long stops the suite', () => {
    const file = write('long.epd', `4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n${'x'.repeat(2 ** 20 + 1)}\n`);
    expect(run('suite', file).error).toContain('long.epd:2: a line of more than 1048576 characters');
  });

  test('the error of a comparison is computed from the positions with different outcomes', () => {
    const verdicts = (solved: readonly number[]) =>
      solved.map((one) => ({ isSolved: one === 1, points: 10 * one }) as never);
    const first = { engine: 'a', verdicts: verdicts([1, 1, 1, 0, 1, 0, 1, 1]) };
    const second = { engine: 'b', verdicts: verdicts([1, 0, 1, 0, 0, 1, 0, 1]) };
    expect(differenceOf(first, second)).toMatchObject({ solved: 2, points: 20, onlyFirst: 3, onlySecond: 1 });
    expect(differenceOf(first, second).solvedError).toBeCloseTo(1 + 1.959964 * Math.sqrt(4), 5);
  });

  // The exact binomial test gives p = 0.25 for 3:0, 0.063 for 5:0, 0.031 for 6:0, 0.070 for 7:1 and 0.039 for 8:1
  test.each([
    [0, 0, false],
    [2, 0, false],
    [3, 0, false],
    [5, 0, false],
    [6, 0, true],
    [7, 1, false],
    [8, 1, true],
  ])(
    'the exact binomial test decides the significance of a comparison with %i to %i differing positions',
    (one, two, isClear) => {
      const verdicts = (solved: (i: number) => boolean) =>
        Array.from(
          { length: 300 },
          (_, i) => ({ isSolved: solved(i), points: solved(i) ? 10 : 0, task: { points: new Map() } }) as never,
        );
      const first = { engine: 'a', verdicts: verdicts((i) => i < one) };
      const second = { engine: 'b', verdicts: verdicts((i) => i >= 300 - two) };
      expect(comparisonLines(first, second)[1].includes('no significant difference')).toBe(!isClear);
      const { solvedError, points, pointsError } = differenceOf(first, second);
      expect(solvedError).toBeGreaterThanOrEqual(1);
      expect(Math.abs(points) > pointsError).toBe(isClear);
    },
  );
});
