import { describe, expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { halfOfHeldOut, splitByOpening } from '../../../tuner/dataset/split.js';

/** Games whose openings repeat, with a few positions each; every tenth game has none. */
function gamesOf(openings: number, games: number) {
  const random = createRandom(7);
  const builder = new PartBuilder();
  for (let game = 0; game < games; game++) {
    builder.startGame(randomBelow(random, openings) * 7919);
    for (let row = 0; game % 10 !== 0 && row < 1 + (game % 5); row++) builder.add(Int32Array.of(1), 24, 1, 0);
  }
  return joinParts([builder.finish()]);
}

describe('splitByOpening', () => {
  test('splitByOpening puts all games of an opening on one side', () => {
    const dataset = gamesOf(300, 4000);
    const { heldOut, trainGames, heldOutGames } = splitByOpening(dataset, 0.1, 1);
    const sides = new Map<number, number>();
    dataset.game.forEach((game, row) => {
      const opening = dataset.opening[game];
      expect(sides.get(opening) ?? heldOut[row]).toBe(heldOut[row]);
      sides.set(opening, heldOut[row]);
    });
    expect(trainGames + heldOutGames).toBe(3600);
    expect(heldOutGames / 3600).toBeGreaterThan(0.05);
    expect(heldOutGames / 3600).toBeLessThan(0.16);
  });

  test('splitByOpening keeps an opening on its side when data are added, and depends on the seed', () => {
    const few = gamesOf(300, 1000);
    const many = gamesOf(300, 4000);
    const side = splitByOpening(few, 0.3, 5).heldOut;
    expect([...splitByOpening(many, 0.3, 5).heldOut.slice(0, side.length)]).toEqual([...side]);
    expect([...splitByOpening(few, 0.3, 6).heldOut]).not.toEqual([...side]);
  });

  test.each([1, 2, 3, 4, 5])('splitByOpening leaves no side empty with two openings (seed %i)', (seed) => {
    for (const fraction of [0.01, 0.5, 0.99]) {
      const { trainGames, heldOutGames } = splitByOpening(gamesOf(2, 50), fraction, seed);
      expect(Math.min(trainGames, heldOutGames)).toBeGreaterThan(0);
    }
  });

  test('splitByOpening uses all data for training if the share is 0 or there is only one opening', () => {
    expect(splitByOpening(gamesOf(300, 500), 0, 1).heldOutGames).toBe(0);
    expect(splitByOpening(gamesOf(1, 500), 0.5, 1).heldOutGames).toBe(0);
  });
});

describe('halfOfHeldOut', () => {
  test('halfOfHeldOut selects whole openings of the held-out side', () => {
    const dataset = gamesOf(300, 4000);
    const split = splitByOpening(dataset, 0.2, 1);
    const half = halfOfHeldOut(dataset, split, 1);
    const sides = new Map<number, number>();
    dataset.game.forEach((game, row) => {
      if (split.heldOut[row] === 0) expect(half[row]).toBe(0);
      else expect(sides.get(dataset.opening[game]) ?? half[row]).toBe(half[row]);
      if (split.heldOut[row] === 1) sides.set(dataset.opening[game], half[row]);
    });
    expect([...sides.values()].reduce((sum, flag) => sum + flag, 0)).toBe(sides.size >> 1);
  });
});
