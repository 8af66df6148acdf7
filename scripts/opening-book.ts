// npm run opening-book -- --out FILE: generates an opening book. Each move of a line is chosen at random from those that a short search
// scores close to the best. A line is kept if its final position is new, and if a longer search scores it as balanced.

import '../engine/kernel-node.js';
import { formatFen, parseFen, STARTPOS } from '../engine/board/fen.js';
import { makeMove } from '../engine/board/kernel.js';
import { gameEnd } from '../engine/board/rules.js';
import { newGame, search, setHashSize } from '../engine/engine.js';
import { createRandom, type Random, randomBelow } from '../engine/kernel/random.js';
import { benchSignature } from '../selfplay/common/bench-signature.js';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { writeFileAtomic } from '../selfplay/common/files.js';
import { type SettingsOf, text, whole } from '../selfplay/common/options.js';
import { claimOutputs, FORCE_OPTION } from '../selfplay/common/outputs.js';
import { programVersion } from '../selfplay/common/program.js';
import { showProgress } from '../selfplay/common/progress.js';

/** Number of candidate moves per position. */
const CHOICES = 12;
/** Attempts per requested line before the command gives up. */
const PATIENCE = 200;

const RECIPE = {
  lines: whole('number of positions', { min: 1, max: 100_000, default: 500 }),
  seed: whole('seed: the same seed and engine give the same book', { default: 1 }),
  plies: whole('plies per line', { min: 1, max: 40, default: 8 }),
  look: whole('nodes per move', { min: 100, default: 2000 }),
  margin: whole('maximum loss of a move compared with the best, in centipawns', { default: 60 }),
  nodes: whole('nodes to score a final position', { min: 100, default: 30_000 }),
  bound: whole('maximum score of a final position for either side, in centipawns', { min: 1, default: 40 }),
};

type Recipe = SettingsOf<typeof RECIPE>;

/** Plays a line on the engine's board; returns false if it ends the game. */
function playLine(random: Random, { plies, look, margin }: Recipe): boolean {
  newGame();
  parseFen(STARTPOS);
  for (let ply = 0; ply < plies; ply++) {
    const scores = new Map<number, [Move, number]>();
    search(
      { nodes: look },
      ({ multipv, pv, score, bound }) => {
        if (bound === 'exact' && pv.length > 0) scores.set(multipv, [pv[0], score]);
      },
      { multiPv: CHOICES },
    );
    const best = Math.max(...[...scores.values()].map(([, score]) => score));
    const good = [...new Set([...scores.values()].filter(([, score]) => score >= best - margin).map(([move]) => move))];
    if (good.length === 0) return false;
    makeMove(good[randomBelow(random, good.length)]);
  }
  return gameEnd() === null;
}

/** Returns the score of the engine's position for the side to move in centipawns, from a fresh search. */
function judged(nodes: number): number {
  newGame();
  return search({ nodes }).score;
}

/** Returns the lines as EPD: position, move counters (`hmvc`, `fmvn`), score for the side to move (`ce`). */
function makeBook(recipe: Recipe): string[] {
  const book = new Map<string, string>();
  const progress = showProgress('book', recipe.lines);
  for (let number = 0; book.size < recipe.lines; number++) {
    if (number >= PATIENCE * recipe.lines)
      throw new UserError(`found only ${book.size} lines; raise --bound, --margin or --plies`);
    if (!playLine(createRandom(recipe.seed, number), recipe)) continue;
    const fields = formatFen().split(' ');
    const position = fields.slice(0, 4).join(' ');
    if (book.has(position)) continue;
    const score = judged(recipe.nodes);
    if (Math.abs(score) > recipe.bound) continue;
    book.set(position, `${position} hmvc ${fields[4]}; fmvn ${fields[5]}; ce ${score};`);
    progress.update(book.size, `${number + 1} tried`);
  }
  progress.stop();
  return [...book.values()];
}

const OPTIONS = { ...RECIPE, out: text('EPD file to write', { required: true }), ...FORCE_OPTION };

await runOnly('opening-book', 'generate an opening book', OPTIONS, ({ out, force, ...recipe }) => {
  claimOutputs({ force, files: { out } });
  setHashSize(4);
  const book = makeBook(recipe);
  writeFileAtomic(out, `${book.join('\n')}\n`);
  const settings = Object.entries(recipe).map(([name, value]) => `--${name} ${value}`);
  console.log(
    `${out}: ${book.length} lines by Heft ${programVersion()}, bench ${benchSignature()}, ${settings.join(' ')}`,
  );
});
