// RunTimes: how long each generation took, in times.json. It stands apart from the ledger, which the same seed repeats to the byte.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { sealedJson, unsealedJson } from '../../selfplay/common/run-files.js';

export interface Spent {
  /** Seconds by the clock. */
  wall: number;
  /** CPU seconds, including engines and threads; null if the system does not report those of engines. */
  cpu: number | null;
}

/** Ticks of processor time per second on Linux. */
const TICKS = 100;

/** The times of a loop over all its sessions; that of a session which was killed is lost. */
export class RunTimes {
  private readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, 'times.json');
  }

  /** Returns the times of the generations by their numbers, as far as they are known. */
  read(): Partial<Record<number, Spent>> {
    try {
      return unsealedJson(readFileSync(this.file, 'utf8')) as ReturnType<RunTimes['read']>;
    } catch {
      return {};
    }
  }

  /** Does the work of a generation, or some of it, and adds the time that it took. */
  async measure<Result>(generation: number, work: () => Promise<Result>): Promise<Result> {
    const [wall, cpu] = [performance.now(), processorSeconds()];
    try {
      return await work();
    } finally {
      const times = this.read();
      const before = times[generation] ?? { wall: 0, cpu: 0 };
      times[generation] = {
        wall: before.wall + (performance.now() - wall) / 1000,
        cpu: sum(before.cpu, difference(processorSeconds(), cpu)),
      };
      writeFileAtomic(this.file, `${sealedJson(times, 2)}\n`);
    }
  }
}

/** Returns what generations took together; null where that of one is not known. */
export function totalOf(generations: readonly (Spent | undefined)[]): Spent | null {
  return generations.reduce<Spent | null>(
    (total, one) =>
      total === null || one === undefined ? null : { wall: total.wall + one.wall, cpu: sum(total.cpu, one.cpu) },
    { wall: 0, cpu: 0 },
  );
}

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
const difference = (a: number | null, b: number | null): number | null => sum(a, b === null ? null : -b);

/** Returns the processor time of this process and of those that it started and that have ended. */
function processorSeconds(): number | null {
  const { user, system } = process.cpuUsage();
  try {
    // What follows the program's name, which stands in brackets, begins with the third field; the 16th and 17th are those of the children
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return null;
  }
}
