// Turns games and labelled positions into sparse rows, in a tinypool worker. Apart from tests this is the only place
// that switches tracing on: an isolate that plays must never do so, or V8 compiles the evaluation for both cases.

import '../../engine/flags.js';
import '../../engine/kernel-node.js';
import { FenError, formatFen, parseFen } from '../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../engine/board/makemove.js';
import type { Move } from '../../engine/board/move.js';
import { KEY_HI, KEY_LO, state } from '../../engine/board/position.js';
import { MATE_BOUND, newGame, search, setHashSize } from '../../engine/engine.js';
import { endgameValue } from '../../engine/eval/endgame.js';
import { gamePhase } from '../../engine/eval/evaluate.js';
import { enableTracing, traceCounts } from '../../engine/eval/trace.js';
import { rawScore, traceEvaluate } from '../../engine/eval/traced.js';
import { setWeights } from '../../engine/eval/weights-in-use.js';
import { resolveQuiet } from '../../engine/resolve.js';
import { type GameRecord, RecordError, replay, UNSCORED } from '../../selfplay/records/record.js';
import { decodeGame } from '../../selfplay/records/viriformat.js';
import { type DatasetPart, PartBuilder } from '../dataset/dataset.js';
import { countCandidates } from './candidate-features.js';
import type { Chunk, GamesChunk, LinesChunk } from './chunks.js';
import { countBad, countKept, countLength, countResult, type DataSummary, emptySummary } from './data-summary.js';
import { openingHash } from './opening-hash.js';
import { addSkipped, choosePlies, type FilterSettings, noneSkipped, skipReason } from './sample.js';
import { probeFault, rebuildFault } from './trace-guards.js';

/** What all chunks of a run have in common. */
export interface TraceSettings {
  filter: FilterSettings;
  /** Weights that resolve positions and that the guards check; all mg values, then all eg values. */
  weights: Float64Array;
}

export interface TraceTask {
  settings: TraceSettings;
  chunk: Chunk;
  /** In a second pass: the rows of the chunk whose positions are wanted, in place of the rows themselves. */
  wanted?: readonly number[];
}

export interface TraceResult {
  /** In a part from lines every position is a game of its own, its opening being the line number. */
  part: DatasetPart;
  /** Zobrist keys of the rows, low word then high. */
  keys: Uint32Array;
  dataSummary: DataSummary;
  /** What a guard found wrong, naming FEN and term. */
  fault: string | null;
  /** Candidate features of the rows, see candidateValue(). */
  candidates: Int8Array;
  /** The positions wanted, by row. */
  fens: { row: number; fen: string }[];
}

/** Probing costs two evaluations a term and position, so only the first positions of each chunk are probed. */
const PROBES = 2;

enableTracing();
setHashSize(1);

/** Traces one chunk. The result depends on the task alone. */
export default function traceChunk({ settings, chunk, wanted }: TraceTask): TraceResult {
  const { weights } = settings;
  setWeights(weights.subarray(0, weights.length / 2), weights.subarray(weights.length / 2));
  // What another chunk taught the search must not change how this one's positions resolve
  newGame();
  const tracer = new Tracer(settings, wanted);
  if (chunk.kind === 'games') traceGames(chunk, tracer);
  else traceLines(chunk, tracer);
  const { builder, dataSummary, fault, fens } = tracer;
  const keys = Uint32Array.from(tracer.keys);
  const candidates = Int8Array.from(tracer.candidates);
  return { part: builder.finish(), keys, dataSummary, fault, candidates, fens };
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
  readonly dataSummary = emptySummary();
  readonly keys: number[] = [];
  readonly candidates: number[] = [];
  readonly fens: TraceResult['fens'] = [];
  readonly settings: TraceSettings;
  private readonly wanted: readonly number[] | undefined;
  private row = 0;
  fault: string | null = null;
  private probes = 0;

  constructor(settings: TraceSettings, wanted: readonly number[] | undefined) {
    this.settings = settings;
    this.wanted = wanted;
  }

  /** Adds the present position, or the quiet one it resolves to; result in half points and score for White. */
  add(result: number, score: number): void {
    const line = playToQuiet(this.settings.filter.resolve);
    const evaluation = traceEvaluate();
    if (endgameValue(evaluation) === evaluation) this.addRow(evaluation, result, score);
    else this.dataSummary.skipped.known++;
    for (const move of line.reverse()) unmakeMove(move);
  }

  private addRow(evaluation: number, result: number, score: number): void {
    this.check(evaluation);
    const row = this.row++;
    if (this.wanted !== undefined) {
      if (this.wanted.includes(row)) this.fens.push({ row, fen: formatFen() });
      return;
    }
    this.builder.add(traceCounts, gamePhase(), result, score);
    countCandidates(this.candidates);
    // The bits that Int32 shows as a sign are no sign
    this.keys.push(state[KEY_LO] >>> 0, state[KEY_HI] >>> 0);
    countKept(this.dataSummary, gamePhase());
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
  const { builder, dataSummary, settings } = tracer;
  builder.startGame(openingHash(game));
  dataSummary.games++;
  dataSummary.positions += game.moves.length;
  countLength(dataSummary, game.moves.length);
  countResult(dataSummary, game.result);

  const skipPlies = Math.max(settings.filter.skipPlies, bookPlies);
  const skipped = noneSkipped();
  let plies: number[];
  try {
    plies = choosePlies(game, index, { ...settings.filter, skipPlies }, skipped);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    dataSummary.skipped.illegal += game.moves.length;
    countBad(dataSummary, `${file}: ${error.message}`);
    return;
  }
  addSkipped(dataSummary.skipped, skipped);

  let chosen = 0;
  const visit = (_: Move, score: number, ply: number): void => {
    if (ply !== plies[chosen]) return;
    chosen++;
    tracer.add(game.result, score);
  };
  if (plies.length > 0) replay(game, visit);
}

function traceLines(chunk: LinesChunk, tracer: Tracer): void {
  const { builder, dataSummary, settings } = tracer;
  for (const line of new TextDecoder().decode(chunk.text).split('\n')) {
    if (line === '') continue;
    const [number, result, score, fen] = line.split('\t');
    builder.startGame(Number(number));
    dataSummary.positions++;
    try {
      parseFen(fen);
    } catch (error) {
      if (!(error instanceof FenError)) throw error;
      dataSummary.skipped.illegal++;
      countBad(dataSummary, `${chunk.file}:${number}: ${error.message}`);
      continue;
    }
    countResult(dataSummary, Number(result));
    const cp = score === '' ? UNSCORED : Number(score);
    const reason = skipReason(cp, settings.filter);
    if (reason === null) tracer.add(Number(result), cp);
    else dataSummary.skipped[reason]++;
  }
}
