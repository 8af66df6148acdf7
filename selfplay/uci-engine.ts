// A UCI engine in a child process. Every way it can fail is an EngineFailure with a kind, so that a match can score the
// game and start the engine again. Output is taken a chunk at a time and searched, not split: at a few hundred nodes a
// move the runner's own work per move decides how many games an hour are played.

import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { UserError } from './cli.js';
import { declaredOptions, findLine, lastComplaint, lineAt, optionProblem } from './engine-output.js';
import { InfoCollector, type SearchInfo } from './uci-info.js';

/** How to start an engine and what to set: what `--engine "cmd=… option.Hash=16"` says. */
export interface EngineSpec {
  name?: string;
  command: string;
  args: string[];
  folder?: string;
  options: Record<string, string>;
  /** Files the engine consists of beside its command and the files its arguments name. */
  files?: string[];
  /** Start a new process for every game. */
  restart?: boolean;
}

/** 'start': did not start or does not speak UCI; 'crash': its process ended; 'stall': no answer in time. */
export type FailureKind = 'start' | 'crash' | 'stall';

export class EngineFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The engine's answer to `go`: its move as sent, what its last exact info line said, and the wall-clock milliseconds. */
export interface SearchAnswer extends SearchInfo {
  move: string;
  milliseconds: number;
}

/** Milliseconds to wait for: uciok, readyok, a bestmove after `stop`, the end of the process after `quit`. */
export const TIMEOUTS = { start: 20_000, ready: 60_000, stop: 5_000, quit: 2_000 };

const LONGEST_LINE = 1 << 20;

interface Waiting {
  word: 'uciok' | 'readyok' | 'bestmove';
  resolve: (text: string) => void;
  reject: (failure: EngineFailure) => void;
}

// Engines still running: whatever ends this process ends them too (kill -9 closes their stdin, which UCI engines obey).
const running = new Set<UciEngine>();
process.on('exit', () => {
  for (const engine of running) engine.kill();
});

export class UciEngine {
  readonly spec: EngineSpec;
  /** The name the engine gave itself. */
  id = '';
  /** The options it declared: lower-case name to declaration. */
  readonly declared = new Map<string, string>();
  /** Options asked for that the engine does not have or would refuse. */
  readonly warnings: string[] = [];
  private readonly child: ChildProcess;
  private readonly gone: Promise<unknown>;
  private readonly info = new InfoCollector();
  private tail = '';
  private complaint = '';
  private waiting: Waiting | null = null;
  private failure: EngineFailure | null = null;
  private startedAt = 0;
  private finishedAt = 0;

  /** Starts the engine's process; `handshake` comes next. */
  constructor(spec: EngineSpec) {
    this.spec = spec;
    // In a session of its own, so that Ctrl-C in the terminal reaches the match only and the game is not lost by a "crash".
    this.child = spawn(spec.command, spec.args, { cwd: spec.folder, detached: true, stdio: 'pipe' });
    running.add(this);
    const { stdin, stdout, stderr } = this.child;
    stdout!.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
    stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      this.complaint = lastComplaint(chunk) ?? this.complaint;
    });
    for (const stream of [stdin!, stdout!, stderr!]) stream.on('error', () => undefined);
    this.child.on('error', (error) => this.fail('start', startProblem(error)));
    this.gone = new Promise((resolve) => this.child.once('exit', resolve).once('error', resolve));
    // 'close' comes after the last output; a process that leaves its pipes to a child of its own never gives it.
    this.child.on('close', (code, signal) => this.ended(code, signal));
    this.child.on('exit', (code, signal) => setTimeout(() => this.ended(code, signal), 200).unref());
  }

  /** Starts an engine and waits until it is ready; rejects with an EngineFailure. */
  static async start(spec: EngineSpec): Promise<UciEngine> {
    const engine = new UciEngine(spec);
    await engine.handshake();
    return engine;
  }

  /** Makes the engine's acquaintance, sets its options and waits until it is ready; rejects with an EngineFailure. */
  async handshake(): Promise<void> {
    try {
      this.readDeclarations(await this.ask('uci', 'uciok', TIMEOUTS.start));
      this.setOptions();
      await this.ask('isready', 'readyok', TIMEOUTS.ready);
    } catch (error) {
      this.kill();
      throw new EngineFailure('start', (error as Error).message);
    }
  }

  get alive(): boolean {
    return this.failure === null;
  }

  /** What to call the engine: as the user does, as it does itself, or as its program. */
  get name(): string {
    return this.spec.name ?? (this.id || basename(this.spec.command));
  }

  /** Tells the engine that the next position is of another game, and waits until it is ready. */
  async newGame(chess960: boolean): Promise<void> {
    const canPlay960 = this.declared.has('uci_chess960');
    if (chess960 && !canPlay960) throw new UserError(`${this.name} does not play Chess960 (no option UCI_Chess960)`);
    if (canPlay960) this.send(`setoption name UCI_Chess960 value ${chess960}`);
    await this.ask('ucinewgame\nisready', 'readyok', TIMEOUTS.ready);
  }

  /**
   * Searches; both texts as UCI has them (`position …`, `go …`). Past `limit` milliseconds the engine is told to stop,
   * and its late answer returned with its time; without an answer to that the search fails as a stall.
   */
  async go(position: string, go: string, limit: number): Promise<SearchAnswer> {
    this.info.clear();
    this.startedAt = performance.now();
    const line = await this.ask(`${position}\n${go}`, 'bestmove', limit);
    return { ...this.info.read(), move: line.split(/\s+/, 2)[1] ?? '', milliseconds: this.finishedAt - this.startedAt };
  }

  /** Asks the engine to quit and waits for its end; kills it when it does not. */
  async quit(): Promise<void> {
    if (!running.has(this)) return;
    this.send('stop\nquit');
    this.child.stdin?.end();
    const timer = setTimeout(() => this.kill(), TIMEOUTS.quit);
    await this.gone;
    clearTimeout(timer);
  }

  /** Ends the engine's process, and those it started, at once. */
  kill(): void {
    if (!running.delete(this) || this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }

  private send(text: string): void {
    if (this.child.stdin!.writable) this.child.stdin!.write(`${text}\n`);
  }

  private ask(text: string, word: Waiting['word'], limit: number): Promise<string> {
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      let timer = setTimeout(() => lookOnceMore(), limit);
      const waiting: Waiting = {
        word,
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (failure) => {
          clearTimeout(timer);
          reject(failure);
        },
      };
      // After a pause of this process the timer comes before output that was there in time: look at that first.
      const lookOnceMore = (): void => {
        setImmediate(() => {
          if (this.waiting !== waiting) return;
          if (word !== 'bestmove') return this.fail('stall', `no ${word} within ${limit / 1000} s`);
          this.send('stop');
          timer = setTimeout(() => this.fail('stall', 'no bestmove, not even after stop'), TIMEOUTS.stop);
        });
      };
      this.waiting = waiting;
      this.send(text);
    });
  }

  private receive(chunk: string): void {
    const text = this.tail + chunk;
    const end = text.lastIndexOf('\n');
    this.tail = text.length - end > LONGEST_LINE ? '' : text.slice(end + 1);
    if (end < 0 || this.waiting === null) return;
    const lines = text.slice(0, end);
    const at = findLine(lines, this.waiting.word);
    if (this.waiting.word === 'bestmove') this.info.add(at < 0 ? lines : lines.slice(0, Math.max(0, at - 1)));
    // The declarations before uciok may come in several chunks: they are kept together until it arrives.
    if (at < 0 && this.waiting.word === 'uciok' && text.length < LONGEST_LINE) this.tail = text;
    if (at < 0) return;
    this.finishedAt = performance.now();
    const { word, resolve } = this.waiting;
    this.waiting = null;
    resolve(word === 'uciok' ? lines.slice(0, at) : lineAt(lines, at));
  }

  private readDeclarations(text: string): void {
    const name = findLine(text, 'id name');
    if (name >= 0) this.id = lineAt(text, name).slice(7).trim();
    for (const [option, declaration] of declaredOptions(text)) this.declared.set(option.toLowerCase(), declaration);
  }

  // Threads first: some engines lay out their hash table by it.
  private setOptions(): void {
    const names = Object.keys(this.spec.options).sort((a, b) => Number(isThreads(b)) - Number(isThreads(a)));
    for (const name of names) {
      const value = this.spec.options[name];
      const problem = optionProblem(this.declared.get(name.toLowerCase()), value);
      if (problem === null) this.send(`setoption name ${name} value ${value}`);
      else this.warnings.push(`option ${name}=${value} not set: ${problem}`);
    }
  }

  private ended(code: number | null, signal: string | null): void {
    running.delete(this);
    this.fail('crash', signal === null ? `ended with exit code ${code}` : `ended by ${signal}`);
  }

  private fail(kind: FailureKind, message: string): void {
    if (this.failure !== null) return;
    this.failure = new EngineFailure(kind, this.complaint === '' ? message : `${message}; it said: ${this.complaint}`);
    this.kill();
    this.waiting?.reject(this.failure);
    this.waiting = null;
  }
}

function startProblem(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'no such program, or no such working folder';
  return error.code === 'EACCES' ? 'not an executable file' : error.message;
}

function isThreads(name: string): boolean {
  return name.toLowerCase() === 'threads';
}
