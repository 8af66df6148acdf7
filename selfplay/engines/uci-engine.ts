// A UCI session with an engine process. Every failure is reported as a ProcessFailure, so a match can score the game and restart the
// engine. Output is searched chunk by chunk and not split into lines, because at a few hundred nodes per move the runner's overhead limits
// the games per hour.

import { basename } from 'node:path';
import { UserError } from '../common/errors.js';
import { printable } from '../common/wording.js';
import { declaredOptions, findLine, lastComplaint, lineAt, optionProblem } from './output.js';
import { EngineProcess, type EngineSpec, type FailureKind, ProcessFailure } from './process.js';
import { type TrafficSink, Transcript } from './transcript.js';
import { InfoCollector, type UciInfo } from './uci-info.js';

/** The engine's answer to `go`: its move as sent, the fields of its last exact info line, and the wall-clock milliseconds. */
export interface SearchAnswer extends UciInfo {
  move: string;
  /** The expected reply as sent; empty if there was none. */
  ponder: string;
  milliseconds: number;
}

/** Timeouts in ms for uciok, readyok, and bestmove after `stop`. */
export const TIMEOUTS = { start: 20_000, ready: 60_000, stop: 5_000 };

const LONGEST_LINE = 1 << 20;
const LONGEST_TIMER = 0x7fffffff;

const ANSWER = /^bestmove(?:\s+(\S+)(?:\s+\S+\s+(\S+))?)?/;

interface Waiting {
  word: 'uciok' | 'readyok' | 'bestmove';
  /** Allowed time in ms. */
  limit: number;
  wasStopped: boolean;
  resolve: (text: string) => void;
  reject: (failure: ProcessFailure) => void;
}

export class UciEngine {
  /** The name from `id name`. */
  id = '';
  /** Declared options by lower-case name. The name is kept as declared, because some engines do not ignore case. */
  readonly declared = new Map<string, [name: string, declaration: string]>();
  /** Requested options that the engine lacks or would reject. */
  readonly warnings: string[] = [];
  /** Input and output since the start of the game. */
  readonly transcript: Transcript;
  private readonly process: EngineProcess;
  private readonly info = new InfoCollector();
  /** Output that has not been searched yet, usually part of a line. */
  private tail = '';
  /** The most informative line of the error output. */
  private errorOutput = '';
  private waiting: Waiting | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** The position on which the engine ponders, and its answer if it answered before `ponderhit` or `stop`. */
  private pondering: { position: string; early: string | null } | null = null;
  private failure: ProcessFailure | null = null;
  private startedAt = 0;
  private finishedAt = 0;

  /** The options that were set, with the values sent. */
  readonly applied: Record<string, string> = {};

  /** Starts the engine's process; call `handshake` next. `sink` receives all input and output. */
  constructor(
    readonly spec: EngineSpec,
    sink?: TrafficSink,
  ) {
    this.transcript = new Transcript(sink);
    this.process = new EngineProcess(spec, {
      onOutput: (chunk) => this.receive(chunk),
      onErrorOutput: (chunk) => {
        this.transcript.add('!', chunk);
        this.errorOutput = lastComplaint(chunk) ?? this.errorOutput;
      },
      onEnd: (kind, message) => this.fail(kind, message),
    });
  }

  /** Starts an engine and waits until it is ready; rejects with a ProcessFailure if that fails. */
  static async start(spec: EngineSpec): Promise<UciEngine> {
    const engine = new UciEngine(spec);
    await engine.handshake();
    return engine;
  }

  /** Sends `uci`, sets the options and waits for `readyok`; rejects with a ProcessFailure if that fails. */
  async handshake(): Promise<void> {
    try {
      this.readDeclarations(await this.ask('uci', 'uciok', TIMEOUTS.start));
      this.setOptions();
      await this.ask('isready', 'readyok', TIMEOUTS.ready);
    } catch (error) {
      this.kill();
      throw new ProcessFailure('start', (error as Error).message);
    }
  }

  get alive(): boolean {
    return this.failure === null;
  }

  /** Display name: the given name, or else the engine's own name, or else the program's file name. */
  get name(): string {
    return this.spec.name ?? (this.id || basename(this.spec.command));
  }

  /** Whether the engine declares the option Ponder. */
  get canPonder(): boolean {
    return this.declared.has('ponder');
  }

  /** Sets an option between games; it takes effect after the next readyok. */
  setOption(name: string, value: string): void {
    const [declaredName = name, declaration = ''] = this.declared.get(name.toLowerCase()) ?? [];
    const isButton = declaration.startsWith('button');
    // As in fastchess, false does not press a button
    if (isButton && value === 'false') return;
    this.send(`setoption name ${declaredName}${isButton ? '' : ` value ${value}`}`);
  }

  /** Throws a UserError if Chess960 is requested and the engine does not support it. */
  checkVariant(chess960: boolean): void {
    if (!chess960 || this.declared.has('uci_chess960')) return;
    throw new UserError(`${this.name} does not play Chess960 (no option UCI_Chess960)`);
  }

  /** Sets UCI_Chess960, sends `ucinewgame` and waits for `readyok`; rejects with a UserError if the engine lacks Chess960. */
  async newGame(chess960: boolean): Promise<void> {
    this.transcript.clear();
    this.checkVariant(chess960);
    if (this.declared.has('uci_chess960')) this.setOption('UCI_Chess960', String(chess960));
    await this.ask('ucinewgame\nisready', 'readyok', TIMEOUTS.ready);
  }

  /**
   * Searches with the UCI commands `position …` and `go …`. After `limit` ms, sends `stop` and returns the late answer with its time.
   * Rejects with a ProcessFailure (stall) if there is no answer. An engine that ponders on this position gets `ponderhit`. An engine that
   * ponders on another position must first stop, which counts as thinking time.
   */
  async go(position: string, go: string, limit: number): Promise<SearchAnswer> {
    this.startedAt = performance.now();
    const line = await this.search(position, go, limit);
    const [, move = '', ponder = ''] = ANSWER.exec(line) ?? [];
    const milliseconds = Math.max(0, this.finishedAt - this.startedAt);
    return { ...this.info.read(), move, ponder, milliseconds };
  }

  /** Starts a search on the opponent's time, for the position after the expected reply. */
  ponder(position: string, go: string): void {
    if (this.failure !== null) return;
    this.info.clear();
    this.pondering = { position, early: null };
    this.send(`${position}\n${go.replace('go', 'go ponder')}`);
  }

  /** Stops pondering at the end of a game. A failure is reported by the next command. */
  async rest(): Promise<void> {
    await this.stopPondering(TIMEOUTS.stop).catch(() => undefined);
  }

  /** Sends `quit` and waits for the process to end; kills the engine after a timeout. */
  async quit(): Promise<void> {
    this.send('stop\nquit');
    await this.process.quit();
  }

  /** Kills the engine's process and its children. */
  kill(): void {
    this.process.kill();
  }

  private async search(position: string, go: string, limit: number): Promise<string> {
    const { pondering } = this;
    if (pondering?.position === position) {
      this.pondering = null;
      return pondering.early ?? this.ask('ponderhit', 'bestmove', limit);
    }
    if (pondering !== null) await this.stopPondering(limit);
    this.info.clear();
    const left = Math.max(0, limit - (performance.now() - this.startedAt));
    return this.ask(`${position}\n${go}`, 'bestmove', left);
  }

  private async stopPondering(limit: number): Promise<void> {
    const { pondering } = this;
    this.pondering = null;
    if (pondering !== null && pondering.early === null) await this.ask('stop', 'bestmove', limit);
  }

  private send(text: string): void {
    this.transcript.add('>', `${text}\n`);
    this.process.send(`${text}\n`);
  }

  private ask(text: string, word: Waiting['word'], limit: number): Promise<string> {
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting = { word, limit, wasStopped: false, resolve, reject };
      this.startTimer(limit);
      this.send(text);
    });
  }

  // The timer alone must not keep this process alive
  private startTimer(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onTimer(), Math.min(LONGEST_TIMER, Math.ceil(milliseconds))).unref();
  }

  // After a pause of this process, the timer fires before output that arrived in time has been read. The timeout therefore counts only
  // after the pending output has been read.
  private onTimer(): void {
    const { waiting } = this;
    setImmediate(() => {
      if (waiting !== null && this.waiting === waiting) this.onTimeout(waiting);
    });
  }

  private onTimeout(waiting: Waiting): void {
    const { word, limit } = waiting;
    if (waiting.wasStopped) return this.fail('stall', 'no bestmove, even after stop');
    if (word !== 'bestmove') return this.fail('stall', `no ${word} within ${limit / 1000} s`);
    waiting.wasStopped = true;
    this.startTimer(TIMEOUTS.stop);
    this.send('stop');
  }

  private receive(chunk: string): void {
    this.transcript.add('<', chunk);
    // UCI allows any blanks between words
    const text = this.tail + chunk.replaceAll('\t', ' ');
    const end = text.lastIndexOf('\n');
    this.tail = text.length - end > LONGEST_LINE ? '' : text.slice(end + 1);
    if (end < 0) return;
    const lines = text.slice(0, end);
    const { waiting, pondering } = this;
    // Between searches, only the output of a pondering engine matters
    if (waiting === null && pondering === null) return;
    const word = waiting?.word ?? 'bestmove';
    const at = findLine(lines, word);
    if (word === 'bestmove') this.info.add(at < 0 ? lines : lines.slice(0, Math.max(0, at - 1)));
    // The declarations before uciok may arrive in several chunks
    if (at < 0 && word === 'uciok' && text.length < LONGEST_LINE) this.tail = text;
    if (at < 0) return;
    this.finishedAt = performance.now();
    const answer = word === 'uciok' ? lines.slice(0, at) : lineAt(lines, at);
    if (waiting !== null) {
      this.waiting = null;
      clearTimeout(this.timer);
      waiting.resolve(answer);
    } else if (pondering !== null) pondering.early ??= answer;
  }

  private readDeclarations(text: string): void {
    const at = findLine(text, 'id name');
    if (at >= 0) this.id = printable(lineAt(text, at).slice(7).trim());
    for (const option of declaredOptions(text)) this.declared.set(option[0].toLowerCase(), option);
  }

  // Sets Threads first, because some engines allocate their hash table accordingly
  private setOptions(): void {
    const names = Object.keys(this.spec.options).sort((a, b) => Number(isThreads(b)) - Number(isThreads(a)));
    for (const name of names) {
      const value = this.spec.options[name];
      const problem = optionProblem(this.declared.get(name.toLowerCase())?.[1], value);
      if (problem === null) {
        this.setOption(name, value);
        // newGame() overrides the variant
        if (name.toLowerCase() !== 'uci_chess960') this.applied[name] = value;
      } else this.warnings.push(`option ${name}=${value} not set: ${problem}`);
    }
  }

  private fail(kind: FailureKind, message: string): void {
    if (this.failure !== null) return;
    this.failure = new ProcessFailure(
      kind,
      this.errorOutput === '' ? message : `${message}; error output: ${this.errorOutput}`,
    );
    this.kill();
    this.waiting?.reject(this.failure);
    this.waiting = null;
    clearTimeout(this.timer);
  }
}

const isThreads = (name: string): boolean => name.toLowerCase() === 'threads';
