// traceWith(): rows from another engine's program. The program prints two header lines, then a row or `skip` for each position that it
// reads. Several processes share the positions; a process that fails or stalls is restarted at the first unanswered position.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { UserError } from '../../selfplay/common/errors.js';
import { splitWords } from '../../selfplay/common/options.js';
import { killGroup } from '../../selfplay/common/program.js';
import { RowBuilder } from './builder.js';
import { type ColumnName, type GivenModel, parseColumnLine, readHeader } from './header.js';
import { eachLine, RowLine } from './line.js';

/** Columns that the program may print. Results, scores and games come from the tuner; `fen` is compared with the requested position. */
const ALLOWED: readonly ColumnName[] = ['fen', 'phase', 'scale', 'rest', 'eval', 'row'];
const REQUIRED: readonly ColumnName[] = ['phase', 'row'];
/** Line that the program prints for a position without a row. */
const SKIP = 'skip';
const PATIENCE_MS = 10_000;
/** Time limit in ms for the program's exit after its last answer. */
const LAST_MS = 500;
const RESTARTS = 20;

const running = new Set<ChildProcessWithoutNullStreams>();
process.on('exit', () => running.forEach(kill));

/** The program's header. */
export interface Head {
  lines: readonly string[];
  source: GivenModel;
  columns: readonly ColumnName[];
}

/** Rows in the order of the positions. `hasRow` is 1 for each position with a row. */
export interface ProgramRows {
  rows: RowBuilder;
  hasRow: Uint8Array;
}

export interface TraceSettings {
  command: string;
  workers: number;
  patienceMs?: number;
  signal?: AbortSignal | undefined;
  onRows?: (rows: number) => void;
}

/** Error of a process that ended prematurely or stalled. */
class Failure extends Error {}

/** Starts the program and returns its header. Throws a UserError if there is none. */
export async function readHead({
  command,
  patienceMs = PATIENCE_MS,
}: Pick<TraceSettings, 'command' | 'patienceMs'>): Promise<Head> {
  let head: Head | null = null;
  const lines: string[] = [];
  try {
    await converse(command, patienceMs, [], (bytes, from, to) => {
      lines.push(bytes.toString('utf8', from, to));
      if (lines.length < 2) return true;
      head = headOf(command, lines);
      return false;
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new UserError(
      `--trace ${command}: ${error.message} before the two lines of its header; docs/any-engine.md describes them`,
    );
  }
  return head ?? headOf(command, lines);
}

function headOf(command: string, lines: readonly string[]): Head {
  const place = `--trace ${command}, line`;
  if (lines.length === 0)
    throw new UserError(`--trace ${command}: the output has no header; docs/any-engine.md describes its two lines`);
  const source = readHeader(lines[0], `${place} 1`);
  return { lines, source, columns: parseColumnLine(lines[1] ?? '', `${place} 2`, REQUIRED, ALLOWED) };
}

/** Returns the program's rows for the positions. A fault in one process ends all processes and throws a UserError. */
export async function traceWith(head: Head, fens: readonly string[], settings: TraceSettings): Promise<ProgramRows> {
  const parts = Math.max(1, Math.min(settings.workers, fens.length));
  const shares = Array.from({ length: parts }, (_, part) =>
    fens.slice(Math.floor((fens.length * part) / parts), Math.floor((fens.length * (part + 1)) / parts)),
  );
  let done = 0;
  const onRow = (): void => settings.onRows?.(++done);
  const stop = new AbortController();
  const signal = AbortSignal.any(settings.signal === undefined ? [stop.signal] : [settings.signal, stop.signal]);
  setMaxListeners(0, signal); // one for each process
  const tracing = shares.map((share) => traceShare(head, share, { ...settings, signal }, onRow));
  const all = await Promise.all(tracing).finally(() => stop.abort());
  const rows = new RowBuilder();
  for (const part of all) rows.addAll(part.rows);
  return { rows, hasRow: Uint8Array.from(all.flatMap(({ hasRow }) => [...hasRow])) };
}

/** Traces the positions with one process at a time. */
async function traceShare(
  head: Head,
  fens: readonly string[],
  settings: TraceSettings,
  onRow: () => void,
): Promise<ProgramRows> {
  const { command, signal, patienceMs = PATIENCE_MS } = settings;
  const line = new RowLine(head.source, head.columns);
  const rows = new RowBuilder();
  const hasRow = new Uint8Array(fens.length);
  let answered = 0;
  for (let starts = 0; answered < fens.length; starts++) {
    const before = answered;
    let printed = 0;
    try {
      await converse(
        command,
        patienceMs,
        fens.slice(answered),
        (bytes, from, to) => {
          printed++;
          if (printed <= 2) {
            if (bytes.toString('utf8', from, to) === head.lines[printed - 1]) return true;
            throw new UserError(
              `--trace ${command}: line ${printed} of the output differs from run to run; print the same header each time`,
            );
          }
          if (answered === fens.length)
            throw new UserError(`--trace ${command}: the program printed extra lines; print one line per position`);
          if (to - from !== SKIP.length || bytes.toString('latin1', from, to) !== SKIP) {
            line.read(bytes, from, to, () => `--trace ${command}, at ${fens[answered]}`);
            if (line.fen !== '' && line.fen !== fens[answered])
              throw new UserError(
                `--trace ${command}: the program printed a row for ${line.fen} instead of ${fens[answered]}; print one line for each position, in the order given, with its FEN unchanged`,
              );
            rows.add(line);
            hasRow[answered] = 1;
          }
          answered++;
          onRow();
          return answered < fens.length ? true : 'last';
        },
        signal,
      );
      if (answered === fens.length) break;
      // Any line may be the missing one, so rows may have been assigned to the wrong positions
      throw new UserError(
        `--trace ${command}: the program printed too few lines (${fens.length - answered} missing); print a row or 'skip' for each position`,
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // A process without any answer is restarted only if it was the first one
      if ((answered > before || starts === 0) && starts < RESTARTS) continue;
      throw new UserError(
        `--trace ${command}: ${error.message} at ${fens[answered]}; print a line for each position, and flush it`,
      );
    }
  }
  return { rows, hasRow };
}

/** Called with a line of output. The result false kills the process; after `last`, it has LAST_MS to end. */
type OnLine = (bytes: Buffer, from: number, to: number) => boolean | 'last';

/** Runs the program once with these input lines, to the end of its output. Throws a Failure if it ends prematurely or stalls. */
async function converse(
  command: string,
  patienceMs: number,
  input: readonly string[],
  onLine: OnLine,
  signal?: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = splitWords(command);
  if (program === '') throw new UserError('--trace needs a command, such as ./engine trace', 2);
  // The command gets its own process group, because it may be a script that starts the program
  const child = spawn(program, args, { stdio: 'pipe', detached: true });
  running.add(child);
  let complaint = '';
  let problem: unknown = null;
  let isDone = false;
  let written = false;
  let rest: Buffer = Buffer.alloc(0);
  const stop = (error: unknown): void => {
    problem ??= error;
    kill(child);
  };
  let timer = setTimeout(() => {}, 0);
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stop(new Failure(`the program printed nothing for ${patienceMs / 1000} s`)), patienceMs);
  };
  const finish = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isDone = true;
      kill(child);
    }, LAST_MS);
  };
  wait();
  const onAbort = (): void => stop(new UserError('interrupted while tracing: nothing has been fitted', 130));
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort);
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-400);
  });
  child.stdin.on('error', () => {}); // the process has ended; its exit code is reported instead
  child.stdout.on('data', (chunk: Buffer) => {
    if (isDone || problem !== null) return;
    wait();
    try {
      rest = eachLine(rest, chunk, (bytes, from, to) => {
        const goesOn = onLine(bytes, from, to);
        isDone = goesOn === false;
        if (goesOn === 'last') finish();
        return !isDone;
      });
    } catch (error) {
      stop(error);
    }
    if (isDone) kill(child);
  });
  const closed = once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'no such program' : error.message;
    problem ??= new UserError(`--trace ${command}: ${reason}; give the command as you would type it`);
    return [null, null];
  });
  const write = async (): Promise<void> => {
    for (const text of input) {
      if (child.exitCode !== null || child.signalCode !== null || problem !== null) return;
      if (!child.stdin.write(`${text}\n`)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), closed]);
    }
    child.stdin.end();
    written = true;
  };
  await Promise.all([input.length > 0 ? write() : Promise.resolve(), closed]);
  clearTimeout(timer);
  running.delete(child);
  signal?.removeEventListener('abort', onAbort);
  if (problem !== null) throw problem;
  if (isDone || (child.exitCode === 0 && written)) return;
  const why = child.signalCode === null ? `exit code ${child.exitCode}` : child.signalCode;
  const said = complaint.trim().split('\n').at(-1) ?? '';
  throw new Failure(`the program ended with ${why}${said === '' ? '' : ` (${said})`}`);
}

// Kills the process and its children, and closes the pipes, which a surviving child would keep open
function kill(child: ChildProcessWithoutNullStreams): void {
  killGroup(child);
  child.stdout.destroy();
  child.stderr.destroy();
}
