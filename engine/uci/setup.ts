// The effects of the UCI options on the engine: search settings, transposition table, threads and weights.

import { setChess960 } from '../board/position.js';
import { newGame, useWeights } from '../engine.js';
import { dataUrl, readDataUrl, shownName } from '../names.js';
import { setParam } from '../search/params.js';
import { DEFAULT_HASH } from '../search/root/flags.js';
import { dropTable, makeTable, type TableMemory, table, tryTable } from '../search/tt/memory.js';
import { formatMessage } from './format.js';
import { defaultUciSettings, type OptionEffects, type Settings } from './options.js';
import type { Helper, SearchThreads, ThreadMemory } from './threads.js';

/** Host functions that the UCI layer calls. */
export interface Port {
  /** Sends a line to the GUI. */
  write: (line: string) => void;
  /** Sends pending output immediately, before the thread gets busy or sleeps. */
  flush: () => void;
  /** Returns a file's text; throws if it cannot be read. */
  readFile: (name: string) => string;
  /** Sleeps until the control flag WAKE differs from the value; only in a worker. */
  sleep: (seen: number) => void;
  /** Starts a helper thread, which may use the table at once. A helper that fails must be marked as gone. */
  spawn: (memory: ThreadMemory, table: TableMemory) => Helper;
  /** Frees unused memory immediately. */
  collect: () => void;
  /** Memory of the machine in MiB. */
  memory: number;
  /** Whether the search parameters are offered as options. */
  tunes: boolean;
  /** Text of the weights that an empty EvalFile restores; default: the built-in ones. */
  weights?: string | undefined;
}

/** Sends a message for people. */
export function sendMessage(port: Port, text: string): void {
  port.write(formatMessage(text));
}

/** The engine as the options set it up. */
export class EngineSetup implements OptionEffects {
  readonly settings = defaultUciSettings();
  /** Size of the table in MiB. */
  private hash = DEFAULT_HASH;
  /** Requested number of threads; fewer may run. */
  private threadCount = 1;
  private weightsFile = '';

  constructor(
    private readonly port: Port,
    private readonly threads: SearchThreads,
    private readonly onNewWeights: () => void,
  ) {}

  set(changes: Partial<Settings>): void {
    Object.assign(this.settings, changes);
  }

  setHash(megabytes: number): void {
    // The garbage collector ignores shared memory, so old tables would accumulate
    dropTable();
    this.shareTable();
    this.threads.settle();
    this.port.collect();
    this.hash = tryTable(megabytes, this.port.collect) ? megabytes : this.makeSmallerTable(megabytes);
    if (this.hash !== megabytes)
      sendMessage(this.port, `error: not enough memory for a hash of ${megabytes} MB; using ${this.hash} MB`);
    this.shareTable();
  }

  clearHash(): void {
    this.threads.settle();
    newGame();
    this.threads.tell('newGame', { kind: 'newGame' });
  }

  setThreads(count: number): void {
    this.threadCount = count;
    // Not at the start: a helper runs this code too, and would keep its first table in memory
    this.shareTable();
    this.threads.resize(count);
  }

  setChess960(on: boolean): void {
    setChess960(on);
  }

  setParam(name: string, value: number): void {
    setParam(name, value);
  }

  setWeightsFile(file: string): void {
    if (file === '' && this.weightsFile === '') return;
    try {
      const text = file === '' ? this.port.weights : (readDataUrl(file) ?? this.port.readFile(file));
      const warning = useWeights(text);
      this.weightsFile = file;
      this.onNewWeights();
      // The file may be gone or changed when a helper starts
      const embedded = text === undefined ? '' : dataUrl(text);
      this.threads.tell('EvalFile', { kind: 'line', line: `setoption name EvalFile value ${embedded}` });
      if (file !== '') sendMessage(this.port, `weights loaded from ${shownName(file)}`);
      if (warning !== null) sendMessage(this.port, `warning: ${warning}`);
    } catch (error) {
      sendMessage(this.port, `error: EvalFile ${shownName(file)}: ${(error as Error).message}`);
    }
  }

  /** Returns to an empty table of the set size, for instance after a bench. */
  restoreHash(): void {
    this.setHash(this.hash);
    this.clearHash();
  }

  /** Starts the requested threads. */
  restoreThreads(): void {
    this.threads.resize(this.threadCount);
  }

  private shareTable(): void {
    this.threads.tell('table', { kind: 'table', memory: table.memory });
  }

  /** Helpers occupy address space and may keep the old table alive, so they end first. Returns the size in MiB. */
  private makeSmallerTable(megabytes: number): number {
    this.threads.resize(1);
    const made = makeTable([megabytes, this.hash, 1], this.port.collect);
    this.threads.resize(this.threadCount);
    return made;
  }
}
