// The pipes to and from an engine. Node's own pipes are sockets with streams, which take an eighth of the runner's time at a few hundred
// nodes per move. Named pipes are therefore used where available. They are written synchronously and read into a single buffer.

import { type ChildProcess, execFileSync, type StdioOptions } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { removeLeftovers } from '../common/folder-lock.js';

/** Input and output of an engine; its error output is always a stream. */
export interface EnginePipes {
  /** The `stdio` option for starting the process; call `connect` afterwards. */
  readonly stdio: StdioOptions;
  /** Calls `onOutput` with each chunk of output, and `onEnd` at its end. */
  connect(child: ChildProcess, onOutput: (chunk: string) => void, onEnd: () => void): void;
  /** Writes to the process, if it is still reading. */
  write(text: string): void;
  /** Closes the process's input. */
  end(): void;
}

/** Returns the pipes for an engine about to start. */
export function enginePipes(): EnginePipes {
  if (process.platform === 'win32') return new StreamPipes();
  try {
    return new NamedPipes();
  } catch {
    // There is no mkfifo, no space in the temporary folder or no free descriptor
    return new StreamPipes();
  }
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
/** Delay in ms before the next attempt to write to a full pipe. */
const RETRY_MS = 2;
const NOTHING = Buffer.alloc(0);
/** Whether the pipes of killed processes have been removed. */
let isSwept = false;
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

class NamedPipes implements EnginePipes {
  readonly stdio: StdioOptions;
  private readonly engineEnds: [input: number, output: number];
  private input: number;
  private readonly output: number;
  private unwritten: Buffer = NOTHING;
  private timer: NodeJS.Timeout | null = null;

  constructor() {
    if (!isSwept) removeLeftovers(tmpdir(), /^heft-engine-(\d+)-/, true);
    isSwept = true;
    const folder = mkdtempSync(join(tmpdir(), `heft-engine-${process.pid}-`));
    const opened: number[] = [];
    try {
      const [input, output] = [join(folder, 'input'), join(folder, 'output')];
      execFileSync('mkfifo', [input, output]);
      openPipe(opened, input, O_RDONLY, O_WRONLY | O_NONBLOCK);
      openPipe(opened, output, O_RDONLY | O_NONBLOCK, O_WRONLY);
    } catch (error) {
      for (const fd of opened) closeSync(fd);
      throw error;
    } finally {
      rmSync(folder, { recursive: true });
    }
    const [engineInput, ourInput, ourOutput, engineOutput] = opened;
    this.engineEnds = [engineInput, engineOutput];
    this.input = ourInput;
    this.output = ourOutput;
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
      fd: this.output,
      writable: false,
      onread: { buffer, callback: take },
    };
    new Socket(options)
      .on('error', () => undefined)
      .on('close', onEnd)
      .resume();
  }

  write(text: string): void {
    if (this.input < 0) return;
    const bytes = Buffer.from(text);
    this.unwritten = this.unwritten.length === 0 ? bytes : Buffer.concat([this.unwritten, bytes]);
    if (this.timer === null) this.flush();
  }

  end(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.input >= 0) closeSync(this.input);
    this.input = -1;
  }

  // A full pipe accepts part of the text or none; the rest is written later
  private flush(): void {
    this.timer = null;
    try {
      while (this.unwritten.length > 0) {
        this.unwritten = this.unwritten.subarray(writeSync(this.input, this.unwritten));
      }
    } catch (error) {
      // Other errors mean that the engine has ended, which is handled elsewhere
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN')
        this.timer = setTimeout(() => this.flush(), RETRY_MS).unref();
      else this.unwritten = NOTHING;
    }
  }
}

// Opens both ends of a named pipe and adds them to `opened`. Opening one end blocks until the other end is open, so `both` is opened first
function openPipe(opened: number[], path: string, readFlags: number, writeFlags: number): void {
  const both = openSync(path, 'r+');
  try {
    opened.push(openSync(path, readFlags));
    opened.push(openSync(path, writeFlags));
  } finally {
    closeSync(both);
  }
}
