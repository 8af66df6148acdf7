// traceChunks() reads the data in chunks and traces them in tinypool workers.

import { Tinypool } from 'tinypool';
import { UserError } from '../../selfplay/common/errors.js';
import { workerFile } from '../../selfplay/common/program.js';
import { type Chunk, type Intake, readChunks } from './chunks.js';
import type { ReadCounts } from './data-summary.js';
import type { TraceResult, TraceTask } from './worker.js';

export interface LoadSettings extends Pick<TraceTask, 'filter' | 'weights' | 'positionsOnly' | 'withLeaves'> {
  /** Folders of self-play runs, shards, PGN files, or files of labelled positions; text files may be compressed. */
  data: readonly string[];
  /** Columns and scale of files of labelled positions, in the syntax of `--columns`. */
  columns?: string | undefined;
  workers: number;
}

export interface LoadObserver {
  onReading?: (counts: ReadCounts) => void;
  signal?: AbortSignal;
}

export interface TraceHandlers {
  /** Called with the results in any order; `index` is the index of the chunk. */
  onResult: (index: number, chunk: Chunk, result: TraceResult) => void;
  onChunk?: () => void;
  /** For a second pass: returns the requested rows of a chunk. Chunks without requested rows are skipped. */
  wantedOf?: (index: number) => readonly number[];
}

/** Traces all chunks; throws a UserError if a check of the trace fails, or on interruption. */
export async function traceChunks(
  { data, columns, filter, weights, workers, positionsOnly = false, withLeaves = false }: LoadSettings,
  intake: Intake,
  { signal }: LoadObserver,
  { onResult, onChunk, wantedOf }: TraceHandlers,
): Promise<void> {
  const filename = workerFile('tuner/trace/worker').href;
  const pool = new Tinypool({ filename, runtime: 'worker_threads', minThreads: workers, maxThreads: workers });
  const running = new Set<Promise<void>>();
  let failure: unknown;
  const trace = async (chunk: Chunk, index: number): Promise<void> => {
    const wanted = wantedOf?.(index);
    if (wanted?.length === 0) return;
    const task: TraceTask = { filter, weights, chunk, positionsOnly, withLeaves, ...(wanted && { wanted }) };
    const result: TraceResult = await pool.run(task);
    if (result.fault !== null) throw new UserError(`the evaluation and its trace disagree: ${result.fault}`);
    onResult(index, chunk, result);
  };
  try {
    let index = 0;
    for await (const chunk of readChunks(data, intake, columns)) {
      if (signal?.aborted === true) throw new UserError('interrupted while reading: nothing has been fitted', 130);
      const job: Promise<void> = trace(chunk, index++)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(job));
      running.add(job);
      // A few chunks are queued so that no worker is idle. Queuing all chunks would fill the memory
      if (running.size >= 3 * workers) await Promise.race(running);
      if (failure !== undefined) throw failure;
      onChunk?.();
    }
    await Promise.all(running);
    if (failure !== undefined) throw failure;
  } finally {
    await Promise.all(running);
    await pool.destroy();
  }
}
