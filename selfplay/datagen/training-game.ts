// One game of self-play: a single isolate plays both sides from a random or book opening. With node limits the game depends on
// its settings, seed and number only.

import { parseFen, STARTPOS } from '../../engine/board/fen.js';
import { forgetHistory, makeMove } from '../../engine/board/makemove.js';
import { fullmoveNumber, halfmoveClock, sideToMove } from '../../engine/board/position.js';
import { gameEnd } from '../../engine/board/rules.js';
import { WHITE } from '../../engine/board/types.js';
import { type Limits, newGame, search, setWeights } from '../../engine/engine.js';
import { PSQT, TERMS } from '../../engine/eval/terms.js';
import { isBalanced } from '../../engine/genfens.js';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { randomOpening } from '../../engine/random-opening.js';
import { type Adjudication, Adjudicator } from '../games/adjudication.js';
import { type GameRecord, startFromPosition } from '../records/record.js';

export interface GameSettings {
  seed: number;
  /** No new iteration after `nodes`, and the search ends at `hardNodes`; null when a clock runs. */
  nodes: number | null;
  hardNodes: number | null;
  /** ms for each side; null at node limits. */
  clock: { time: number; increment: number } | null;
  /** Least and most random plies before the first recorded move. */
  plies: [number, number];
  /** Start positions to begin from, by game number; empty for the usual one. */
  book: readonly string[];
  /** Whether openings that a short search finds lost are played again. */
  rejectLost: boolean;
  adjudication: Adjudication;
  /** Weights both sides play with, by term index, in centipawns. */
  mg: Int32Array;
  eg: Int32Array;
  /** Each game adds its own random -jitter..jitter centipawns to every cell of the tables, so that games differ in plan. */
  jitter: number;
}

export interface PlayedRecord {
  game: GameRecord;
  nodes: number;
}

/** Plays the numbered game and returns its record and the nodes searched. Uses this isolate's engine. */
export function playTrainingGame(settings: GameSettings, index: number): PlayedRecord {
  const { book, plies } = settings;
  const random = createRandom(settings.seed, index);
  const start = book.length === 0 ? STARTPOS : book[index % book.length];
  const count = plies[0] + randomBelow(random, plies[1] - plies[0] + 1);
  // Before the opening, which a search judges: the game must not depend on the one this isolate played before
  setGameWeights(settings, index);
  const { fen } = randomOpening(random, count, settings.rejectLost ? isBalanced : undefined, start);
  parseFen(fen);
  newGame();

  const record = { start: startFromPosition(), moves: [] as number[], scores: [] as number[] };
  const adjudicator = new Adjudicator(settings.adjudication);
  const clocks = settings.clock === null ? null : [settings.clock.time, settings.clock.time];
  let nodes = 0;
  let result: GameRecord['result'] | null = resultByRules();
  while (result === null) {
    const us = sideToMove();
    const before = performance.now();
    const found = search(limitsOf(settings, clocks));
    if (clocks !== null && settings.clock !== null) {
      clocks[us] = Math.max(1, clocks[us] - (performance.now() - before) + settings.clock.increment);
    }
    nodes += found.nodes;
    record.moves.push(found.bestMove);
    record.scores.push(us === WHITE ? found.score : -found.score);
    makeMove(found.bestMove);
    if (halfmoveClock() === 0) forgetHistory();
    const verdict = adjudicator.add(us, found.score, halfmoveClock() === 0, fullmoveNumber());
    result = resultByRules() ?? (verdict === null ? null : ((2 * verdict.result) as GameRecord['result']));
  }
  const game: GameRecord = {
    start: record.start,
    result,
    moves: Uint16Array.from(record.moves),
    scores: Int16Array.from(record.scores),
  };
  return { game, nodes };
}

// Both sides get the same whims: who puts the pieces to better use still wins
function setGameWeights({ mg, eg, jitter, seed }: GameSettings, index: number): void {
  if (jitter === 0) return setWeights(mg, eg);
  const random = createRandom(seed, index, jitter);
  const table = TERMS.find(({ offset }) => offset === PSQT);
  const end = PSQT + (table?.size ?? 0);
  const shaken = (values: Int32Array): Int32Array =>
    values.map((value, i) => (i >= PSQT && i < end ? value + randomBelow(random, 2 * jitter + 1) - jitter : value));
  setWeights(shaken(mg), shaken(eg));
}

function limitsOf(settings: GameSettings, clocks: number[] | null): Limits {
  if (clocks === null || settings.clock === null) {
    return { softNodes: settings.nodes ?? 1, nodes: settings.hardNodes ?? Number.POSITIVE_INFINITY };
  }
  const { increment } = settings.clock;
  return { wtime: clocks[0], btime: clocks[1], winc: increment, binc: increment };
}

function resultByRules(): GameRecord['result'] | null {
  const end = gameEnd();
  if (end === null) return null;
  if (end !== 'checkmate') return 1;
  return sideToMove() === WHITE ? 0 : 2;
}
