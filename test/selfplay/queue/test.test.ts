import { describe, expect, test } from 'vitest';
import { checkedForm, matchWords } from '../../../selfplay/queue/test.js';

const form = (typed: object): string[] => matchWords(checkedForm(typed));

describe('a test in the queue', () => {
  test('is translated into match options', () => {
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
    [null, /^a test must be an object of strings$/],
    [['x'], /^a test must be an object of strings$/],
    [{ colour: 'red' }, /^unknown field colour$/],
    [{ __proto__: null, constructor: 'x' }, /^unknown field constructor$/],
    [{ name: 3 }, /^Name \(--name\): at most 400 characters$/],
    [{ name: 'x'.repeat(401) }, /^Name \(--name\): at most 400 characters$/],
    [{ name: 'a\nb' }, /^Name \(--name\): control characters are not allowed$/],
    [{ head: 'a\u202eb' }, /^Test \(--head\): control characters are not allowed$/],
    [{ head: 'main cmd=/bin/sh' }, /^Test \(--head\): spaces and quotes are not allowed$/],
    [{ git: "x'y" }, /^Repository \(--git\): spaces and quotes are not allowed$/],
    [{ build: `a "b" 'c'` }, /^Build \(--build\): use only one kind of quotes$/],
    [{ tc: 'fast' }, /^Clock \(--tc\) takes a time control/],
    [{ nodes: 'many' }, /^Nodes \(--nodes\) must be a number, not 'many'$/],
    [{ elo0: '5', elo1: '5' }, /^Elo 0 \(--elo0\) must be below Elo 1 \(--elo1\), not 5 and 5$/],
    [{ options: '--out /etc' }, /^Options \(--options\): --out is not allowed in a test$/],
    [{ options: '--workers 2 --pgn=/etc/x' }, /^Options \(--options\): --pgn=\/etc\/x is not allowed in a test$/],
    [{ options: 'sprt --penta' }, /^Options \(--options\) must begin with two dashes, not with 'sprt'$/],
  ])('%j is rejected', (typed, message) => {
    expect(() => checkedForm(typed)).toThrow(message);
  });
});
