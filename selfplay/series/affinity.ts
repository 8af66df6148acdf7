// Processors for games: with --affinity each game at a time has its own, through util-linux's taskset. Engines of one game share
// them, for only one of them thinks; with pondering each has its own number of them.

import { readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UserError } from '../common/errors.js';
import type { SeriesSettings } from './series-settings.js';

/** Returns the processors of each game at a time as taskset takes them, such as `0,1`; UserError when there are too few. */
export function processorsOf({ engines, workers }: Pick<SeriesSettings, 'engines' | 'workers'>): string[] {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const hasTaskset = places.some((place) => statSync(join(place, 'taskset'), { throwIfNoEntry: false }) !== undefined);
  if (process.platform !== 'linux' || !hasTaskset) throw new UserError('--affinity needs Linux and its taskset', 2);
  const processors = allowedProcessors(readFileSync('/proc/self/status', 'utf8'));
  const threads = engines.map(({ spec }) => Number(threadsOf(spec.options)));
  const size = Math.max(...threads) * (engines.some(({ limits }) => limits.ponder === true) ? 2 : 1);
  if (size * workers <= processors.length) {
    return Array.from({ length: workers }, (_, game) => processors.slice(size * game, size * (game + 1)).join(','));
  }
  throw new UserError(
    `--affinity: ${workers} games at a time need ${size * workers} processors, there are ${processors.length}; give fewer --workers`,
    2,
  );
}

function threadsOf(options: Record<string, string>): string {
  return Object.entries(options).find(([name]) => name.toLowerCase() === 'threads')?.[1] ?? '1';
}

/** Returns the numbers of the processors that a process may use, from its `/proc/PID/status`. */
export function allowedProcessors(status: string): number[] {
  const ranges = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1]?.split(',') ?? [];
  return ranges.flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
