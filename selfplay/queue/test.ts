// A test in the queue: its form, and the equivalent `match` command. Values are passed as separate arguments, never through a shell, except
// for the build command.

import { UserError } from '../common/errors.js';
import { splitWords } from '../common/options.js';
import { parseTimeControl } from '../games/clock.js';
import type { Statistics } from '../statistics/types.js';

export type TestState = 'queued' | 'running' | 'finished' | 'failed' | 'stopped';

export interface Test extends Partial<Pick<Statistics, 'verdict' | 'elo' | 'eloError' | 'llr' | 'penta'>> {
  id: number;
  form: TestForm;
  added: string;
  state: TestState;
  /** Number of starts since the run last grew, and size of its journal in bytes at the last start. */
  starts: number;
  size?: number;
  pid?: number;
  /** Address of the running process's live page. */
  page?: string | undefined;
  /** Reason for the failure. */
  problem?: string;
  gamesPlayed?: number;
}

interface Field {
  label: string;
  default: string;
  /** Help text for the option of `queue add`. */
  help: string;
  /** Placeholder of the field on the page. */
  hint: string;
}

const field = (label: string, value: string, help: string, hint = ''): Field => ({ label, default: value, help, hint });

/** The fields of the form; an empty repository means the current one. */
export const FIELDS = {
  name: field('Name', '', 'name of the test: short description of the change', 'short description of the change'),
  head: field('Test', 'HEAD', 'branch, tag or commit to test', 'branch, tag or commit'),
  base: field('Against', 'main', 'branch, tag or commit to test against', 'branch, tag or commit'),
  git: field(
    'Repository',
    '',
    'URL of the repository; default: the one in which the queue runs',
    'URL; empty: the current repository',
  ),
  build: field('Build', '', 'build command, for example "make EXE={out}"', 'make EXE={out}'),
  exe: field('Program', '', 'path of the built program, if it is not {out}', 'if not {out}'),
  tc: field('Clock', '8+0.08', 'time control'),
  nodes: field('Nodes', '', 'nodes per move, instead of a clock', 'instead of a clock'),
  elo0: field('Elo 0', '0', 'SPRT: Elo of hypothesis H0'),
  elo1: field('Elo 1', '5', 'SPRT: Elo of hypothesis H1'),
  games: field('Games', '', 'maximum number of games', 'at most'),
  openings: field('Openings', '', 'book of start positions', 'a file'),
  options: field(
    'Options',
    '',
    'further options of match, for example "--workers 2 --each option.Hash=16"; write a single option as --options=--chess960',
    '--workers 2 --each option.Hash=16',
  ),
};

/** Settings of a test, as typed text. */
export type TestForm = Record<keyof typeof FIELDS, string>;

const LONGEST = 400;
/** Options that a test may not contain. */
const OWN =
  /^--(out|page|json|pgn|pgn-append|pgn-overwrite|force|markdown|continue|log|events|viriformat|budget|help|version)(=|$)/;

/** Returns the input as a form; throws a UserError if it is not one. */
export function checkedForm(typed: unknown): TestForm {
  if (typeof typed !== 'object' || typed === null || Array.isArray(typed))
    throw new UserError('a test must be an object of strings');
  const unknown = Object.keys(typed).find((key) => !Object.hasOwn(FIELDS, key));
  if (unknown !== undefined) throw new UserError(`unknown field ${unknown.slice(0, 40)}`);
  const form = Object.fromEntries(
    Object.entries(FIELDS).map(([key, field]) => {
      const value: unknown = (typed as Record<string, unknown>)[key] ?? field.default;
      if (typeof value !== 'string' || value.length > LONGEST)
        throw new UserError(`${field.label} (--${key}): at most ${LONGEST} characters`);
      if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value))
        throw new UserError(`${field.label} (--${key}): control characters are not allowed`);
      return [key, value.trim() === '' ? field.default : value.trim()];
    }),
  ) as unknown as TestForm;
  matchWords(form);
  return form;
}

/** Returns the arguments of `match` for a form; throws a UserError that names the invalid field. */
export function matchWords(form: TestForm): string[] {
  const { build, tc, nodes, elo0, elo1, options } = form;
  for (const key of ['head', 'base', 'git', 'exe'] as const) {
    if (/[\s"']/.test(form[key]))
      throw new UserError(`${FIELDS[key].label} (--${key}): spaces and quotes are not allowed`);
  }
  if (build.includes('"') && build.includes("'")) throw new UserError('Build (--build): use only one kind of quotes');
  for (const key of ['elo0', 'elo1', 'nodes', 'games'] as const) {
    if (form[key] !== '' && !Number.isFinite(Number(form[key])))
      throw new UserError(`${FIELDS[key].label} (--${key}) must be a number, not '${form[key]}'`);
  }
  if (Number(elo0) >= Number(elo1))
    throw new UserError(`Elo 0 (--elo0) must be below Elo 1 (--elo1), not ${elo0} and ${elo1}`);
  if (nodes === '') parseTimeControl(tc, 'Clock (--tc)');
  const filled = (...keys: (keyof TestForm)[]): (keyof TestForm)[] => keys.filter((key) => form[key] !== '');
  const shared = filled('git', 'build', 'exe').map((key) => `${key}=${form[key]}`);
  const more = splitWords(options);
  const own = more.find((word) => OWN.test(word));
  if (own !== undefined) throw new UserError(`Options (--options): ${own} is not allowed in a test`);
  if (more.length > 0 && !more[0].startsWith('--'))
    throw new UserError(`Options (--options) must begin with two dashes, not with '${more[0].slice(0, 40)}'`);
  return [
    ...['--engine', `rev=${form.head}`, 'proto=uci', ...shared],
    ...['--engine', `rev=${form.base}`, 'proto=uci', ...shared],
    ...(nodes === '' ? ['--tc', tc] : ['--nodes', nodes]),
    ...['--sprt', '--elo0', elo0, '--elo1', elo1],
    ...filled('games', 'openings').flatMap((key) => [`--${key}`, form[key]]),
    ...more,
  ];
}

/** Returns `passed` or `failed` after a verdict of the SPRT, otherwise the state of the test. */
export const testOutcome = ({ verdict, state }: Test): string =>
  verdict === 'H1' ? 'passed' : verdict === 'H0' ? 'failed' : state;

/** Returns whether the test has ended. */
export const isOver = ({ state }: Test): boolean => state !== 'queued' && state !== 'running';
