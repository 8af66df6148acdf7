// The search parameters as options: declared only for tuners, derived from one declaration, and used by the search.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { newGame } from '../../../engine/engine.js';
import { P, PARAMS, setParam } from '../../../engine/search/params.js';
import { declareOptions, identify } from '../../../engine/uci/options.js';
import { UciSession } from '../../../engine/uci/uci.js';

const MAIN = fileURLToPath(new URL('../../../dist/engine/main.js', import.meta.url));

afterAll(() => {
  for (const [name, { value }] of Object.entries(PARAMS)) setParam(name, value);
});

test('search parameters are declared only with --tune-options, each with default and range', () => {
  const plain = identify(declareOptions(1024));
  const tuning = identify(declareOptions(1024, PARAMS));
  const more = tuning.filter((line) => !plain.includes(line));
  const { value, min, max } = PARAMS['rfpMargin'];
  expect(more).toHaveLength(Object.keys(PARAMS).length);
  expect(more).toContain(`option name rfpMargin type spin default ${value} min ${min} max ${max}`);
  const run = (...args: string[]): string[] =>
    execFileSync(process.execPath, [MAIN, ...args], { input: 'uci\nquit\n', encoding: 'utf8' }).split('\n');
  expect(run().filter((line) => more.includes(line))).toEqual([]);
  expect(run('--tune-options').filter((line) => more.includes(line))).toEqual(more);
});

test('setting a parameter changes the search, and resetting it restores the search', () => {
  const output: string[] = [];
  const unused = (): never => {
    throw new Error('not needed');
  };
  const port = {
    readFile: unused,
    sleep: unused,
    spawn: unused,
    collect: () => {},
    flush: () => {},
    memory: 1024,
    tunes: true,
  };
  const session = new UciSession({ ...port, write: (line) => output.push(line) });
  const send = (line: string): void => session.execute(line);
  const nodes = (): number => {
    newGame();
    output.length = 0;
    send('go depth 8');
    return Number(/ nodes (\d+)/.exec(output.at(-2) ?? '')?.[1]);
  };
  const before = nodes();
  send('setoption name lmrbase value 20');
  expect(P.LMR_BASE).toBe(20);
  expect(nodes()).not.toBe(before);
  send('setoption name lmrBase value 151');
  expect(P.LMR_BASE).toBe(20);
  send(`setoption name lmrBase value ${PARAMS['lmrBase'].value}`);
  expect(nodes()).toBe(before);
});
