// Runs a suite: an engine searches each position after ucinewgame, and the answers are judged.

import { UserError } from '../../common/errors.js';
import { ProcessFailure } from '../../engines/process.js';
import type { NamedEngine } from '../../engines/spec.js';
import { type SearchAnswer, UciEngine } from '../../engines/uci-engine.js';
import { needsChess960 } from '../../games/board.js';
import { NO_MOVE, parseFen } from '../../notation/board.js';
import { moveOf } from '../../notation/moves.js';
import { MATE_BOUND, MATE_SCORE } from '../../records/record.js';
import type { Task } from './file.js';

/** An engine's answer to a position, with the verdict on it. */
export interface JudgedAnswer {
  task: Task;
  /** The move as the engine sent it; empty if the engine failed. */
  move: string;
  isSolved: boolean;
  points: number;
  nodes: number;
  milliseconds: number;
  failure: string | null;
}

/** All of an engine's verdicts, in the order of the suite. */
export interface SuiteResult {
  engine: string;
  verdicts: JudgedAnswer[];
}

export interface SuiteRun {
  engine: NamedEngine;
  tasks: readonly Task[];
  /** The UCI command `go …`. */
  go: string;
  workers: number;
  onVerdict: (done: number) => void;
  signal: AbortSignal;
}

/** Time allowed beyond `movetime`, in ms. Searches without `movetime` get 60 times as much. */
const PATIENCE = 60_000;

/** Searches the positions. Restarts an engine after a failure. Throws a UserError if a start fails or the signal interrupts the run. */
export async function runSuite({ engine, tasks, go, workers, onVerdict, signal }: SuiteRun): Promise<SuiteResult> {
  const verdicts: JudgedAnswer[] = [];
  let next = 0;
  let done = 0;
  let name = '';
  let isFailing = false;
  const engines = new Set<UciEngine>();
  const onAbort = (): void => {
    for (const running of engines) void running.quit();
  };
  signal.addEventListener('abort', onAbort);
  const work = async (): Promise<void> => {
    let running: UciEngine | null = null;
    try {
      while (next < tasks.length && !signal.aborted && !isFailing) {
        const index = next++;
        if (running?.alive !== true) running = await started(engine);
        engines.add(running);
        if (signal.aborted) return;
        name = running.name;
        verdicts[index] = await solve(running, tasks[index], go);
        if (signal.aborted) return;
        onVerdict(++done);
      }
    } catch (error) {
      isFailing = true;
      throw error;
    } finally {
      await running?.quit();
    }
  };
  const works = Array.from({ length: Math.min(workers, tasks.length) }, work);
  await Promise.all(works).finally(() => signal.removeEventListener('abort', onAbort));
  if (signal.aborted)
    throw new UserError(`interrupted after ${done} of ${tasks.length} positions`, Number(process.exitCode ?? 130));
  return { engine: name, verdicts };
}

async function started({ spec }: NamedEngine): Promise<UciEngine> {
  try {
    const engine = await UciEngine.start(spec);
    for (const warning of engine.warnings) process.stderr.write(`warning: ${engine.name}: ${warning}\n`);
    return engine;
  } catch (error) {
    if (!(error instanceof ProcessFailure)) throw error;
    throw new UserError(`cannot start ${spec.name ?? spec.command}: ${error.message}`);
  }
}

async function solve(engine: UciEngine, task: Task, go: string): Promise<JudgedAnswer> {
  const nothing = { task, move: '', isSolved: false, points: 0, nodes: 0, milliseconds: 0 };
  try {
    parseFen(task.fen);
    await engine.newGame(needsChess960());
    const answer = await engine.go(`position fen ${task.fen}`, go, patienceOf(go));
    return { ...nothing, ...judge(task, answer), failure: null };
  } catch (error) {
    if (!(error instanceof ProcessFailure)) throw error;
    return { ...nothing, failure: error.message };
  }
}

function patienceOf(go: string): number {
  const time = /movetime (\d+)/.exec(go);
  return time === null ? 60 * PATIENCE : Number(time[1]) + PATIENCE;
}

/** Returns the verdict on an answer. Overwrites the engine's position. */
export function judge(
  task: Task,
  { move: text, score, nodes, milliseconds }: SearchAnswer,
): Omit<JudgedAnswer, 'task' | 'failure'> {
  parseFen(task.fen);
  const move = moveOf(text);
  const points = task.points.get(move) ?? 0;
  return { move: text, isSolved: isSolution(task, move, score), points, nodes, milliseconds };
}

function isSolution({ best, avoid, mate, points }: Task, move: Move, score: number | null): boolean {
  if (move <= NO_MOVE) return false;
  if (best.length > 0) return best.includes(move);
  if (avoid.length > 0) return !avoid.includes(move);
  if (mate !== null) return score !== null && score > MATE_BOUND && Math.ceil((MATE_SCORE - score) / 2) <= mate;
  return points.get(move) === Math.max(...points.values());
}
