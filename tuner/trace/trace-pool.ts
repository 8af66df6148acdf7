// Reads the data chunk by chunk and hands them to tinypool workers; what comes back is in the chunks' order by its index.

import { Tinypool } from 'tinypool';
import { UserError } from '../../selfplay/common/errors.js';
import { workerFile } from '../../selfplay/common/paths.js';
import { type Chunk, type Intake, readChunks } from './chunks.js';
import type { LoadObserver, LoadSettings } from './load-settings.js';
import type { TraceResult, TraceTask } from './trace-worker.js';

/** What stays known of a chunk when its bytes are with a worker. */
export interface ChunkName {
  kind: Chunk['kind'];
  file: string;
  /** 0 for lines. */
  firstGame: number;
}

export interface TraceHandlers {
  onResult: (index: number, chunk: ChunkName, result: TraceResult) => void;
  onChunk?: () => void;
  /** Makes it a second pass: the rows of a chunk whose positions are wanted; chunks without any are passed over. */
  wantedOf?: (index: number) => readonly number[];
}

/** Traces all chunks; a trace that fails a guard, or an interruption, is a UserError. */
export async function traceChunks(
  settings: LoadSettings,
  intake: Intake,
  observer: LoadObserver,
  { onResult, onChunk, wantedOf }: TraceHandlers,
): Promise<void> {
  const pool = new Tinypool({
    filename: workerFile('tuner/trace/trace-worker').href,
    runtime: 'worker_threads',
    minThreads: settings.workers,
    maxThreads: settings.workers,
  });
  const running = new Set<Promise<void>>();
  let failure: unknown;
  const trace = async (chunk: Chunk, index: number): Promise<void> => {
    const { filter, weights } = settings;
    const wanted = wantedOf?.(index);
    if (wanted?.length === 0) return;
    const task: TraceTask = { settings: { filter, weights }, chunk, ...(wanted && { wanted }) };
    const buffer = (chunk.kind === 'games' ? chunk.bytes : chunk.text).buffer as ArrayBuffer;
    const { kind, file } = chunk;
    const firstGame = chunk.kind === 'games' ? chunk.firstGame : 0;
    const result: TraceResult = await pool.run(task, { transferList: [buffer] });
    if (result.fault !== null) throw new UserError(`the evaluation and its trace disagree: ${result.fault}`);
    onResult(index, { kind, file, firstGame }, result);
  };
  try {
    let index = 0;
    for await (const chunk of readChunks(settings.data, intake)) {
      if (observer.signal?.aborted === true)
        throw new UserError('interrupted while reading: nothing has been fitted', 130);
      const job: Promise<void> = trace(chunk, index++)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(job));
      running.add(job);
      // A few chunks wait, so that no worker does; all of them at once would fill the memory.
      if (running.size >= 3 * settings.workers) await Promise.race(running);
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
