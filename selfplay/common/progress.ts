// Progress of long work on the terminal: a bar on a terminal, otherwise a line every ten seconds.

import { Presets, SingleBar } from 'cli-progress';

export interface ProgressDisplay {
  /** Shows that `value` units are done, with a word on how things stand. */
  update: (value: number, status: string) => void;
  /** Ends the display; what is printed next begins on a line of its own. */
  stop: () => void;
}

const LINE_EVERY_MS = 10_000;

/** Returns a progress display on stderr for work of `total` units. */
export function showProgress(label: string, total: number): ProgressDisplay {
  return process.stderr.isTTY === true ? barProgress(label, total) : lineProgress(label, total);
}

function barProgress(label: string, total: number): ProgressDisplay {
  const bar = new SingleBar(
    {
      format: `${label} {bar} {value}/{total} | {status} | ETA {eta_formatted}`,
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { status: '' });
  return {
    update: (value, status) => bar.update(value, { status }),
    stop: () => bar.stop(),
  };
}

function lineProgress(label: string, total: number): ProgressDisplay {
  const startedAt = performance.now();
  let shownAt = startedAt;
  let firstValue: number | null = null;
  return {
    update(value, status) {
      firstValue ??= value - 1;
      const now = performance.now();
      if (now - shownAt < LINE_EVERY_MS) return;
      shownAt = now;
      const left = ((now - startedAt) / 1000 / Math.max(1, value - firstValue)) * (total - value);
      process.stderr.write(`${label} ${value}/${total} | ${status} | ETA ${Math.round(left)} s\n`);
    },
    stop() {},
  };
}
