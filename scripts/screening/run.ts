// The searches of a screening, stored in one file: a header with the identity of the run, and a line for each search.

import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Tinypool from 'tinypool';
import { AppendedFile } from '../../selfplay/common/appended-file.js';
import { UserError } from '../../selfplay/common/errors.js';
import { interruptSignal, workerFile } from '../../selfplay/common/program.js';
import { showProgress } from '../../selfplay/common/progress.js';
import { type Identity, isObject, refuseOtherRun, sealedJson, unsealedJson } from '../../selfplay/common/run-files.js';
import type { Searched } from './effects.js';
import type { ScreeningAnswer, ScreeningTask, ScreeningWorkerData } from './worker.js';

/** Searches queued per thread, so that none is idle. */
const WAITING_PER_THREAD = 4;

/** The searches of a run in their order, and the threads that do them. */
export interface Screening {
  out: string;
  identity: Identity;
  tasks: readonly ScreeningTask[];
  data: ScreeningWorkerData;
  workers: number;
}

/**
 * Returns the searches of a run round by round, references first, so that an interrupted run has searched all positions about equally
 * often.
 */
export function tasksOf(fens: readonly string[], references: number, rounds: number): ScreeningTask[] {
  return Array.from({ length: references + rounds }, (_, at) =>
    fens.map((fen, position) => ({ fen, position, round: at - references })),
  ).flat();
}

/** Returns the answers to the tasks by position, without positions that have no reference or fewer than two other searches. */
export function byPosition(answers: readonly ScreeningAnswer[], tasks: readonly ScreeningTask[]): Searched[] {
  const found = new Map<number, { position: number; references: ScreeningAnswer[]; rounds: ScreeningAnswer[] }>();
  for (const [at, answer] of answers.entries()) {
    const { position, round } = tasks[at];
    const searched = found.get(position) ?? { position, references: [], rounds: [] };
    found.set(position, searched);
    (round < 0 ? searched.references : searched.rounds).push(answer);
  }
  return [...found.values()].filter(({ references, rounds }) => references.length > 0 && rounds.length > 1);
}

/** Does the searches that the run's file lacks, in their order. Returns all answers, fewer than tasks after an interrupt. */
export async function searchAll({ out, identity, tasks, data, workers }: Screening): Promise<ScreeningAnswer[]> {
  const path = join(out, 'searches.jsonl');
  const answers = readAnswers(path, out, identity);
  if (answers.length >= tasks.length) return answers.slice(0, tasks.length);
  const signal = interruptSignal();
  const file = new AppendedFile(path);
  if (answers.length === 0) file.append(`${sealedJson({ screening: 1, identity })}\n`);
  const bar = showProgress('searching', tasks.length, 'searches');
  const filename = workerFile('scripts/screening/worker').href;
  const threads = { minThreads: workers, maxThreads: workers, concurrentTasksPerWorker: 1 };
  const pool = new Tinypool({ filename, workerData: data, ...threads });
  const waiting: Promise<ScreeningAnswer>[] = [];
  try {
    for (let next = answers.length; answers.length < tasks.length && !signal.aborted; ) {
      while (next < tasks.length && waiting.length < WAITING_PER_THREAD * workers)
        waiting.push(pool.run(tasks[next++]));
      const answer = await waiting[0];
      waiting.shift();
      file.append(`${JSON.stringify(answer)}\n`);
      answers.push(answer);
      const { round } = tasks[answers.length - 1];
      bar.update(answers.length, round < 0 ? 'deep searches' : `round ${round + 1}`);
    }
  } finally {
    void Promise.allSettled(waiting);
    bar.stop();
    file.close();
    await pool.destroy();
  }
  return answers;
}

/** Returns the answers in the file, after removing a partial last line; throws a UserError for the file of another run. */
function readAnswers(path: string, folder: string, identity: Identity): ScreeningAnswer[] {
  const content = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (content === '') return [];
  const complete = content.slice(0, content.lastIndexOf('\n') + 1);
  const [head, ...lines] = complete.split('\n').slice(0, -1);
  if (head === undefined) throw new UserError(`${path} has no header; delete it`);
  const { identity: before } = parsedLine(path, 1, () => unsealedJson(head), isHeader);
  refuseOtherRun(folder, 'screening', before, JSON.parse(JSON.stringify(identity)));
  truncateSync(path, Buffer.byteLength(complete));
  return lines.map((line, at) => parsedLine(path, at + 2, () => JSON.parse(line), isAnswer));
}

const isHeader = (value: unknown): value is { identity: Identity } => isObject(value) && isObject(value['identity']);

const isAnswer = (value: unknown): value is ScreeningAnswer =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);

function parsedLine<T>(path: string, line: number, parse: () => unknown, isRight: (value: unknown) => value is T): T {
  try {
    const value = parse();
    if (isRight(value)) return value;
  } catch {
    // Reported below
  }
  throw new UserError(`${path}:${line}: not a line of a screening; delete the file to begin again`);
}
