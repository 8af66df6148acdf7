// A test of the queue: its form, and the equivalent `match` command. Values are passed as words, never through a shell, except the build
// command.

import { UserError } from '../common/errors.js';
import { splitWords } from '../common/options.js';
import { parseTimeControl } from '../games/clock.js';

/** Settings of a test, as typed text. */
export interface TestForm {
  name: string;
  head: string;
  base: string;
  /** Address of the repository; empty for the current one. */
  git: string;
  build: string;
  exe: string;
  tc: string;
  nodes: string;
  elo0: string;
  elo1: string;
  games: string;
  openings: string;
  /** Further options of `match`. */
  options: string;
}

export type TestState = 'queued' | 'running' | 'finished' | 'failed' | 'stopped';

export interface Test {
  id: number;
  form: TestForm;
  /** Time of addition. */
  added: string;
  state: TestState;
  /** Number of starts since its run last grew, and the size of the journal in bytes at the last one. */
  starts: number;
  size?: number;
  /** Id of its process. */
  pid?: number;
  /** Reason of its failure. */
  problem?: string;
  verdict?: 'H0' | 'H1' | null;
  elo?: number;
  eloError?: number;
  llr?: number;
  gamesPlayed?: number;
  penta?: number[];
}

interface Field {
  label: string;
  default: string;
  /** Placeholder of the field on the page. */
  hint?: string;
  /** Help of the option of `queue add`. */
  help: string;
}

/** The fields of the form. */
export const FIELDS: Readonly<Record<keyof TestForm, Field>> = {
  name: {
    label: 'Name',
    default: '',
    hint: 'short description of the change',
    help: 'name of the test: short description of the change',
  },
  head: { label: 'Test', default: 'HEAD', hint: 'branch, tag or commit', help: 'branch, tag or commit to test' },
  base: {
    label: 'Against',
    default: 'main',
    hint: 'branch, tag or commit',
    help: 'branch, tag or commit to test against',
  },
  git: {
    label: 'Repository',
    default: '',
    hint: 'address; empty: the current repository',
    help: 'address of the repository; default: the current one',
  },
  build: { label: 'Build', default: '', hint: 'make EXE={out}', help: 'build command, for example "make EXE={out}"' },
  exe: {
    label: 'Program',
    default: '',
    hint: 'if not {out}',
    help: 'path of the built program, if it is not {out}',
  },
  tc: { label: 'Clock', default: '8+0.08', help: 'time control' },
  nodes: { label: 'Nodes', default: '', hint: 'instead of a clock', help: 'nodes per move, instead of a clock' },
  elo0: { label: 'Elo 0', default: '0', help: 'SPRT: Elo of hypothesis H0' },
  elo1: { label: 'Elo 1', default: '5', help: 'SPRT: Elo of hypothesis H1' },
  games: { label: 'Games', default: '', hint: 'at most', help: 'maximum number of games' },
  openings: { label: 'Openings', default: '', hint: 'a file', help: 'book of start positions' },
  options: {
    label: 'Options',
    default: '',
    hint: '--workers 2 --each option.Hash=16',
    help: 'further options of match, for example "--workers 2 --each option.Hash=16"',
  },
};

const LONGEST = 400;
/** Options that the queue sets itself. */
const OWN = /^--(out|page|json|pgn|pgn-append|force|markdown|continue|log|events|viriformat|budget|help|version)(=|$)/;

/** Returns the input as a form; throws a UserError if it is not one. */
export function checkedForm(typed: unknown): TestForm {
  if (typeof typed !== 'object' || typed === null || Array.isArray(typed))
    throw new UserError('a test must be an object of texts');
  const unknown = Object.keys(typed).find((key) => !Object.hasOwn(FIELDS, key));
  if (unknown !== undefined) throw new UserError(`unknown field ${unknown.slice(0, 40)}`);
  const form = Object.fromEntries(
    Object.entries(FIELDS).map(([key, field]) => {
      const value: unknown = (typed as Record<string, unknown>)[key] ?? field.default;
      if (typeof value !== 'string' || value.length > LONGEST)
        throw new UserError(`${field.label}: at most ${LONGEST} characters`);
      if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value))
        throw new UserError(`${field.label}: control characters are not allowed`);
      return [key, value.trim() === '' ? field.default : value.trim()];
    }),
  ) as unknown as TestForm;
  matchWords(form);
  return form;
}

/** Returns the `match` command of a form; throws a UserError that names a wrong field. */
export function matchWords(form: TestForm): string[] {
  const { git, build, exe, tc, nodes, elo0, elo1, games, openings, options } = form;
  for (const key of ['head', 'base', 'git', 'exe'] as const) {
    if (/[\s"']/.test(form[key])) throw new UserError(`${FIELDS[key].label}: blanks and quotes are not allowed`);
  }
  if (/["]/.test(build) && /[']/.test(build)) throw new UserError('Build: quotes of one kind only');
  for (const [label, value] of [
    ['Elo 0', elo0],
    ['Elo 1', elo1],
    ['Nodes', nodes],
    ['Games', games],
  ]) {
    if (value !== '' && !Number.isFinite(Number(value)))
      throw new UserError(`${label} must be a number, not '${value}'`);
  }
  if (Number(elo0) >= Number(elo1)) throw new UserError(`Elo 0 must be below Elo 1, not ${elo0} and ${elo1}`);
  if (nodes === '') parseTimeControl(tc, 'Clock');
  const shared = [
    ...(git === '' ? [] : [`git=${git}`]),
    ...(build === '' ? [] : [`build=${build}`]),
    ...(exe === '' ? [] : [`exe=${exe}`]),
  ];
  const more = splitWords(options);
  const own = more.find((word) => OWN.test(word));
  if (own !== undefined) throw new UserError(`Options: ${own} is set by the queue`);
  if (more.length > 0 && !more[0].startsWith('--'))
    throw new UserError(`Options must begin with two dashes, not with '${more[0].slice(0, 40)}'`);
  return [
    ...['--engine', `rev=${form.head}`, 'proto=uci', ...shared],
    ...['--engine', `rev=${form.base}`, 'proto=uci', ...shared],
    ...(nodes === '' ? ['--tc', tc] : ['--nodes', nodes]),
    ...['--sprt', '--elo0', elo0, '--elo1', elo1],
    ...(games === '' ? [] : ['--games', games]),
    ...(openings === '' ? [] : ['--openings', openings]),
    ...more,
  ];
}

/** Whether the test has ended. */
export const isOver = ({ state }: Test): boolean => state !== 'queued' && state !== 'running';
