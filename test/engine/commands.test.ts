import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ArgumentError, commandLines } from '../../engine/commands/commands.js';
import { currentWeights, setWeights, useWeights } from '../../engine/engine.js';
import { oracleAt } from '../support/oracle.js';

const terms = { material: Array(5).fill([50, 50]), psqt: Array(384).fill([0, 0]), tempo: [[11, 11]] };
const files: Record<string, string> = {
  'good.json': JSON.stringify({ terms }),
  'cut.json': '{"terms": {"material": [[1',
  'other.json': '{"terms": {}}',
  'pawns.epd': '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - ; c0 "pawns"\r\n\n4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 3 9\n',
  'bad.epd': '4k3/8/8/8/8/8/P7/4K3 w - -\n4k3/8/8/8/8/8/P7 w - -\n',
  'moves.epd': '4k3/8/8/8/8/8/P7/4K3 w - - 0 1 moves a2a4\n',
  'comment.epd': '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - c0 "White moves and wins";\n',
  'empty.epd': '\n\n',
  'over.epd': '7k/6Q1/6K1/8/8/8/8/8 b - -\n',
  'mixed.epd': '7k/6Q1/6K1/8/8/8/8/8 b - -\n4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n',
};
const readFile = (name: string): string => {
  if (files[name] === undefined) throw new Error(`no such file: ${name}`);
  return files[name];
};
const run = (line: string): string[] => [...commandLines(line.split(' '), readFile)];

const weights = currentWeights();
beforeAll(() => expect(weights.mg[0]).not.toBe(50));
afterEach(() => setWeights(weights.mg, weights.eg));

describe('bench', () => {
  test('bench prints nodes and speed, with the same node count every time', () => {
    const [line, ...more] = run('bench 3');
    expect([more, /^(\d+) nodes \d+ nps$/.exec(line)?.[1]]).toEqual([[], run('bench 3')[0].split(' ')[0]]);
  });
});

describe('help and version', () => {
  test.each(['--help', 'bench --help', 'help'])('%s prints the usage with the default bench depth', (line) => {
    expect(run(line)[0]).toMatch(/^usage: heft[\s\S]*bench \[DEPTH\] .*\(\d+ by default\)[\s\S]*--version/);
  });
});

describe('genfens', () => {
  const fensOf = (lines: string[]): string[] =>
    lines.map((line) => {
      expect(line).toMatch(/^info string genfens \S+ [wb] \S+ \S+ \d+ \d+$/);
      return line.replace('info string genfens ', '');
    });

  test('genfens prints the requested number of playable positions, determined by the seed', () => {
    const lines = run('genfens 4 seed 7 book None');
    const fens = fensOf(lines);
    expect([fens.length, new Set(fens).size]).toEqual([4, 4]);
    for (const fen of fens) {
      const oracle = oracleAt(fen);
      expect([oracle.isEnd(), oracle.fullmoves], 'after eight or nine plies').toEqual([false, 5]);
    }
    expect(run('genfens 4 seed 7 book None')).toEqual(lines);
    expect(run('genfens 2 seed 7'), 'fewer are the first of more').toEqual(lines.slice(0, 2));
    expect(run('genfens 2 seed 8')).not.toEqual(lines.slice(0, 2));
  });

  test('genfens starts from book positions', () => {
    const fens = fensOf(run('genfens 6 seed 1 book pawns.epd'));
    expect(fensOf(run('genfens 2 seed 1 book comment.epd'))).toHaveLength(2);
    expect(fens).toHaveLength(6);
    for (const fen of fens) expect(fen.split(' ')[0]).not.toMatch(/[nbrq]/i);
    expect(new Set(fens.map((fen) => fen.split(' ')[1])), 'two plies on, from both').toEqual(new Set(['w', 'b']));
  });

  test('genfens replaces book positions in which the game is over', () => {
    expect(fensOf(run('genfens 6 seed 1 book mixed.epd'))).toHaveLength(6);
  });
});

describe('an invalid command', () => {
  test.each([
    ['bench deep', /^bench takes a whole number, not 'deep'$/],
    ['bench -1', /^bench takes a whole number/],
    [
      'bench 3 --weights good.json',
      /^unknown argument '--weights'; bench takes only a depth, and options come before bench$/,
    ],
    ['genfens', /^genfens takes a whole number, not ''$/],
    ['genfens many seed 1', /^genfens takes a whole number, not 'many'$/],
    ['genfens 3 seed x book None', /^seed takes a whole number, not 'x'$/],
    ['genfens 3 seed', /^seed takes a whole number, not ''$/],
    ['genfens 1 seed 1 book none.epd', /^book none\.epd: no such file/],
    ['genfens 1 seed 1 book bad.epd', /^book bad\.epd:2: the board has 7 ranks/],
    ['genfens 1 seed 1 book moves.epd', /^book moves\.epd:1: genfens takes positions without moves$/],
    ['genfens 1 seed 1 book empty.epd', /^book empty\.epd: no positions$/],
    ['genfens 1 seed 1 book over.epd', /^genfens: no acceptable opening/],
    ['--colour blue', /^unknown argument '--colour'; usage: heft /],
  ])('an invalid command is rejected with one line: %s', (line, message) => {
    let refusal: unknown;
    try {
      run(line);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(ArgumentError);
    expect((refusal as Error).message).toMatch(message);
    expect((refusal as Error).message).not.toContain('\n');
  });
});

describe('a weights file', () => {
  test('a valid weights file replaces the weights', () => {
    useWeights(readFile('good.json'));
    expect(currentWeights().mg[0]).toBe(50);
  });

  test.each([
    ['cut.json', /^not valid JSON$/],
    ['other.json', /^term "material" is missing$/],
  ])('an invalid weights file leaves the weights unchanged: %s', (file, message) => {
    expect(() => useWeights(readFile(file))).toThrow(message);
    expect(currentWeights()).toEqual(weights);
  });
});
