// traceChunk(): the task of a tinypool worker, which converts games and labelled positions to sparse rows.

import { highBits, lowBits } from '../../engine/board/bitboards/bitboard.js';
import { FenError, formatFen, parseFen } from '../../engine/board/fen.js';
import { unmakeMove } from '../../engine/board/kernel.js';
import { keys } from '../../engine/board/position.js';
import { newGame, setHashSize } from '../../engine/engine.js';
import { gamePhase, isKnown, rawScore, traceEvaluate } from '../../engine/eval/kernel.js';
import { setWeights } from '../../engine/eval/weights-in-use.js';
import { traceCounts } from '../../engine/eval/workspace.js';
import { compiled } from '../../engine/kernel-node.js';
import { useTracing } from '../../engine/search/kernel.js';
import type { LabelledPosition, Leaf } from '../../selfplay/positions/labelled.js';
import type { SourcedGame } from '../../selfplay/records/game-kind.js';
import { openingHash, RecordError, UNSCORED } from '../../selfplay/records/record.js';
import { type Dataset, PartBuilder, placesOf } from '../dataset/dataset.js';
import { HEFT } from '../model/heft.js';
import type { Act } from '../model/model.js';
import { countCandidates } from './candidate-features.js';
import type { Chunk } from './chunks.js';
import { countBad, countGame, countKept, countResult, type DataSummary, emptySummary } from './data-summary.js';
import { probeFault, rebuildFault } from './guards.js';
import type { RowLeaf } from './leaves.js';
import { addSkipped, type FilterSettings, noneSkipped, playToQuiet, skipReason, visitSample } from './sample.js';

useTracing(compiled('trace'));

export interface TraceTask {
  filter: FilterSettings;
  /** Weights for resolving positions and checking the trace: all middlegame values, then all endgame values. */
  weights: Float64Array;
  chunk: Chunk;
  /** Whether to return rows without coefficients, with the position of each. */
  positionsOnly?: boolean;
  /** Whether to return the leaves of labels. */
  withLeaves?: boolean;
  /** In a second pass: the rows whose positions are requested. */
  wanted?: readonly number[];
}

export interface TraceResult {
  /** In a part from labelled positions, every position is a separate game with its line number as the opening. */
  part: Dataset;
  /** Zobrist keys of the rows, low word then high. */
  keys: Uint32Array;
  dataSummary: DataSummary;
  /** Failed check of the trace, with FEN and term. */
  fault: string | null;
  /** Candidate features of the rows, see candidateValue(). */
  candidates: Int8Array;
  /** The requested positions, by row. */
  fens: { row: number; fen: string }[];
  /** The leaves of the rows that have one. */
  leaves: RowLeaf[];
}

/** Search depth of `resolve: 'search'` before quiescence. */
const SEARCH_DEPTH = 4;

/** Positions probed per chunk. A probe takes one evaluation for each weight with a non-zero count. */
const PROBES = 2;
/** Parts in which terms of each kind count, see entryPart(); rebuildFault() detects counts elsewhere. */
const PARTS_OF: Record<Act, readonly number[]> = { sum: [0], danger: [1, 2], factor: [3, 4] };
const PLACES = Uint16Array.from(
  HEFT.terms.flatMap(({ act, offset, size }) => {
    return PARTS_OF[act].flatMap((part) => Array.from({ length: size }, (_, i) => part * HEFT.size + offset + i));
  }),
).sort();

setHashSize(1);

/** Traces one chunk. The result depends only on the task. */
export default function traceChunk(task: TraceTask): TraceResult {
  const { weights, chunk } = task;
  setWeights(weights.subarray(0, weights.length / 2), weights.subarray(weights.length / 2));
  // Searches of other chunks must not affect the resolution of positions
  newGame();
  const tracer = new Tracer(task);
  if (chunk.kind === 'games')
    for (const [i, game] of chunk.games.entries()) traceGame(game, chunk.firstGame + i, tracer);
  else for (const position of chunk.positions) traceLabelled(position, tracer);
  return tracer.finish();
}

/** Collects the rows and counts of a chunk. */
class Tracer {
  readonly builder = new PartBuilder(HEFT.size);
  readonly dataSummary = emptySummary();
  private readonly keys: number[] = [];
  private readonly candidates: number[] = [];
  private readonly fens: TraceResult['fens'] = [];
  private readonly leaves: RowLeaf[] = [];
  private fault: string | null = null;
  private row = 0;
  private probes = 0;

  constructor(readonly task: TraceTask) {}

  /**
   * Adds the current position, or the quiet position that it resolves to, unless that is a known endgame. `result` in half points and
   * `score` in centipawns are for White. `leaf` is the leaf of a label.
   */
  readonly add = (result: number, score: number, leaf?: Leaf): void => {
    const line = playToQuiet(this.task.filter.resolve, { depth: SEARCH_DEPTH });
    const evaluation = traceEvaluate();
    if (!isKnown()) this.addRow(evaluation, result, score, leaf);
    else this.dataSummary.skipped.known++;
    for (const move of line.reverse()) unmakeMove(move);
  };

  finish(): TraceResult {
    const { builder, dataSummary, fault, fens, leaves } = this;
    const [keys, candidates] = [Uint32Array.from(this.keys), Int8Array.from(this.candidates)];
    return { part: builder.finish(), keys, dataSummary, fault, candidates, fens, leaves };
  }

  private addRow(evaluation: number, result: number, score: number, leaf?: Leaf): void {
    const places = placesOf(traceCounts, PLACES);
    this.check(evaluation, places);
    const row = this.row++;
    const { wanted, positionsOnly = false } = this.task;
    if (wanted !== undefined) {
      if (wanted.includes(row)) this.fens.push({ row, fen: formatFen() });
      return;
    }
    if (positionsOnly) this.fens.push({ row, fen: formatFen() });
    if (leaf !== undefined) this.leaves.push({ ...leaf, row });
    this.builder.add(traceCounts, gamePhase(), result, score, positionsOnly ? [] : places);
    countCandidates(this.candidates);
    this.keys.push(lowBits(keys.position), highBits(keys.position));
    countKept(this.dataSummary, gamePhase());
  }

  private check(evaluation: number, places: readonly number[]): void {
    const { weights } = this.task;
    let fault = rebuildFault(traceCounts, weights, gamePhase(), evaluation, places);
    if (fault === null && this.probes < PROBES) {
      this.probes++;
      const counts = traceCounts.slice();
      fault = probeFault(counts, weights, { setWeights, rawScore });
      traceCounts.set(counts);
    }
    if (fault !== null) this.fault ??= `${formatFen()}: ${fault}`;
  }
}

function traceGame(game: SourcedGame, index: number, { builder, dataSummary, task, add }: Tracer): void {
  builder.startGame(openingHash(game));
  countGame(dataSummary, game.moves.length, game.result);

  const skipPlies = Math.max(task.filter.skipPlies, game.bookPlies);
  const skipped = noneSkipped();
  try {
    visitSample(game, index, { ...task.filter, skipPlies }, skipped, (score) => add(game.result, score));
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    dataSummary.skipped.illegal += game.moves.length;
    countBad(dataSummary, `${game.file}: ${error.message}`);
    return;
  }
  addSkipped(dataSummary.skipped, skipped);
}

function traceLabelled(position: LabelledPosition, { builder, dataSummary, task, add }: Tracer): void {
  const { file, line, fen } = position;
  const leaf = task.withLeaves === true ? position.leaf : undefined;
  const score = position.score ?? UNSCORED;
  const result = 2 * position.result;
  builder.startGame(line);
  dataSummary.positions++;
  try {
    if (leaf !== undefined) parseFen(leaf.fen);
    parseFen(fen);
  } catch (error) {
    if (!(error instanceof FenError)) throw error;
    dataSummary.skipped.illegal++;
    countBad(dataSummary, `${file}:${line}: ${error.message}`);
    return;
  }
  countResult(dataSummary, result);
  const reason = skipReason(score, task.filter);
  if (reason === null) add(result, score, leaf);
  else dataSummary.skipped[reason]++;
}
