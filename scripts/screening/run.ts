// The searches of a screening, stored in a journal, and the threads that do them.

import Tinypool from 'tinypool';
import { interruptSignal, workerFile } from '../../selfplay/common/program.js';
import { showProgress } from '../../selfplay/common/progress.js';
import type { Identity } from '../../selfplay/common/run-files.js';
import { Journal } from '../../selfplay/series/journal.js';
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

/** A finished search, with its number in the order. */
interface Entry {
  index: number;
  answer: ScreeningAnswer;
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
export function byPosition(answers: ReadonlyMap<number, ScreeningAnswer>, tasks: readonly ScreeningTask[]): Searched[] {
  const found = new Map<number, ReturnType<typeof unsearched>>();
  for (const [index, { position, round }] of tasks.entries()) {
    const answer = answers.get(index);
    if (answer === undefined) continue;
    const searched = found.get(position) ?? unsearched(position);
    found.set(position, searched);
    if (round < 0) searched.references.push(answer);
    else searched.rounds.set(round, answer);
  }
  return [...found.values()].filter(({ references, rounds }) => references.length > 0 && rounds.size > 1);
}

const unsearched = (position: number) => ({
  position,
  references: [] as ScreeningAnswer[],
  rounds: new Map<number, ScreeningAnswer>(),
});

/** Does the searches that the run's journal lacks. Returns all answers by the number of their task, fewer than tasks after an interrupt. */
export async function searchAll(screening: Screening): Promise<Map<number, ScreeningAnswer>> {
  const { out, identity, tasks } = screening;
  const journal = new Journal<Entry, object>(out, identity, 'screening');
  const answers = new Map<number, ScreeningAnswer>();
  const add = ({ index, answer }: Entry): void => {
    if (index < tasks.length) answers.set(index, answer);
  };
  try {
    journal.resume(() => {}, add);
    const missing = Array.from(tasks.keys()).filter((index) => !answers.has(index));
    const bar = showProgress('searching', tasks.length, 'searches');
    const store = (entry: Entry): void => {
      journal.append(entry, {});
      add(entry);
      const { round } = tasks[entry.index];
      bar.update(answers.size, round < 0 ? 'deep searches' : `round ${round + 1}`);
    };
    if (missing.length > 0) await searchMissing(missing, screening, store).finally(() => bar.stop());
    return answers;
  } finally {
    journal.close();
  }
}

/** Does the searches with these numbers in threads and stores them in order, until an interrupt. */
async function searchMissing(
  missing: readonly number[],
  { tasks, data, workers }: Screening,
  store: (entry: Entry) => void,
): Promise<void> {
  const signal = interruptSignal();
  const filename = workerFile('scripts/screening/worker').href;
  const threads = { minThreads: workers, maxThreads: workers, concurrentTasksPerWorker: 1 };
  const pool = new Tinypool({ filename, workerData: data, ...threads });
  const waiting: Promise<ScreeningAnswer>[] = [];
  try {
    for (const [at, index] of missing.entries()) {
      while (waiting.length < WAITING_PER_THREAD * workers && at + waiting.length < missing.length)
        waiting.push(pool.run(tasks[missing[at + waiting.length]]));
      const answer = await waiting[0];
      if (signal.aborted) return;
      waiting.shift();
      store({ index, answer });
    }
  } finally {
    void Promise.allSettled(waiting);
    await pool.destroy();
  }
}
