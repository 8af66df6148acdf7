// readTimes() and timed(): the wall-clock and CPU time of each generation, in times.json. Times differ between runs with the same seed, so
// they are not part of the ledger.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { sealedJson, unsealedJson } from '../../selfplay/common/run-files.js';
import type { GenerationEntry } from './settings.js';

export interface Spent {
  /** Wall-clock seconds. */
  wall: number;
  /** CPU seconds, including engines and threads; null if the system does not report the times of child processes. */
  cpu: number | null;
}

/** Clock ticks per second in /proc on Linux. */
const TICKS = 100;

const fileIn = (folder: string): string => join(folder, 'times.json');

/** Returns the known times of a loop by generation, summed across interruptions. The time of a killed process is lost. */
export function readTimes(folder: string): Partial<Record<number, Spent>> {
  try {
    return unsealedJson(readFileSync(fileIn(folder), 'utf8')) as ReturnType<typeof readTimes>;
  } catch {
    return {};
  }
}

/** Runs `work`, and adds its time to the generation's time even if it fails. */
export async function timed<Result>(folder: string, generation: number, work: () => Promise<Result>): Promise<Result> {
  const [wall, cpu] = [performance.now(), processorSeconds()];
  try {
    return await work();
  } finally {
    const times = readTimes(folder);
    const before = times[generation] ?? { wall: 0, cpu: 0 };
    times[generation] = {
      wall: before.wall + (performance.now() - wall) / 1000,
      cpu: sum(before.cpu, difference(processorSeconds(), cpu)),
    };
    writeFileAtomic(fileIn(folder), `${sealedJson(times, 2)}\n`);
  }
}

/** Returns the total time of the generations, or null if any is unknown. */
export function totalOf(generations: readonly (Spent | undefined)[]): Spent | null {
  return generations.reduce<Spent | null>(
    (total, one) =>
      total === null || one === undefined ? null : { wall: total.wall + one.wall, cpu: sum(total.cpu, one.cpu) },
    { wall: 0, cpu: 0 },
  );
}

/** The folder of a loop, and the generations whose times it must have. */
export interface TimedLoop {
  path: string;
  generations: readonly Pick<GenerationEntry, 'generation'>[];
}

/** Returns the CPU hours in the folders of loops, or null if the CPU time of any generation is unknown, for example in a damaged file. */
export function cpuHoursIn(loops: readonly TimedLoop[]): number | null {
  const times = loops.flatMap(({ path, generations }) => {
    const known = readTimes(path);
    const isWhole = generations.every(({ generation }) => known[generation] !== undefined);
    return isWhole ? Object.values(known) : [undefined];
  });
  const cpu = totalOf(times)?.cpu ?? null;
  return cpu === null ? null : Number((cpu / 3600).toFixed(2));
}

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
const difference = (a: number | null, b: number | null): number | null => sum(a, b === null ? null : -b);

/** Returns the CPU seconds of this process and its ended child processes, or null if the system does not report the latter. */
function processorSeconds(): number | null {
  const { user, system } = process.cpuUsage();
  try {
    // proc(5): field 3 follows the program name in brackets, and fields 16 and 17 are the times of ended children
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return null;
  }
}
