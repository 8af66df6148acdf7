import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { EngineSpec } from '../../../selfplay/engines/process.js';
import { MATCH_OPTIONS } from '../../../selfplay/match/options.js';
import { continuation, continuedCommand, pinnedWords } from '../../../selfplay/match/saved-command.js';

const at = (commit?: string): EngineSpec => ({
  command: 'x',
  args: [],
  options: {},
  ...(commit !== undefined && { commit }),
});

test.each<[string, string[], EngineSpec[], string[]]>([
  [
    'two revisions',
    ['--engine', 'rev=main build="make x"', '--engine', 'name=b rev="a b"'],
    [at('1'), at('2')],
    ['--engine', 'rev=1 build="make x"', '--engine', 'name=b rev=2'],
  ],
  [
    'an engine whose build command contains rev=',
    ['--engine', 'git=u build="make rev=1 EXE={out}" rev=main'],
    [at('2')],
    ['--engine', 'git=u build="make rev=1 EXE={out}" rev=2'],
  ],
  [
    'HEAD of a URL',
    ['--engine', 'git=u', '--engine', 'cmd=rev=x'],
    [at('1'), at()],
    ['--engine', 'git=u rev=1', '--engine', 'cmd=rev=x'],
  ],
  [
    'a candidate and a baseline',
    ['--candidate=rev=HEAD', '--baseline', 'rev=main', '--games', '2'],
    [at('1'), at('2')],
    ['--candidate=rev=1', '--baseline', 'rev=2', '--games', '2'],
  ],
  [
    'a baseline alone',
    ['--engine', 'cmd=a', '--baseline', 'rev=x'],
    [at('1'), at()],
    ['--engine', 'cmd=a', '--baseline', 'rev=1'],
  ],
  [
    'a candidate alone',
    ['--candidate', 'rev=x', '--tc', 'rev=1'],
    [at('1'), at()],
    ['--candidate', 'rev=1', '--tc', 'rev=1'],
  ],
])('pinnedWords replaces the revisions of %s with commits', (_, words, engines, pinned) => {
  expect(pinnedWords(words, engines)).toEqual(pinned);
});

test('the printed command to continue a run quotes its folder for the shell', () => {
  const out = mkdtempSync(join(tmpdir(), 'heft runs of ö '));
  expect(continuation(out)).toBe(`To continue, give the same options and --out '${out}'`);
  writeFileSync(join(out, 'command.json'), '');
  expect(continuation(out)).toBe(`To continue: npm run match -- --continue '${out}'`);
  rmSync(out, { recursive: true });
});

test('a continued run applies --pgn-overwrite only to the original PGN file', () => {
  const out = realpathSync(mkdtempSync(join(tmpdir(), 'heft-continued-')));
  const chdir = vi.spyOn(process, 'chdir').mockReturnValue(undefined);
  writeFileSync(
    join(out, 'command.json'),
    JSON.stringify({ folder: out, words: ['--pgn', 'o.pgn', '--pgn-overwrite'] }),
  );
  const expand = (...words: string[]): readonly string[] =>
    continuedCommand(['--continue', out, ...words], MATCH_OPTIONS);
  expect(expand()).toContain('--pgn-overwrite');
  for (const further of [['--pgn', 'other.pgn'], ['--pgn-append']])
    expect(expand(...further)).not.toContain('--pgn-overwrite');
  chdir.mockRestore();
  rmSync(out, { recursive: true });
});

test('paths in further options of a continued run are relative to the current folder', () => {
  const out = realpathSync(mkdtempSync(join(tmpdir(), 'heft-continued-')));
  const chdir = vi.spyOn(process, 'chdir').mockReturnValue(undefined);
  const expand = (...words: string[]): readonly string[] =>
    continuedCommand(['--continue', out, ...words], MATCH_OPTIONS);
  writeFileSync(join(out, 'command.json'), JSON.stringify({ folder: out, words: ['--openings', 'b.epd', '--pgn=a'] }));
  expect(expand('--workers', '2', '--pgn', 'c.pgn', '--log=d')).toEqual([
    '--openings',
    'b.epd',
    '--workers',
    '2',
    '--pgn',
    resolve('c.pgn'),
    `--log=${resolve('d')}`,
    '--out',
    out,
  ]);
  expect(chdir).toHaveBeenCalledWith(out);
  expect(() => expand('--engine', 'cmd=./x')).toThrow(
    /^--continue: paths in --engine are relative to .* omit --engine, or run the command there$/,
  );
  chdir.mockRestore();
  rmSync(out, { recursive: true });
});
