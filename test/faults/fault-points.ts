// Lets each call of a small run fail in turn, and judges what is left: a run that ends with 0 has the results of an undisturbed one, any other
// ends with one line; the same command then continues to these results, or says in one line what is damaged.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { resultsOf, type SmallRun } from './small-runs.js';

const INJECTION = new URL('../support/fault-injection.mjs', import.meta.url).href;
const HANGS_MS = 240_000;

/** One call that fails, and how. */
export interface FaultPoint {
  call: string;
  at: number;
  error: string;
  in: 'main' | 'worker';
}

/** How each call may fail: `short` writes a part, `thrown` is a thread that fails while it loads. */
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
  private expected: Record<string, string> = {};

  /** The folder is for the runs alone; `data` holds self-play games. */
  constructor(run: SmallRun, scratch: string, data: string) {
    this.run = run;
    this.scratch = scratch;
    this.data = data;
    mkdirSync(scratch, { recursive: true });
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

  /** Returns every point at which the run can be made to fail; makes the undisturbed run. */
  async points(): Promise<FaultPoint[]> {
    const counts = join(this.scratch, 'counts');
    rmSync(this.out, { recursive: true, force: true });
    rmSync(counts, { force: true });
    const { code, stderr } = await this.start({ HEFT_FAULT_COUNTS: counts });
    if (code !== 0) throw new Error(`${this.run.name}: exit code ${code}: ${stderr}`);
    this.expected = resultsOf(this.run, this.out);
    const lines = readFileSync(counts, 'utf8').trim().split('\n');
    return lines.flatMap((line) => {
      const { where, counts } = JSON.parse(line) as { where: 'main' | 'worker'; counts: Record<string, number> };
      return Object.entries(counts).flatMap(([call, count]) =>
        Array.from({ length: count }, (_, i) =>
          (ERRORS[call] ?? ['EIO']).map((error) => ({ call, at: i + 1, error, in: where })),
        ).flat(),
      );
    });
  }

  private get isAsExpected(): boolean {
    return JSON.stringify(resultsOf(this.run, this.out)) === JSON.stringify(this.expected);
  }

  /** Returns what went wrong with the fault, or null. */
  async faultAt(point: FaultPoint): Promise<string | null> {
    rmSync(this.out, { recursive: true, force: true });
    const fired = join(this.scratch, 'fired');
    rmSync(fired, { force: true });
    const first = await this.start({ HEFT_FAULT: JSON.stringify(point), HEFT_FAULT_FIRED: fired });
    const name = `${this.run.name} ${point.in} ${point.call} ${point.at} ${point.error}`;
    // How often some files are written depends on the time
    if (!existsSync(fired)) return null;
    const wrong = faultOf(first) ?? (first.code === 0 && !this.isAsExpected ? 'exit code 0 with other results' : null);
    if (wrong !== null) return `${name}: ${wrong}`;
    if (first.code === 0) return null;
    const again = await this.start();
    const left = faultOf(again) ?? (again.code === 0 && !this.isAsExpected ? 'exit code 0 with other results' : null);
    if (left !== null) return `${name}: repeated: ${left}`;
    return again.code === 0 ? null : `${name}: not continued: ${again.stderr.trim()}`;
  }
}

/** Returns what is wrong with the end of a process: a hang, or an error that is more than one line. */
function faultOf({ code, stderr }: Ended): string | null {
  if (code === null) return `no end: ${stderr}`;
  if (/^\s+at /m.test(stderr)) return `a stack trace: ${stderr.slice(0, 600)}`;
  if (code !== 0 && stderr.split('\n').filter((line) => line.startsWith('error:')).length !== 1)
    return `no error line: ${stderr}`;
  return null;
}
