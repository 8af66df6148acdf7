// Lets each call of a small run fail in turn and checks the outcome: a run that exits with 0 has the results of an undisturbed one, and any
// other prints one line; the same command then continues to these results.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { resultsOf, type SmallRun } from './small-runs.js';

const INJECTION = new URL('../support/fault-injection.mjs', import.meta.url).href;
const HANGS_MS = 240_000;

/** A call that fails, and its error. */
export interface FaultPoint {
  call: string;
  at: number;
  error: string;
  in: 'main' | 'worker';
  /** Call, error and file, without the numbers in its name. Points of one kind run the same code. */
  kind: string;
}

/** Returns the points, the first of each kind before all others, alternating between calls. */
export function byKind(points: readonly FaultPoint[]): FaultPoint[] {
  const kinds = new Set<string>();
  const ranks = new Map<string, number>();
  const ranked = points.map((point) => {
    const isFirst = kinds.size !== kinds.add(point.kind).size;
    const call = `${isFirst} ${point.call} ${point.error}`;
    const rank = ranks.get(call) ?? 0;
    ranks.set(call, rank + 1);
    return { point, rank: isFirst ? rank : points.length + rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ point }) => point);
}

/** Errors of each call: `short` writes only a part, `thrown` is a thread that fails while it loads. */
const ERRORS: Record<string, readonly string[]> = {
  writeSync: ['ENOSPC', 'short'],
  writeFileSync: ['ENOSPC'],
  appendFileSync: ['ENOSPC'],
  fsyncSync: ['EIO'],
  renameSync: ['EIO'],
  linkSync: ['EIO'],
  ftruncateSync: ['EIO'],
  mkdirSync: ['ENOSPC'],
  openSync: ['EMFILE'],
  spawn: ['EAGAIN'],
  Worker: ['EAGAIN', 'thrown'],
};

interface Ended {
  code: number | string | null;
  stderr: string;
}

export class FaultTrial {
  private readonly run: SmallRun;
  private readonly scratch: string;
  private readonly data: string;
  private readonly begun: string | null;
  private expected: Record<string, string> = {};
  /** Number of points whose fault has occurred. */
  fired = 0;

  /** `scratch` is a folder for these runs only; `data` holds self-play games; `begun` is a run to continue instead of a new one. */
  constructor(run: SmallRun, scratch: string, data: string, begun: string | null = null) {
    this.run = run;
    this.scratch = scratch;
    this.data = data;
    this.begun = begun;
    mkdirSync(scratch, { recursive: true });
  }

  private reset(): void {
    rmSync(this.out, { recursive: true, force: true });
    if (this.begun !== null) cpSync(this.begun, this.out, { recursive: true });
  }

  private start(environment: Record<string, string> = {}): Promise<Ended> {
    const { run, scratch, data } = this;
    const args = ['--import', INJECTION, run.main, ...run.args(this.out, data)];
    const options = { cwd: scratch, timeout: HANGS_MS, env: { ...process.env, ...environment } };
    return new Promise((resolve) => {
      execFile(process.execPath, args, options, (error, _stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? null), stderr }),
      );
    });
  }

  get out(): string {
    return join(this.scratch, 'run');
  }

  /** Runs the command undisturbed and returns every point at which it can be made to fail. */
  async points(): Promise<FaultPoint[]> {
    const counts = join(this.scratch, 'counts');
    this.reset();
    rmSync(counts, { force: true });
    const { code, stderr } = await this.start({ HEFT_FAULT_COUNTS: counts });
    if (code !== 0) throw new Error(`${this.run.name}: exit code ${code}: ${stderr}`);
    this.expected = resultsOf(this.run, this.out);
    const lines = readFileSync(counts, 'utf8').trim().split('\n');
    return lines.flatMap((line) => {
      const { where, calls } = JSON.parse(line) as { where: 'main' | 'worker'; calls: Record<string, string[]> };
      return Object.entries(calls).flatMap(([call, files]) =>
        files.flatMap((file, i) =>
          (ERRORS[call] ?? ['EIO']).map((error) => {
            const name = file.replace(this.out, '').replace(/heft-engine-\d+-\w+|\d+/g, '#');
            const kind = [call, error, where, name].join(' ');
            return { call, at: i + 1, error, in: where, kind };
          }),
        ),
      );
    });
  }

  private get isAsExpected(): boolean {
    return JSON.stringify(resultsOf(this.run, this.out)) === JSON.stringify(this.expected);
  }

  /** Returns the fault of the run with this point, or null. */
  async faultAt(point: FaultPoint): Promise<string | null> {
    this.reset();
    const fired = join(this.scratch, 'fired');
    rmSync(fired, { force: true });
    const first = await this.start({ HEFT_FAULT: JSON.stringify(point), HEFT_FAULT_FIRED: fired });
    const name = `${this.run.name} ${point.kind} (call ${point.at})`;
    // The number of writes to some files depends on timing
    if (!existsSync(fired)) return null;
    this.fired++;
    const wrong = faultOf(first) ?? (first.code === 0 && !this.isAsExpected ? 'exit code 0 with other results' : null);
    if (wrong !== null) return `${name}: ${wrong}`;
    if (first.code === 0) return null;
    const played = journals(this.out);
    const again = await this.start();
    const left = faultOf(again) ?? (again.code === 0 && !this.isAsExpected ? 'exit code 0 with other results' : null);
    if (left !== null) return `${name}: repeated: ${left}`;
    if (again.code !== 0) return `${name}: not continued: ${again.stderr.trim()}`;
    const lost = played.find(({ file, lines }) => !readFileSync(file, 'utf8').startsWith(lines));
    return lost === undefined ? null : `${name}: games of ${lost.file} were played again`;
  }
}

/** Returns the fault in how a process ended: a hang, a stack trace, or not exactly one error line. */
export function faultOf({ code, stderr }: Ended): string | null {
  if (code === null) return `no end: ${stderr}`;
  if (/^\s+at /m.test(stderr)) return `a stack trace: ${stderr.slice(0, 600)}`;
  if (code !== 0 && stderr.split('\n').filter((line) => line.startsWith('error:')).length !== 1)
    return `no error line: ${stderr}`;
  return null;
}

/** Returns the finished games of all matches in the folder, as complete lines with the times at which they were played. */
function journals(folder: string): { file: string; lines: string }[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /games\.jsonl$/.test(name));
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { file: join(folder, name), lines: text.slice(0, text.lastIndexOf('\n') + 1) };
  });
}
