// Plays one game of self-play. A single isolate plays both sides, after random plies from the standard start position or from a book
// position. With node limits, the game depends only on the settings, the seed and the game number.

import { parseFen, STARTPOS } from '../../engine/board/fen.js';
import { state } from '../../engine/board/position.js';
import { advanceGame, gameEnd } from '../../engine/board/rules.js';
import { WHITE } from '../../engine/board/types.js';
import { isBalanced, OpeningError, randomOpening } from '../../engine/commands/random-opening.js';
import { control, type Limits, newGame, search, setWeights } from '../../engine/engine.js';
import { PSQT, TERMS } from '../../engine/eval/terms.js';
import { createRandom, type Random, randomBelow } from '../../engine/kernel/random.js';
import { type HalfPoints, halfPoints } from '../common/game-result.js';
import { Adjudicator } from '../games/adjudication.js';
import { type GameRecord, startFromPosition } from '../records/record.js';
import type { SelfplaySettings } from './settings.js';

/** The settings of a game, without its number. */
export interface SelfplayGameSettings extends Omit<SelfplaySettings, 'weights'> {
  /** Weights of both sides, by term index, in centipawns. */
  mg: Int32Array;
  eg: Int32Array;
}

/** Maximum number of other book positions to try if a position has no acceptable opening. */
export const SUBSTITUTES = 1000;
/** Openings tried from each other position. The game's own position gets more, so games are the same as in earlier versions. */
const SUBSTITUTE_ATTEMPTS = 10;

export interface PlayedRecord {
  game: GameRecord;
  nodes: number;
}

/** Plays the game with this number in this isolate's engine, and returns its record and the nodes searched. Throws an OpeningError if no opening is acceptable. */
export function playSelfplayGame(settings: SelfplayGameSettings, index: number): PlayedRecord {
  const { minPlies, maxPlies } = settings;
  const random = createRandom(settings.seed, index);
  const count = minPlies + randomBelow(random, maxPlies - minPlies + 1);
  // The weights must be set before a search tests the balance of the opening, because the engine still has the previous game's weights and
  // evaluation caches
  setGameWeights(settings, index);
  parseFen(openingOf(settings, index, count, random));
  newGame();

  const record = { start: startFromPosition(), moves: [] as number[], scores: [] as number[] };
  const adjudicator = new Adjudicator(settings);
  const { tc } = settings;
  const clocks = [tc?.time ?? 0, tc?.time ?? 0];
  let nodes = 0;
  let result: HalfPoints | null = resultByRules();
  while (result === null) {
    const us = state.stm;
    const before = control.now();
    const found = search(limitsOf(settings, clocks));
    if (tc !== undefined) clocks[us] = Math.max(1, clocks[us] - (control.now() - before) + tc.increment);
    nodes += found.nodes;
    record.moves.push(found.bestMove);
    record.scores.push(us === WHITE ? found.score : -found.score);
    advanceGame(found.bestMove);
    const verdict = adjudicator.add(us, found.score, state.rule50 === 0, state.fullmove);
    result = resultByRules() ?? (verdict === null ? null : halfPoints(verdict.result));
  }
  const [moves, scores] = [Uint16Array.from(record.moves), Int16Array.from(record.scores)];
  return { game: { start: record.start, result, moves, scores }, nodes };
}

/**
 * Returns the FEN after random plies from the game's book position. If no opening from this position is acceptable, tries the next book
 * positions.
 */
function openingOf({ book, keepLost }: SelfplayGameSettings, index: number, plies: number, random: Random): string {
  const accept = keepLost ? undefined : isBalanced;
  const starts = book.length === 0 ? [STARTPOS] : book;
  let failure = '';
  for (let step = 0; step < Math.min(starts.length, 1 + SUBSTITUTES); step++) {
    const start = starts[(index + step) % starts.length];
    try {
      return randomOpening(random, plies, accept, start, step === 0 ? undefined : SUBSTITUTE_ATTEMPTS).fen;
    } catch (error) {
      if (!(error instanceof OpeningError)) throw error;
      failure ||= error.message;
    }
  }
  const others = starts.length === 1 ? '' : ' or from the next book positions';
  throw new OpeningError(`${failure}${others}${keepLost ? '' : '; use --keep-lost to keep decided openings'}`);
}

// Both sides use the same perturbed weights
function setGameWeights({ mg, eg, jitter, seed }: SelfplayGameSettings, index: number): void {
  if (jitter === 0) return setWeights(mg, eg);
  const random = createRandom(seed, index, jitter);
  const table = TERMS.find(({ offset }) => offset === PSQT);
  const end = PSQT + (table?.size ?? 0);
  const perturbed = (values: Int32Array): Int32Array =>
    values.map((value, i) => (i >= PSQT && i < end ? value + randomBelow(random, 2 * jitter + 1) - jitter : value));
  setWeights(perturbed(mg), perturbed(eg));
}

function limitsOf(
  { softNodes = 1, nodes = Number.POSITIVE_INFINITY, tc }: SelfplayGameSettings,
  clocks: readonly number[],
): Limits {
  if (tc === undefined) return { softNodes, nodes };
  return { wtime: clocks[0], btime: clocks[1], winc: tc.increment, binc: tc.increment };
}

function resultByRules(): HalfPoints | null {
  const end = gameEnd();
  if (end === null) return null;
  if (end !== 'checkmate') return 1;
  return state.stm === WHITE ? 0 : 2;
}
