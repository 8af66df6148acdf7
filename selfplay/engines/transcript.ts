// Records the input and output of engines. A transcript has at most the last megabyte of an engine's current game, and is written to a file
// when the engine fails. It stores chunks without splitting or copying them, and drops the oldest chunks beyond the limit. The log
// (`--log`) covers all engines of a run and is never shortened.

import { AppendedFile } from '../common/appended-file.js';

const LIMIT = 1 << 20;
const LONGEST_LINE = 400;

/** '>' to the engine, '<' from it, '!' its error output. */
export type TranscriptMark = '>' | '<' | '!';

interface TranscriptChunk {
  milliseconds: number;
  mark: TranscriptMark;
  text: string;
}

export class Transcript {
  private chunks: TranscriptChunk[] = [];
  private size = 0;
  /** Time of the first chunk, which may have been dropped. */
  private start: number | null = null;

  /** `sink` also receives every chunk. */
  constructor(private readonly sink?: TrafficSink) {}

  /** Stores a piece of input or output. */
  add(mark: TranscriptMark, text: string): void {
    this.sink?.(mark, text);
    const milliseconds = performance.now();
    this.start ??= milliseconds;
    this.chunks.push({ milliseconds, mark, text });
    this.size += text.length;
    if (this.size > LIMIT) this.forget();
  }

  clear(): void {
    this.chunks = [];
    this.size = 0;
    this.start = null;
  }

  /** Returns the transcript as lines with times in seconds; lines received in pieces are joined. */
  format(): string {
    const start = this.start ?? 0;
    const open = { '>': '', '<': '', '!': '' };
    const lines: string[] = [];
    for (const { milliseconds, mark, text } of this.chunks) {
      const whole = (open[mark] + text).split('\n');
      open[mark] = whole.pop() ?? '';
      const stamp = ((milliseconds - start) / 1000).toFixed(3).padStart(9);
      lines.push(...whole.map((line) => `${stamp} ${mark} ${shortened(line)}`));
    }
    for (const mark of ['<', '!'] as const) {
      if (open[mark] !== '') lines.push(`${' '.repeat(9)} ${mark} ${shortened(open[mark])} (no end of line)`);
    }
    return `${lines.join('\n')}\n`;
  }

  // Drops half of the text at a time so that it is rarely called
  private forget(): void {
    let at = 0;
    while (this.size > LIMIT / 2 && at < this.chunks.length) this.size -= this.chunks[at++].text.length;
    this.chunks.splice(0, at);
  }
}

function shortened(line: string): string {
  const text = line.replace(/\r$/, '');
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)}… (${text.length} characters)`;
}

/** Receives input or output in pieces of any length. */
export type TrafficSink = (mark: TranscriptMark, text: string) => void;

/** Logs all input and output of a run's engines, each line with its time, engine and process. */
export class TrafficLog extends AppendedFile {
  /** Unterminated lines of each process, by mark. */
  private readonly open: [TrafficSink, Record<TranscriptMark, string>][] = [];
  private hasFailed = false;

  /** `onFailure` is called once, with the reason, if the log cannot be written. The run then continues without the log. */
  constructor(
    file: string,
    private readonly onFailure: (message: string) => void,
  ) {
    super(file);
  }

  /** Returns the sink of a new process of the engine. */
  sinkOf(engine: string): TrafficSink {
    const name = `${engine}#${this.open.length + 1}`;
    const open = { '>': '', '<': '', '!': '' };
    const sink: TrafficSink = (mark, text) => {
      const lines = (open[mark] + text).split('\n');
      open[mark] = lines.pop() ?? '';
      const time = new Date().toISOString().slice(0, -1);
      const whole = lines.map((line) => `${time} ${name} ${mark} ${line.replace(/\r$/, '')}\n`).join('');
      if (whole !== '') this.keep(whole);
    };
    this.open.push([sink, open]);
    return sink;
  }

  /** Writes the unterminated lines and closes the log. */
  override close(): void {
    for (const [sink, open] of this.open) {
      for (const mark of ['>', '<', '!'] as const) if (open[mark] !== '') sink(mark, '\n');
    }
    super.close();
  }

  private keep(lines: string): void {
    if (this.hasFailed) return;
    try {
      this.write(lines);
    } catch (error) {
      this.hasFailed = true;
      this.onFailure(`--log: logging has stopped: ${(error as Error).message}`);
    }
  }
}
