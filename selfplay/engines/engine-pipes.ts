// The pipes to and from an engine. Node's own are sockets behind streams; at a few hundred nodes a move those are an eighth of what
// the runner costs, so where there are named pipes an engine is given such, written to at once and read into one buffer.

import { type ChildProcess, execFileSync, type StdioOptions } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/** What an engine's input and output are connected to; its error output is always a stream. */
export interface EnginePipes {
  /** What to start the process with; then comes `connect`. */
  readonly stdio: StdioOptions;
  /** Calls back with the output, and at its end. */
  connect(child: ChildProcess, onOutput: (chunk: string) => void, onEnd: () => void): void;
  /** Writes to the process, if it still listens. */
  write(text: string): void;
  /** Closes the process's input. */
  end(): void;
}

/** Returns the pipes for an engine that is going to be started. */
export function enginePipes(): EnginePipes {
  return process.platform === 'win32' ? new StreamPipes() : new NamedPipes();
}

class StreamPipes implements EnginePipes {
  readonly stdio: StdioOptions = 'pipe';
  private child: ChildProcess | null = null;

  connect(child: ChildProcess, onOutput: (chunk: string) => void, onEnd: () => void): void {
    this.child = child;
    for (const stream of [child.stdin!, child.stdout!]) stream.on('error', () => undefined);
    child.stdout!.setEncoding('utf8').on('data', onOutput).on('close', onEnd);
  }

  write(text: string): void {
    if (this.child?.stdin?.writable === true) this.child.stdin.write(text);
  }

  end(): void {
    this.child?.stdin?.end();
  }
}

const BUFFER_SIZE = 1 << 16;
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

class NamedPipes implements EnginePipes {
  readonly stdio: StdioOptions;
  private readonly engineEnds: [input: number, output: number];
  private input: number;
  private readonly output: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'heft-engine-'));
    try {
      const [input, output] = [join(folder, 'input'), join(folder, 'output')];
      execFileSync('mkfifo', [input, output]);
      const [engineInput, ourInput] = openPipe(input, O_RDONLY, O_WRONLY | O_NONBLOCK);
      const [ourOutput, engineOutput] = openPipe(output, O_RDONLY | O_NONBLOCK, O_WRONLY);
      this.engineEnds = [engineInput, engineOutput];
      this.input = ourInput;
      this.output = ourOutput;
    } finally {
      rmSync(folder, { recursive: true });
    }
    this.stdio = [...this.engineEnds, 'pipe'];
  }

  connect(_: ChildProcess, onOutput: (chunk: string) => void, onEnd: () => void): void {
    for (const end of this.engineEnds) closeSync(end);
    const buffer = Buffer.allocUnsafe(BUFFER_SIZE);
    const decoder = new StringDecoder('utf8');
    const take = (length: number): boolean => {
      onOutput(decoder.write(buffer.subarray(0, length)));
      return true;
    };
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      ...{ fd: this.output, writable: false },
      onread: { buffer, callback: take },
    };
    new Socket(options)
      .on('error', () => undefined)
      .on('close', onEnd)
      .resume();
  }

  write(text: string): void {
    if (this.input < 0) return;
    try {
      writeSync(this.input, text);
    } catch {
      // It has ended, or left so much unread that it will not answer any more: both show elsewhere
    }
  }

  end(): void {
    if (this.input >= 0) closeSync(this.input);
    this.input = -1;
  }
}

// Opening one end waits for the other, unless both are there.
function openPipe(path: string, readFlags: number, writeFlags: number): [read: number, write: number] {
  const both = openSync(path, 'r+');
  const ends: [number, number] = [openSync(path, readFlags), openSync(path, writeFlags)];
  closeSync(both);
  return ends;
}
