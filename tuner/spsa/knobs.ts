// Amplitude and bias of an evaluation table as two numbers to tune: new = old + bias + old · amplitude / 100. A name consists of the term,
// optionally a row, the kind and optionally a phase: `psqt.amplitude`, `psqt[1].bias`, `psqt[knight].bias.eg`.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import type { Random } from '../../engine/kernel/random.js';
import { UserError } from '../../selfplay/common/errors.js';
import { HEFT } from '../model/heft.js';
import { type Term, widthOf } from '../model/model.js';
import { rowLabel } from '../model/names.js';
import { fromVector, toVector } from '../weights/weights-file.js';
import { roundAtRandom } from './method.js';
import { DEFAULT_R_END, type Variable } from './variable.js';

/** Kind of a knob, and the weights that it changes. */
export interface Knob {
  kind: 'amplitude' | 'bias';
  /** Indices of its weights in the vectors of weights-file.ts. */
  cells: number[];
}

/** Default c_end and range of a knob, in percent for an amplitude and in centipawns for a bias. */
const C_END = { amplitude: 10, bias: 5 };
const RANGE = 100;

/** Returns the knob with this name, or null if it is not the name of a knob. Throws a UserError for an unknown table. */
export function parseKnob(name: string): Knob | null {
  const [, base, row, kind, phase] = /^(\w+)(?:\[(\w+)\])?\.(amplitude|bias)(?:\.(mg|eg))?$/.exec(name) ?? [];
  if (kind === undefined) return null;
  const term = HEFT.terms.find((candidate) => candidate.name === base);
  if (term === undefined) throw new UserError(`${name}: no such table; the tables are ${tableNames().join(', ')}`, 2);
  const cells = cellsOf(term, row, name);
  const phases = [...(phase === 'eg' ? [] : [0]), ...(phase === 'mg' ? [] : [HEFT.size])];
  return { kind: kind as Knob['kind'], cells: phases.flatMap((shift) => cells.map((cell) => cell + shift)) };
}

/** Returns the knob as a variable, initially without effect. */
export function knobVariable(name: string, { kind }: Knob): Variable {
  return { name, kind: 'float', start: 0, min: -RANGE, max: RANGE, cEnd: C_END[kind], rEnd: DEFAULT_R_END };
}

/**
 * Returns the weights with the knobs at the values. With a random stream, as for the games of a run, the weights are rounded at random, so
 * their mean is exact. Without one, as for matches and the sources, the weights are rounded to the nearest integer, and the tables are
 * centred.
 */
export function turnKnobs(
  base: WeightSet,
  knobs: readonly { knob: Knob; value: number }[],
  random?: Random,
): WeightSet {
  const old = toVector(HEFT, base);
  const turned = old.slice();
  for (const { knob, value } of knobs) {
    for (const cell of knob.cells) turned[cell] += knob.kind === 'bias' ? value : (old[cell] * value) / 100;
  }
  const whole = turned.map((value) => (random === undefined ? Math.round(value) : roundAtRandom(value, random)));
  if (random === undefined) HEFT.recentre(whole.subarray(0, HEFT.size), whole.subarray(HEFT.size), true);
  const limited = whole.map((value) => Math.min(HEFT.limit, Math.max(-HEFT.limit, value)));
  return fromVector(HEFT, limited, base.provenance);
}

/** Returns the names of all tables and rows that have knobs. */
export function tableNames(): string[] {
  return HEFT.terms.flatMap((term) => [term.name, ...rowLabels(term).map((label) => `${term.name}[${label}]`)]);
}

/** Labels of the rows that may have knobs of their own. */
const rowLabels = ({ name, shape }: Term): string[] =>
  shape.length < 2 ? [] : Array.from({ length: shape[0] }, (_, row) => rowLabel(name, row));

function cellsOf(term: Term, row: string | undefined, knob: string): number[] {
  const { offset, size, gauge } = term;
  const labels = rowLabels(term);
  const at = row === undefined ? 0 : labels.findIndex((label, i) => row === label || row === String(i));
  if (at < 0) throw new UserError(`${knob}: no such row; the tables are ${tableNames().join(', ')}`, 2);
  const count = row === undefined ? size : size / labels.length;
  const width = widthOf(term);
  const isUsed = (cell: number): boolean => gauge?.isUnused(Math.floor(cell / width), cell % width) !== true;
  const cells = Array.from({ length: count }, (_, i) => at * count + i);
  return cells.filter(isUsed).map((cell) => offset + cell);
}
