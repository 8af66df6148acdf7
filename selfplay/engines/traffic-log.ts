// A log of all input and output of the engines of a run: one line each with the time, the engine and its process.

import { closeSync, openSync, writeSync } from 'node:fs';
import { attempt } from '../common/errors.js';
import type { TranscriptMark } from './transcript.js';

/** Adds input or output, in pieces of any length. */
export type TrafficSink = (mark: TranscriptMark, text: string) => void;

export class TrafficLog {
  private readonly file: string;
  private readonly fd: number;
  private processes = 0;

  /** Appends to the file; throws a UserError if it cannot be written. */
  constructor(file: string) {
    this.file = file;
    this.fd = attempt(`cannot write ${file}`, () => openSync(file, 'a'));
  }

  /** Returns the sink of a new process of the engine. */
  sinkOf(engine: string): TrafficSink {
    const name = `${engine}#${++this.processes}`;
    const open = { '>': '', '<': '', '!': '' };
    return (mark, text) => {
      const lines = (open[mark] + text).split('\n');
      open[mark] = lines.pop() ?? '';
      const time = new Date().toISOString().slice(0, -1);
      const whole = lines.map((line) => `${time} ${name} ${mark} ${line.replace(/\r$/, '')}\n`).join('');
      if (whole !== '') attempt(`cannot write ${this.file}`, () => writeSync(this.fd, whole));
    };
  }

  close(): void {
    closeSync(this.fd);
  }
}
