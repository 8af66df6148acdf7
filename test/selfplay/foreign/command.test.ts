import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { splitWords } from '../../../selfplay/common/options.js';
import { shellLine } from '../../../selfplay/common/program.js';
import { isForeign, translated } from '../../../selfplay/foreign/command.js';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { runHere } from '../../support/program.js';
import { slowTest, someOf } from '../../support/slow.js';
import { LINES } from './lines.js';

const MAIN = fileURLToPath(new URL('../../../dist/selfplay/match/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-foreign-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -';
writeFileSync(join(scratch, 'book.epd'), `${START}\n`);
writeFileSync(join(scratch, 'book.txt'), '[Event "?"]\n\n1. e4 e5 *\n');
writeFileSync(join(scratch, '960.epd'), 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n');
writeFileSync(join(scratch, 'book.pgn'), '[Event "?"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n');
for (const name of ['A', 'B']) {
  writeFileSync(join(scratch, name), `#!/bin/sh\nexec ${process.execPath} ${FAKE_ENGINE} name=${name}\n`, {
    mode: 0o755,
  });
}

const valueAfter = (words: readonly string[], option: string): string | undefined => words[words.indexOf(option) + 1];

describe('command lines from public scripts', () => {
  test('the collection has at least thirty command lines and covers both programs', () => {
    expect(LINES.length).toBeGreaterThanOrEqual(30);
    for (const name of ['cutechess', 'fastchess'])
      expect(LINES.filter(({ line }) => line.includes(name)).length).toBeGreaterThan(10);
  });

  test.each(LINES.filter(({ games }) => games !== undefined))('$from is translated', ({ line, games, has = [] }) => {
    const given = splitWords(line);
    expect(isForeign(given)).toBe(true);
    const { words, notes } = translated(given);
    expect(valueAfter(words, '--games')).toBe(String(games));
    for (const part of has) expect(`${words.join(' ')} `).toContain(part);
    for (const note of notes) expect(note).not.toContain('\n');
  });

  test.each(someOf(LINES, 15))('$from is played, or rejected with the reason', async ({ line, refused }) => {
    const given = splitWords(line).map((word) =>
      word.replace(/^cmd=(A|B)$/, `cmd=${scratch}/$1`).replace(/^args=-u$/, 'args=x=-u'),
    );
    const out = mkdtempSync(join(scratch, 'run-'));
    const short = ['--games', '2', '--max-moves', '2', '--workers', '1', '--out', join(out, 'run')];
    // Heft options replace foreign options with the same meaning
    const { words } = refused === undefined ? translated(given) : { words: given };
    const kept =
      refused === undefined
        ? withoutOptions(words, [
            '--games',
            '--max-moves',
            '--workers',
            '--pgn',
            '--pgn-append',
            '--pgn-notes',
            '--log',
            '--tournament',
          ])
        : words;
    const { code, stderr } = await runHere(MAIN, refused === undefined ? [...kept, ...short] : kept, scratch);
    if (refused === undefined) {
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
      expect(JSON.parse(readFileSync(join(out, 'run/result.json'), 'utf8')).finished).toBe(true);
    } else {
      const message = stderr
        .trim()
        .split('\n')
        .at(-1)
        ?.replace(/^error: /, '');
      expect([code, message]).toEqual([2, expect.stringMatching(refused)]);
    }
  });

  test('a key without a value is dropped if it has no effect in Heft', () => {
    const { words } = translated(splitWords('-engine cmd=A trust whitepov -engine cmd=B -each nodes=5 -rounds 1'));
    expect(words.join(' ')).toMatch(/cmd=A/);
    expect(words.join(' ')).not.toMatch(/trust|whitepov/);
  });

  test('ponder=off disables pondering for one engine', () => {
    const line = '-engine cmd=A ponder=off -engine cmd=B ponder -each tc=1+0.1 -rounds 1';
    expect(translated(splitWords(line)).words.join(' ')).toMatch(/cmd=A ponder=off tc=\S+ --engine cmd=B ponder=on tc/);
  });

  test('the words of -each override those of an engine', () => {
    const line =
      '-engine cmd=A tc=5+0.1 arg=x -engine cmd=B option.Hash=8 -each tc=1+0.1 arg=y option.Hash=16 -rounds 1';
    expect(translated(splitWords(line)).words.join(' ')).toContain(
      '--engine cmd=A arg=x tc=1+0.1 arg=y option.Hash=16 --engine cmd=B tc=1+0.1 arg=y option.Hash=16 ',
    );
  });

  test.each([
    ['fastchess', 'random'],
    ['cutechess-cli', 'sequential'],
  ])('the default order of openings is that of %s', (program, order) => {
    const line = `${program} -engine cmd=A -engine cmd=B -rounds 1 -openings file=book.epd`;
    expect(valueAfter(translated(splitWords(line)).words, '--order')).toBe(order);
  });

  test("Heft's --concurrency replaces the default of one game at a time", () => {
    const { words } = translated(splitWords('-engine cmd=A -engine cmd=B -rounds 1 --concurrency 4'));
    expect(words.join(' ')).not.toContain('--workers');
  });

  slowTest('the command prints an equivalent npm run match command, which plays the same games', async () => {
    const line =
      '-engine cmd=./A name="a b" -engine cmd=./B -each nodes=5 -rounds 1 -repeat -maxmoves 2 -openings file=book.txt format=pgn order=random';
    const theirs = await runHere(MAIN, [...splitWords(line), '--out', 'theirs'], scratch);
    expect([theirs.code, theirs.stderr]).toEqual([0, expect.any(String)]);
    const printed = theirs.stderr.split('\n').find((one) => one.startsWith('npm run match -- ')) ?? '';
    expect(printed).toBe(
      "npm run match -- --engine cmd=./A 'name=a b' nodes=5 --engine cmd=./B nodes=5 --workers 1 --games 2 --max-moves 2 --openings book.txt --order random --out theirs",
    );
    const ours = await runHere(MAIN, splitWords(printed.slice(17).replace('--out theirs', '--out ours')), scratch);
    expect(ours.code).toBe(0);
    const moves = (name: string): string[] =>
      readFileSync(join(scratch, name, 'games.pgn'), 'utf8')
        .split('\n')
        .filter((one) => /^1\./.test(one));
    expect(moves('ours').map((one) => one.replace(/\{[^}]*\}/g, ''))).toEqual(
      moves('theirs').map((one) => one.replace(/\{[^}]*\}/g, '')),
    );
    expect(moves('ours')).toHaveLength(2);
  });
});

test('an interval or move count of 0 disables the option', () => {
  const { words } = translated(splitWords('-engine cmd=A -engine cmd=B -rounds 1 -ratinginterval 0 -maxmoves 0'));
  expect(words.join(' ')).toMatch(/--games 2 --plies 0$/);
});

test('append=false allows only the PGN file to be overwritten', () => {
  const wordsOf = (append: string) =>
    translated(splitWords(`-engine cmd=A -engine cmd=B -rounds 1 -pgnout file=o.pgn append=${append}`));
  const { words, notes } = wordsOf('false');
  expect(words.join(' ')).toMatch(/ --pgn o\.pgn --pgn-overwrite$/);
  expect(notes.join()).not.toContain('o.pgn');
  expect(wordsOf('true').words.join(' ')).toMatch(/ --pgn o\.pgn --pgn-append$/);
});

test.each(['--plies 8', '--openings book.pgn', '--openings=book.pgn'])(
  "Heft's %s replaces the start position",
  (ours) => {
    const { words, notes } = translated(splitWords(`-engine cmd=A -engine cmd=B -rounds 1 ${ours}`));
    expect(words.join(' ')).toMatch(new RegExp(`--games 2 ${ours}$`));
    expect(notes).toEqual(['in fastchess, the given -games and -rounds mean 2 games per pairing']);
  },
);

test('without openings, a note states that all games begin at the start position, except in Chess960', () => {
  const line = '-engine cmd=A -engine cmd=B -rounds 1';
  const told = expect.stringMatching(/^without -openings every game begins at the start position;/);
  expect(translated(splitWords(line)).notes).toContainEqual(told);
  const { words, notes } = translated(splitWords(`${line} -variant fischerandom`));
  expect(words.join(' ')).toMatch(/--games 2 --plies 0 --chess960$/);
  expect(notes).not.toContainEqual(told);
});

function withoutOptions(words: readonly string[], names: readonly string[]): string[] {
  let isKept = true;
  return words.filter((word) => {
    if (word.startsWith('--')) isKept = !names.includes(word);
    return isKept;
  });
}

test.each([
  ['-engine cmd=A -engine cmd=B -foo 3', '-foo is not an option of fastchess or cutechess-cli'],
  ['-engine cmd=A -engine cmd=B -rounds many', "-rounds takes a whole number, not 'many'"],
  ['-engine cmd=A -engine cmd=B -rounds', '-rounds takes one value, not none'],
  ['-engine cmd=A -engine cmd=B -rounds 0', '-games and -rounds give 0 games, but a match needs at least one'],
  ['-engine cmd=A -engine cmd=B -openings format=epd', '-openings: file= is missing'],
  ['-engine cmd=A -engine cmd=B -draw foo=3', "-draw: 'foo=3' is an unknown key"],
  ['-engine cmd=A -engine cmd=B -noswap', '-noswap: each opening is played with both colours'],
])('%s is rejected', (line, message) => {
  expect(() => translated(splitWords(line))).toThrow(message);
});

test('shellLine quotes words with special characters', () => {
  expect(shellLine(['a=b/c', 'x y', "it's", '{out}', ''])).toBe(`a=b/c 'x y' 'it'\\''s' '{out}' ''`);
});

test('Heft options may follow foreign options', () => {
  const { words } = translated([
    '-engine',
    'cmd=A',
    '-engine',
    'cmd=B',
    '-rounds',
    '2',
    '--page',
    '0',
    '-concurrency',
    '1',
    '--force',
  ]);
  expect(words.join(' ')).toMatch(/--games 4 --plies 0 --workers 1 --page 0 --force$/);
});
