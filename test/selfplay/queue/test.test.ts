import { describe, expect, test } from 'vitest';
import { checkedForm, matchWords } from '../../../selfplay/queue/test.js';

const form = (typed: object): string[] => matchWords(checkedForm(typed));

describe('a test of the queue', () => {
  test('becomes the words of a match', () => {
    expect(
      form({
        head: 'new',
        base: 'old',
        git: 'https://x/y',
        build: 'make EXE={out}',
        nodes: '1000',
        elo1: '3',
        options: '--workers 2 --each "option.Hash=16"',
      }),
    ).toEqual([
      ...['--engine', 'rev=new', 'proto=uci', 'git=https://x/y', 'build=make EXE={out}'],
      ...['--engine', 'rev=old', 'proto=uci', 'git=https://x/y', 'build=make EXE={out}'],
      ...['--nodes', '1000', '--sprt', '--elo0', '0', '--elo1', '3', '--workers', '2', '--each', 'option.Hash=16'],
    ]);
    expect(form({})).toEqual([
      ...['--engine', 'rev=HEAD', 'proto=uci', '--engine', 'rev=main', 'proto=uci', '--tc', '8+0.08'],
      ...['--sprt', '--elo0', '0', '--elo1', '5'],
    ]);
  });

  test.each<[unknown, RegExp]>([
    [null, /^a test is an object of texts$/],
    [['x'], /^a test is an object of texts$/],
    [{ colour: 'red' }, /^a test has no colour$/],
    [{ __proto__: null, constructor: 'x' }, /^a test has no constructor$/],
    [{ name: 3 }, /^Name is a text of at most 400 characters$/],
    [{ name: 'x'.repeat(401) }, /^Name is a text of at most 400 characters$/],
    [{ name: 'a\nb' }, /^Name holds a control character$/],
    [{ head: 'a\u202eb' }, /^Test holds a control character$/],
    [{ head: 'main cmd=/bin/sh' }, /^Test: no blanks or quotes, please$/],
    [{ git: "x'y" }, /^Repository: no blanks or quotes, please$/],
    [{ build: `a "b" 'c'` }, /^Build: quotes of one kind only$/],
    [{ tc: 'fast' }, /^Clock takes a time control/],
    [{ nodes: 'many' }, /^Nodes is a number, not 'many'$/],
    [{ elo0: '5', elo1: '5' }, /^Elo 0 is below Elo 1, not 5 and 5$/],
    [{ options: '--out /etc' }, /^Options: --out is the queue's own$/],
    [{ options: '--workers 2 --pgn=/etc/x' }, /^Options: --pgn=\/etc\/x is the queue's own$/],
    [{ options: 'sprt --penta' }, /^Options begin with two dashes, not with 'sprt'$/],
  ])('%j is refused', (typed, message) => {
    expect(() => checkedForm(typed)).toThrow(message);
  });
});
