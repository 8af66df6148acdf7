// Random games in many styles: notation, numbers, annotations, comments, variations, tags, results, line endings and encodings. Moves and
// results are read as they were played, without a fault.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatSan } from '../../../engine/board/rules.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { noProblems } from '../../../selfplay/common/errors.js';
import { advanceGame, gameEnd, moveToUci, parseFen, STARTPOS } from '../../../selfplay/notation/board.js';
import { kindOfFile } from '../../../selfplay/records/file-kind.js';
import { readPgn } from '../../../selfplay/records/pgn-reader.js';
import { randomGame } from '../../support/random-games.js';
import { isLong, slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-styles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WORDS = 'good e4 Nf3 1-0 0-1 * [x] ( ) ; % 1. ... +0.31/12 " \\ $3 -- Z0 O-O ü ½-½ http://a/b 1/2-1/2 @ ,'.split(
  ' ',
);
const FIGURINES = { K: '♔♚', Q: '♕♛', R: '♖♜', B: '♗♝', N: '♘♞' } as const;
const RESULTS = { '1-0': ['1-0', '1–0', '1:0'], '0-1': ['0-1', '0–1', '0 - 1'], '1/2-1/2': ['½-½', '1/2', '1/2-1/2'] };

class Writer {
  private readonly random: ReturnType<typeof createRandom>;

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  /** Returns a file of some games, and the expected moves and results. */
  file(): { bytes: Buffer; games: string[] } {
    const isBare = this.chance(15);
    const games = Array.from({ length: 1 + this.below(4) }, () => this.game(isBare));
    const text = games.map((game) => game.text).join('');
    const lines = text.replaceAll('\n', this.pick('\n', '\n', '\r\n', '\r', '\r\r\n'));
    const utf16 = Buffer.from(`\ufeff${lines}`, 'utf16le');
    const bytes = this.pick(Buffer.from(lines), Buffer.from(`\ufeff${lines}`), utf16, Buffer.from(utf16).swap16());
    return { bytes, games: games.map((game) => game.holds) };
  }

  private game(isBare: boolean): { text: string; holds: string } {
    const moves = Array.from(randomGame(this.below(1_000_000), 1 + this.below(60)).moves);
    const adjudicated = this.pick(...(Object.keys(RESULTS) as (keyof typeof RESULTS)[]));
    const number = this.pick('1. ', '1.', '1 ', '1 . ', 'both', '');
    const notation = this.pick('san', 'san', 'uci', 'long', 'figurines', 'P', ':', 'pawn');
    const [comments, variations, others] = [this.pick(0, 10, 40), this.pick(0, 5, 20), this.pick(0, 0, 5)];
    const words: string[] = [];
    parseFen(STARTPOS);
    for (const [ply, move] of moves.entries()) {
      if (this.chance(comments)) words.push(this.comment());
      const count = (ply >> 1) + 1;
      if (ply % 2 === 1 && number === 'both') words.push(`${count}${this.pick('...', '. ...', ' ...', '…')}`);
      const before =
        ply % 2 === 1 || number === '' ? '' : number === 'both' ? `${count}. ` : number.replace('1', `${count}`);
      words.push(before + this.move(formatSan(move), moveToUci(move), notation));
      if (this.chance(comments)) words.push(this.comment());
      if (this.chance(variations)) words.push(this.variation(2));
      if (this.chance(others)) words.push(`;${this.text(' ')}\n`);
      if (this.chance(others)) words.push(`\n%${this.text(' ')}\n`);
      advanceGame(move);
    }
    const end = gameEnd();
    const mate = moves.length % 2 === 1 ? '1-0' : '0-1';
    const result = end === 'checkmate' ? mate : end === 'stalemate' ? '1/2-1/2' : adjudicated;
    const token = isBare ? result : this.pick(result, result, `{${result}}`, this.pick(...RESULTS[result]), '');
    const movetext = [...words, token].map((word) => word + this.pick(' ', ' ', ' ', '\n')).join('');
    const holds = [...moves.map((move) => moveToUci(move)), result].join(' ');
    const text = (isBare ? '' : this.header(token === result ? this.pick(result, '*', '?') : result)) + movetext;
    return { text: `${text.trimEnd()}${this.pick('\n', '\n\n', '\n\n\n')}`, holds };
  }

  private move(san: string, uci: string, notation: string): string {
    const mark = (
      this.chance(12) ? this.pick('!', '?!', '=', '∓', '+-', ' N', ' □', ' ∞', '$1', ' $6 ') : ''
    ) as string;
    if (notation === 'uci') return uci + mark;
    const check = this.pick(
      '',
      san.endsWith('#') ? ' mate' : san.endsWith('+') ? 'ch' : '',
      /[+#]?$/.exec(san)?.[0] ?? '',
    );
    let text = san.replace(/[+#]$/, '');
    if (text.startsWith('O'))
      return text.replaceAll('O', this.pick('O', '0', 'o')).replaceAll('-', this.pick('-', '–')) + check + mark;
    const [piece = ''] = /^[KQRBN]/.exec(text) ?? [];
    if (notation === 'long')
      text = `${piece}${uci.slice(0, 2)}${text.includes('x') ? 'x' : '-'}${text.slice(text.search(/[a-h][1-8](?:=|$)/))}`;
    if (notation === ':') text = text.replace('x', this.pick(':', ''));
    if (notation === 'P' && piece === '') text = `P${text}`;
    if (notation === 'figurines') text = text.replace(/^[KQRBN]/, (letter) => this.pick(...FIGURINES[letter as 'K']));
    return (
      text.replace(/=(\w)/, (_, letter: string) =>
        this.pick(`=${letter}`, letter, `(${letter})`, `/${letter}`, `=${letter.toLowerCase()}`),
      ) +
      check +
      mark
    );
  }

  private text(blank: string): string {
    return Array.from({ length: 2 + this.below(6) }, () => this.pick(...WORDS)).join(blank);
  }

  private comment(): string {
    return `{${this.text(this.pick(' ', '\n'))}}`;
  }

  private variation(depth: number): string {
    const parts = Array.from({ length: 1 + this.below(4) }, () =>
      this.pick(
        '1. d4',
        '1... c5',
        'Nf3',
        '--',
        '1-0',
        '*',
        this.comment(),
        depth > 0 ? this.variation(depth - 1) : 'N',
      ),
    );
    return `(${parts.join(' ')} )`;
  }

  private header(result: string): string {
    const tags: [string, string][] = [
      ['Event', this.pick('x', 'a \\"b\\" c', 'a "b" c', '[y]', '{z}', '')],
      ['Result', result],
    ];
    tags.splice(
      1,
      0,
      ...(
        [
          ['Site', '?'],
          ['White', "O'Neil"],
          ['White-Team', 'q'],
        ] as const
      )
        .filter(() => this.chance(60))
        .map(([a, b]): [string, string] => [a, b]),
    );
    const pairs = tags.map(
      ([name, value]) =>
        `[${this.pick(name, name, name.toLowerCase())}${this.pick(' ', ' ', '')}"${value}"${this.pick('', '', ' ')}]`,
    );
    const note = this.pick('', '', '', '; a line\n', '{a note}\n');
    return `${pairs[0]}\n${note}${pairs.slice(1).join(this.pick('\n', ' '))}${this.pick('\n\n', '\n', ' ')}`;
  }

  private below(count: number): number {
    return randomBelow(this.random, count);
  }

  private chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  private pick<T>(...items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

async function readAll(first: number, count: number): Promise<void> {
  const file = join(folder, 'games.txt');
  for (let seed = first; seed < first + count; seed++) {
    const { bytes, games } = new Writer(seed).file();
    writeFileSync(file, bytes);
    const problems = noProblems();
    const found: string[] = [];
    for await (const { moves, result } of readPgn(file, problems))
      found.push([...moves.map((move) => moveToUci(move)), result].join(' '));
    expect({ seed, kind: await kindOfFile(file), games: found, faults: problems.messages }).toEqual({
      seed,
      kind: 'pgn',
      games,
      faults: [],
    });
  }
}

test('60 files of games in random styles are read correctly', () => readAll(1, 60));

slowTest('many files of games in random styles are read correctly', () => readAll(1000, isLong ? 2000 : 600), 120_000);
