// familiesOf(): the expectations of the prior, derived from the declarations of the terms. The distances of the weights from the prior are
// expected to be small, equal on the left and right halves of a board, and linear along files, ranks and counts. Each expectation has one
// strength per family.

import type { Model, Term } from '../model/model.js';
import type { Contrast } from './penalty.js';

/** Quantity expected to be small: distance from the prior, left–right difference of distances, or second difference of distances. */
export type Kind = 'distance' | 'mirror' | 'curvature';

/** Expectations that share one strength. */
export interface PriorFamily {
  /** Name of the family of terms. */
  name: string;
  kind: Kind;
  contrasts: Contrast[];
}

/** Returns the families of the model. Contrasts with a coordinate not marked 1 in `free` are left out. */
export function familiesOf(model: Model, free: Uint8Array): PriorFamily[] {
  const families = new Map<string, PriorFamily>();
  for (const term of model.terms) {
    const name = term.family ?? term.name;
    for (const [kind, contrasts] of Object.entries(contrastsOf(term)) as [Kind, Contrast[]][]) {
      const family = families.get(`${name} ${kind}`) ?? { name, kind, contrasts: [] };
      for (const contrast of contrasts) family.contrasts.push(...inPhases(contrast, phasesOf(model, term), free));
      families.set(`${name} ${kind}`, family);
    }
  }
  return [...families.values()].filter(({ contrasts }) => contrasts.length > 0);
}

/** Returns the first coordinate of a term's values in each phase; an untapered term has one for both phases. */
const phasesOf = ({ size }: Model, { offset, isUntapered }: Term): number[] =>
  isUntapered === true ? [offset] : [offset, offset + size];

/** Returns the contrast of cells for each phase in which all of its coordinates are free. */
function inPhases(contrast: Contrast, phases: readonly number[], free: Uint8Array): Contrast[] {
  return phases
    .map((first) => contrast.map(([cell, factor]) => [first + cell, factor] as const))
    .filter((moved) => moved.every(([coordinate]) => free[coordinate] === 1));
}

/** Returns the contrasts of a term's cells. */
function contrastsOf({ shape, orders, size }: Pick<Term, 'shape' | 'orders' | 'size'>): Record<Kind, Contrast[]> {
  const cells = Array.from({ length: size }, (_, cell) => cell);
  const mirror: Contrast[] = [];
  const curvature: Contrast[] = [];
  let stride = 1;
  for (let dimension = shape.length - 1; dimension >= 0; dimension--) {
    const order = orders[dimension];
    const isBoard = order === 'squares';
    for (const [half, length] of (isBoard ? [8, 8] : [shape[dimension]]).entries()) {
      const hasSides = order === 'files' || (isBoard && half === 0);
      for (const cell of order === 'kinds' ? [] : cells) {
        const place = Math.floor(cell / stride) % length;
        if (place + 2 < length)
          curvature.push([
            [cell, 1],
            [cell + stride, -2],
            [cell + 2 * stride, 1],
          ]);
        const across = length - 1 - 2 * place;
        if (hasSides && across > 0)
          mirror.push([
            [cell, 1],
            [cell + across * stride, -1],
          ]);
      }
      stride *= length;
    }
  }
  return { distance: cells.map((cell) => [[cell, 1]]), mirror, curvature };
}
