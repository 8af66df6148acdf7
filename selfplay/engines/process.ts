// EngineProcess: the process of an engine. It is killed when this process ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { killGroup } from '../common/program.js';
import { type EnginePipes, enginePipes } from './pipes.js';

/** Command and options of an engine, as given by `--engine "cmd=… option.Hash=16"`. */
export interface EngineSpec {
  name?: string;
  command: string;
  args: string[];
  folder?: string;
  options: Record<string, string>;
  /** Commit of the build, if the engine was built from a git revision. */
  commit?: string;
  /** Further files of the engine besides its command and arguments. */
  files?: string[];
  /** Processors of the engine in taskset's notation; default: all. */
  processors?: string;
  /** Start a new process for every game. */
  restart?: boolean;
}

/** 'start': did not start or does not speak UCI; 'crash': its process ended; 'stall': no answer in time. */
export type FailureKind = 'start' | 'crash' | 'stall';

export class ProcessFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
  }
}

export interface ProcessListener {
  onOutput: (chunk: string) => void;
  onErrorOutput: (chunk: string) => void;
  /** The process did not start ('start') or has ended ('crash'). */
  onEnd: (kind: 'start' | 'crash', message: string) => void;
}

const QUIT_MS = 2_000;

// Running engines, which are killed when this process exits. If it is killed with kill -9, their stdin closes, which ends UCI engines.
const running = new Set<EngineProcess>();
process.on('exit', () => {
  for (const engine of running) engine.kill();
});

export class EngineProcess {
  private readonly child: ChildProcess;
  private readonly pipes: EnginePipes;
  private readonly exited: Promise<unknown>;

  constructor(spec: EngineSpec, { onOutput, onErrorOutput, onEnd }: ProcessListener) {
    // The engine has its own session, so Ctrl-C reaches only the match. Otherwise the engine would end too, and lose by a crash
    this.pipes = enginePipes();
    const { command, args, folder, processors } = spec;
    const [program, words] =
      processors === undefined ? [command, args] : ['taskset', ['--cpu-list', processors, command, ...args]];
    try {
      this.child = spawn(program, words, { cwd: folder, detached: true, stdio: this.pipes.stdio });
    } catch (error) {
      // Node throws some errors synchronously, such as the one for a busy program file
      this.pipes.end();
      throw new ProcessFailure('start', startProblem(error as Error));
    }
    running.add(this);
    this.child.on('error', (error) => onEnd('start', startProblem(error)));
    this.exited = new Promise((resolve) => this.child.once('exit', resolve).once('error', resolve));
    const stderr = this.child.stderr as ChildProcess['stderr'] | undefined;
    // Without free descriptors, Node creates no streams and reports an error later
    if (stderr === null || stderr === undefined) return;
    const outputEnd = new Promise<void>((resolve) => this.pipes.connect(this.child, onOutput, resolve));
    stderr.on('error', () => undefined);
    stderr.setEncoding('utf8').on('data', onErrorOutput);
    const ended = (code: number | null, signal: string | null): void => {
      // The engine's children may outlive it and keep this process running through the pipes that they inherited
      this.kill();
      this.pipes.end();
      onEnd('crash', signal === null ? `ended with exit code ${code}` : `ended by ${signal}`);
    };
    // ended() is called after the last output, or soon after the exit if a surviving child keeps the pipes open
    this.child.on('close', (code, signal) => void outputEnd.then(() => ended(code, signal)));
    this.child.on('exit', (code, signal) => setTimeout(() => ended(code, signal), 200).unref());
  }

  /** Writes to the process, if it is still reading. */
  send(text: string): void {
    this.pipes.write(text);
  }

  /** Closes the input and waits for the end of the process. Kills the process after a timeout. */
  async quit(): Promise<void> {
    if (!running.has(this)) return;
    this.pipes.end();
    const timer = setTimeout(() => this.kill(), QUIT_MS);
    await this.exited;
    clearTimeout(timer);
  }

  /** Kills the process and its children. */
  kill(): void {
    if (running.delete(this)) killGroup(this.child);
  }
}

function startProblem(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'no such program, or no such working folder';
  return error.code === 'EACCES' ? 'not an executable file' : error.message;
}
