// Turns games and labelled positions into sparse rows, in a tinypool worker. Apart from tests this is the only place
// that switches tracing on: an isolate that plays must never do so, or V8 compiles the evaluation for both cases.

import '../../engine/flags.js';
import { FenError, formatFen, parseFen } from '../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../engine/board/makemove.js';
import type { Move } from '../../engine/board/move.js';
import { KEY_HI, KEY_LO, state } from '../../engine/board/position.js';
import { isMaterialDraw } from '../../engine/board/rules.js';
import { MATE_BOUND, newGame, search, setHashSize } from '../../engine/engine.js';
import { endgameValue } from '../../engine/eval/endgame.js';
import { gamePhase, rawScore, setWeights, traceEvaluate } from '../../engine/eval/evaluate.js';
import { enableTracing, traceCounts } from '../../engine/eval/trace.js';
import { resolveQuiet } from '../../engine/search/qsearch.js';
import { type GameRecord, RecordError, replay, UNSCORED } from '../../selfplay/records/record.js';
import { decodeGame } from '../../selfplay/records/viriformat.js';
import { type DatasetPart, PartBuilder } from '../dataset/dataset.js';
import type { Chunk, GamesChunk, LinesChunk } from './chunks.js';
import { probeFault, rebuildFault } from './guards.js';
import { openingHash } from './opening-hash.js';
import { countBad, countKept, countLength, countResult, emptyPortrait, type Portrait } from './portrait.js';
import { addSkipped, choosePlies, type FilterSettings, noneSkipped, skipReason } from './sample.js';
import { Seer, type Sight, type SightTask } from './sight.js';

/** What all chunks of a run have in common. */
export interface TraceSettings {
  filter: FilterSettings;
  /** Weights that resolve positions and that the guards check; all mg values, then all eg values. */
  weights: Float64Array;
}

export interface TraceTask {
  settings: TraceSettings;
  chunk: Chunk;
  /** Asks for a second look at the rows that the chunk gave before, instead of the rows themselves. */
  sight?: { task: SightTask; weights: Float64Array };
}

export interface TraceResult {
  /** In a part from lines every position is a game of its own, its opening being the line number. */
  part: DatasetPart;
  /** Zobrist keys of the rows, low word then high. */
  keys: Uint32Array;
  portrait: Portrait;
  /** What a guard found wrong, naming FEN and term. */
  fault: string | null;
  sight: Sight | null;
}

/** Probing costs two evaluations a term and position, so only the first positions of each chunk are probed. */
const PROBES = 2;
/** Neighbouring lines often come from one game. */
const LINES_A_GAME = 64;

enableTracing();
setHashSize(1);

/** Traces one chunk. The result depends on the task alone. */
export default function traceChunk({ settings, chunk, sight }: TraceTask): TraceResult {
  const { weights } = settings;
  setWeights(weights.subarray(0, weights.length / 2), weights.subarray(weights.length / 2));
  // What another chunk taught the search must not change how this one's positions resolve
  newGame();
  const tracer = new Tracer(settings, sight && new Seer(sight.task, sight.weights));
  if (chunk.kind === 'games') traceGames(chunk, tracer);
  else traceLines(chunk, tracer);
  const { builder, portrait, fault, keys, seer } = tracer;
  return { part: builder.finish(), keys: Uint32Array.from(keys), portrait, fault, sight: seer?.sight ?? null };
}

/** Plies that `resolve: 'search'` looks ahead before quiescence. */
const SEARCH_DEPTH = 4;

/** Goes to the quiet position that the present one resolves to; returns the moves that led there. */
function playToQuiet(resolve: FilterSettings['resolve']): Move[] {
  const line: Move[] = [];
  const play = (moves: readonly Move[]): void => {
    for (const move of moves) makeMove(move);
    line.push(...moves);
  };
  if (resolve === 'search') {
    let pv: Move[] = [];
    const { score } = search({ depth: SEARCH_DEPTH }, (info) => {
      pv = info.pv;
    });
    if (Math.abs(score) < MATE_BOUND) play(pv);
  }
  if (resolve !== 'none') play(resolveQuiet());
  return line;
}

/** Collects the rows and counts of a chunk. */
class Tracer {
  readonly builder = new PartBuilder();
  readonly portrait = emptyPortrait();
  readonly keys: number[] = [];
  readonly settings: TraceSettings;
  readonly seer: Seer | undefined;
  fault: string | null = null;
  private probes = 0;

  constructor(settings: TraceSettings, seer: Seer | undefined) {
    this.settings = settings;
    this.seer = seer;
  }

  /** Adds the present position, or the quiet one it resolves to; result in half points and score for White. */
  add(result: number, score: number): void {
    const line = playToQuiet(this.settings.filter.resolve);
    const evaluation = traceEvaluate();
    const isDraw = this.settings.filter.exactDraws === true && isMaterialDraw();
    if (isDraw || endgameValue(evaluation) === evaluation) this.addRow(evaluation, isDraw ? 1 : result, score);
    else this.portrait.skipped.known++;
    for (const move of line.reverse()) unmakeMove(move);
  }

  private addRow(evaluation: number, result: number, score: number): void {
    this.check(evaluation);
    if (this.seer === undefined) this.builder.add(traceCounts, gamePhase(), result, score);
    else this.seer.see(traceCounts, gamePhase(), result);
    // The bits that Int32 shows as a sign are no sign
    this.keys.push(state[KEY_LO] >>> 0, state[KEY_HI] >>> 0);
    countKept(this.portrait, gamePhase());
  }

  private check(evaluation: number): void {
    const { weights } = this.settings;
    let fault = rebuildFault(traceCounts, weights, gamePhase(), evaluation);
    if (fault === null && this.probes < PROBES) {
      this.probes++;
      const counts = traceCounts.slice();
      fault = probeFault(counts, weights, { setWeights, rawScore });
      traceCounts.set(counts);
    }
    if (fault !== null) this.fault ??= `${formatFen()}: ${fault}`;
  }
}

function traceGames(chunk: GamesChunk, tracer: Tracer): void {
  let at = 0;
  for (let i = 0; i < chunk.bookPlies.length; i++) {
    const { game, next } = decodeGame(chunk.bytes, at);
    at = next;
    traceGame(game, chunk.firstGame + i, chunk.bookPlies[i], chunk.file, tracer);
  }
}

function traceGame(game: GameRecord, index: number, bookPlies: number, file: string, tracer: Tracer): void {
  const { builder, portrait, settings } = tracer;
  builder.startGame(openingHash(game));
  portrait.games++;
  portrait.positions += game.moves.length;
  countLength(portrait, game.moves.length);
  countResult(portrait, game.result);

  const skipPlies = Math.max(settings.filter.skipPlies, bookPlies);
  const skipped = noneSkipped();
  let plies: number[];
  try {
    plies = choosePlies(game, index, { ...settings.filter, skipPlies }, skipped);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    portrait.skipped.illegal += game.moves.length;
    countBad(portrait, `${file}: ${error.message}`);
    return;
  }
  addSkipped(portrait.skipped, skipped);

  let chosen = 0;
  const visit = (_: Move, score: number, ply: number): void => {
    if (ply !== plies[chosen]) return;
    chosen++;
    tracer.add(game.result, score);
  };
  if (plies.length > 0) replay(game, visit);
  tracer.seer?.endGame();
}

function traceLines(chunk: LinesChunk, tracer: Tracer): void {
  const { builder, portrait, settings } = tracer;
  for (const [index, line] of new TextDecoder().decode(chunk.text).split('\n').entries()) {
    if (index % LINES_A_GAME === 0) tracer.seer?.endGame();
    if (line === '') continue;
    const [number, result, score, fen] = line.split('\t');
    builder.startGame(Number(number));
    portrait.positions++;
    try {
      parseFen(fen);
    } catch (error) {
      if (!(error instanceof FenError)) throw error;
      portrait.skipped.illegal++;
      countBad(portrait, `${chunk.file}:${number}: ${error.message}`);
      continue;
    }
    countResult(portrait, Number(result));
    const cp = score === '' ? UNSCORED : Number(score);
    const reason = skipReason(cp, settings.filter);
    if (reason === null) tracer.add(Number(result), cp);
    else portrait.skipped[reason]++;
  }
  tracer.seer?.endGame();
}
