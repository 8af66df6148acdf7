// An engine's process: starts it, writes to it, reports its end, and kills it when this process ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { type EnginePipes, enginePipes } from './pipes.js';

/** Command and options of an engine, as given by `--engine "cmd=… option.Hash=16"`. */
export interface EngineSpec {
  name?: string;
  command: string;
  args: string[];
  folder?: string;
  options: Record<string, string>;
  /** The commit that it was built at, if it was named by a git revision. */
  commit?: string;
  /** Files the engine consists of beside its command and the files its arguments name. */
  files?: string[];
  /** Processors it may use, as taskset takes them; all of them when left out. */
  processors?: string;
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

export interface ProcessListener {
  onOutput: (chunk: string) => void;
  onErrorOutput: (chunk: string) => void;
  /** The process did not start ('start') or has ended ('crash'). */
  onEnd: (kind: 'start' | 'crash', message: string) => void;
}

const QUIT_MS = 2_000;

// Processes still running: whatever ends this one ends them too (kill -9 closes their stdin, which UCI engines obey).
const running = new Set<EngineProcess>();
process.on('exit', () => {
  for (const engine of running) engine.kill();
});

export class EngineProcess {
  private readonly child: ChildProcess;
  private readonly pipes: EnginePipes;
  private readonly gone: Promise<unknown>;

  constructor(spec: EngineSpec, { onOutput, onErrorOutput, onEnd }: ProcessListener) {
    // In a session of its own, so that Ctrl-C in the terminal reaches the match only and the game is not lost by a "crash".
    this.pipes = enginePipes();
    const { command, args, folder, processors } = spec;
    const [program, words] =
      processors === undefined ? [command, args] : ['taskset', ['--cpu-list', processors, command, ...args]];
    this.child = spawn(program, words, { cwd: folder, detached: true, stdio: this.pipes.stdio });
    running.add(this);
    const outputEnd = new Promise<void>((resolve) => this.pipes.connect(this.child, onOutput, resolve));
    const { stderr } = this.child;
    stderr!.on('error', () => undefined);
    stderr!.setEncoding('utf8').on('data', onErrorOutput);
    this.child.on('error', (error) => onEnd('start', startProblem(error)));
    this.gone = new Promise((resolve) => this.child.once('exit', resolve).once('error', resolve));
    const ended = (code: number | null, signal: string | null): void => {
      running.delete(this);
      this.pipes.end();
      onEnd('crash', signal === null ? `ended with exit code ${code}` : `ended by ${signal}`);
    };
    // The last output comes before; a process that leaves its pipes to a child of its own never closes them.
    this.child.on('close', (code, signal) => void outputEnd.then(() => ended(code, signal)));
    this.child.on('exit', (code, signal) => setTimeout(() => ended(code, signal), 200).unref());
  }

  /** Writes to the process, if it still listens. */
  send(text: string): void {
    this.pipes.write(text);
  }

  /** Waits for the end of the process, its input closed; kills it when it does not end. */
  async quit(): Promise<void> {
    if (!running.has(this)) return;
    this.pipes.end();
    const timer = setTimeout(() => this.kill(), QUIT_MS);
    await this.gone;
    clearTimeout(timer);
  }

  /** Ends the process, and those it started, at once. */
  kill(): void {
    if (!running.delete(this) || this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }
}

function startProblem(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'no such program, or no such working folder';
  return error.code === 'EACCES' ? 'not an executable file' : error.message;
}
