// readHeader(): the model declared in the first line of a row file or a program's output; parseColumnLine(): the column names in the
// second line. docs/any-engine.md describes the format.

import type { Order } from '../../engine/eval/axes.js';
import type { Pair } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { isObject } from '../../selfplay/common/run-files.js';
import type { Model, Term } from '../model/model.js';

/** A model of another engine, with its given values. */
export interface GivenModel {
  model: Model;
  given: Record<string, Pair[]>;
}

const ORDERS: readonly Order[] = ['kinds', 'steps', 'files', 'squares'];
const FIELDS = ['name', 'label', 'family', 'shape', 'orders', 'places', 'weights'];
/** Maximum number of weights, because the matrix of a fit grows with its square. */
const WEIGHTS_MAX = 4096;
/** Maximum absolute value in centipawns, far above any sensible value. */
const LIMIT = 30_000;

/** Parses the first line. Throws a UserError that begins with `place` (file and line) if the line is invalid. */
export function readHeader(line: string, place: string): GivenModel {
  const fail = (problem: string): never => {
    throw new UserError(`${place}: ${problem}`);
  };
  let header: unknown;
  try {
    header = JSON.parse(line);
  } catch {}
  if (!isObject(header)) return fail('the first line is not a JSON object; print {"format":"heft-rows",…} there');
  if (header['format'] !== 'heft-rows') fail(`"format" is ${shown(header['format'])}; it must be "heft-rows"`);
  if (header['version'] !== 1) fail(`"version" is ${shown(header['version'])}; this program reads version 1`);
  const { engine, terms: listed } = header;
  if (typeof engine !== 'string' || engine === '') return fail('"engine" must be the name of the engine, as a string');
  if (!Array.isArray(listed) || listed.length === 0) return fail('"terms" must be a list of at least one term');

  const terms: Term[] = [];
  // A term may be called constructor
  const given: Record<string, Pair[]> = Object.create(null);
  let size = 0;
  for (const [index, value] of listed.entries()) {
    const name = isObject(value) && typeof value['name'] === 'string' ? value['name'] : '';
    const failAt: Fail = (problem) => fail(`term ${name === '' ? index + 1 : `"${name}"`}: ${problem}`);
    if (name in given) failAt('another term has this name');
    const { term, pairs } = parseTerm(value, name, size, failAt);
    terms.push(term);
    given[name] = pairs;
    size += term.size;
    if (size > WEIGHTS_MAX) failAt(`the number of weights reaches ${size}; the maximum is ${WEIGHTS_MAX}`);
  }
  return { model: { engine, terms, size, limit: LIMIT, recentre: () => {} }, given };
}

type Fail = (problem: string) => never;

/** Returns the declared term and its given values. Passes an error message to `fail` if the declaration is invalid. */
function parseTerm(value: unknown, name: string, offset: number, fail: Fail): { term: Term; pairs: Pair[] } {
  if (!isObject(value)) return fail('not an object such as {"name":"tempo","weights":[[10,5]]}');
  if (!/^[A-Za-z_]\w*$/.test(name)) fail('"name" must consist of letters, digits and _, like the name of a variable');
  const unknown = Object.keys(value).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) fail(`"${unknown}" is not a field of a term; the fields are ${FIELDS.join(', ')}`);
  const { label = name, family = null, shape = [], orders = [], places = [], weights } = value;
  if (typeof label !== 'string') return fail('"label" must be a string');
  if (family !== null && (typeof family !== 'string' || family === '')) return fail('"family" must be a string');
  if (!isList(shape, (length) => Number.isInteger(length) && Number(length) > 0))
    return fail('"shape" must be a list of whole numbers above 0, such as [6,64]');
  const lengths = shape.map(Number);
  if (!isList(orders, (order) => ORDERS.includes(order as Order)))
    return fail(`"orders" must be a list of any of ${ORDERS.join(', ')}`);
  if (orders.length > 0 && orders.length !== lengths.length)
    fail(`"orders" has ${orders.length} entries for ${lengths.length} dimensions; give one for each`);
  const order = lengths.map((_, dimension) => (orders[dimension] ?? 'kinds') as Order);
  const wrong = order.findIndex((one, dimension) => one === 'squares' && lengths[dimension] !== 64);
  if (wrong >= 0) fail(`a dimension of squares has 64 places, not ${lengths[wrong]}; use steps or kinds`);
  if (!isPlaces(places, lengths)) return fail('"places" must have a list of names, or null, for each dimension');
  const size = lengths.reduce((product, length) => product * length, 1);
  const values = pairsOf(weights, size);
  if (typeof values === 'string') return fail(values);
  const isSingle = lengths.length === 0;
  const term: Term = {
    name,
    title: label,
    family,
    act: 'sum',
    shape: isSingle ? [1] : lengths,
    orders: isSingle ? ['kinds'] : order,
    places: lengths.map((_, dimension) => places[dimension] ?? undefined),
    offset,
    size,
    ...(isSingle && { isSingle }),
    ...(values.isUntapered && { isUntapered: true }),
  };
  return { term, pairs: values.pairs };
}

/** Returns the values as pairs, or an error message. */
function pairsOf(weights: unknown, count: number): { pairs: Pair[]; isUntapered: boolean } | string {
  const list = Array.isArray(weights) || weights === undefined ? weights : [weights];
  if (list === undefined) return `"weights" is missing; give its ${count} start values, zeros if there are none`;
  // A single pair may be given without a list
  const values = count === 1 && list.length === 2 && list.every((value) => typeof value === 'number') ? [list] : list;
  if (values.length !== count) return `"weights" has ${values.length} entries, but the shape has ${count} places`;
  const isUntapered = values.every((value: unknown) => typeof value === 'number');
  const pairs: Pair[] = [];
  for (const [index, value] of values.entries()) {
    const pair: unknown = typeof value === 'number' ? [value, value] : value;
    if (!isPair(pair) || (typeof value === 'number') !== isUntapered)
      return `"weights", entry ${index}: ${shown(value)} is not [mg, eg] within ±${LIMIT} (or a number in every entry, for an untapered term)`;
    pairs.push([pair[0], pair[1]]);
  }
  return { pairs, isUntapered };
}

const isPair = (value: unknown): value is Pair =>
  Array.isArray(value) && value.length === 2 && value.every((x) => Number.isFinite(x) && Math.abs(x) <= LIMIT);

function isPlaces(value: unknown, shape: readonly number[]): value is (string[] | null)[] {
  if (!Array.isArray(value) || value.length > shape.length) return false;
  return value.every(
    (names, dimension) =>
      names === null || (isList(names, (name) => typeof name === 'string') && names.length === shape[dimension]),
  );
}

const isList = (value: unknown, isItem: (item: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(isItem);

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'missing';

const COLUMNS = ['result', 'score', 'game', 'opening', 'fen', 'phase', 'scale', 'rest', 'eval', 'row'] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** Parses the second line. Throws a UserError that begins with `place` unless it has all `required` and only `allowed` columns. */
export function parseColumnLine(
  line: string,
  place: string,
  required: readonly ColumnName[],
  allowed: readonly ColumnName[] = COLUMNS,
): ColumnName[] {
  const names = line.split('\t');
  const hint = `the columns are ${allowed.join(', ')}, separated by tabs`;
  for (const [index, name] of names.entries()) {
    if (!allowed.includes(name as ColumnName)) throw new UserError(`${place}: unknown column ${shown(name)}; ${hint}`);
    if (names.indexOf(name) < index) throw new UserError(`${place}: the column ${name} is named twice; remove one`);
  }
  const missing = required.find((name) => !names.includes(name));
  if (missing !== undefined) throw new UserError(`${place}: the column ${missing} is missing; add it (${hint})`);
  // Lines without a game form blocks, which may have several openings
  if (names.includes('opening') && !names.includes('game'))
    throw new UserError(`${place}: the column opening needs the column game; add it, or leave out opening`);
  return names as ColumnName[];
}
