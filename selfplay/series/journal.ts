// The journal of a run has one JSON line for each finished game. Each line is written and synced at once, so a killed run or a power cut
// loses only the games in progress. The first line contains the identity of the run, and each line ends with its checksum. A partial last
// line is removed. Any other damage is an error.

import { closeSync, existsSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { AppendedFile } from '../common/appended-file.js';
import { attempt, UserError } from '../common/errors.js';
import { makeFolder } from '../common/files.js';
import { lockFolder } from '../common/folder-lock.js';
import { type Identity, refuseOtherRun, sealedJson, unsealedJson } from '../common/run-files.js';
import type { CountedGame, OptionsSet } from './events.js';

export const JOURNAL = 'games.jsonl';

/** A finished game, its number in the schedule, and the run's playing time in seconds at its end. */
export type JournalEntry = Pick<CountedGame, 'index' | 'seconds' | 'game'>;

/** Facts fixed by the first game of a run. */
export interface RunHead {
  /** The engines' names in the run. */
  names: string[];
  /** The names from `id name`. */
  ids: string[];
  /** The options that were set, by engine. */
  options: OptionsSet[];
  /** Start date of the run in PGN's format. */
  date: string;
}

const CHUNK = 1 << 20;
const NEWLINE = 10;

/** The entries of a match are games. Other runs have their own types of entries and head. */
export class Journal<Entry extends object = JournalEntry, Head extends object = RunHead> {
  private readonly file: string;
  private readonly unlock: () => void;
  private entries: AppendedFile | undefined;

  /** Locks the folder of the journal, creating it if necessary; throws a UserError if it is in use. */
  constructor(
    private readonly folder: string,
    private readonly identity: Identity,
    private readonly kind = 'match',
  ) {
    this.file = join(folder, JOURNAL);
    makeFolder(folder);
    this.unlock = lockFolder(folder);
  }

  /**
   * Calls the functions with the head and each entry of an interrupted run, in order. Removes a partial last line. Throws a UserError for
   * another run or a damaged line, before the first call.
   */
  resume(onHead: (head: Head) => void, onEntry: (entry: Entry) => void): void {
    if (!existsSync(this.file)) return;
    const fd = attempt(`cannot open ${this.file}`, () => openSync(this.file, 'r+'));
    // The whole journal is checked first: a continued run overwrites its other files, which may have the only copy of a damaged game
    let checked = 0;
    readLines(fd, (text) => {
      const value = this.parse(text, ++checked);
      if (checked === 1) this.checkedHead(value as Head);
    });
    let line = 0;
    const end = readLines(fd, (text) => {
      const value = this.parse(text, ++line);
      if (line === 1) onHead(this.checkedHead(value as Head));
      else onEntry(value as Entry);
    });
    // Without this check, the repair would empty a file of another program
    if (end === 0) this.checkPartialHead(fd);
    ftruncateSync(fd, end);
    closeSync(fd);
    if (line > 0) this.entries = new AppendedFile(this.file);
  }

  /** Appends an entry. In a new run, the head precedes the first entry. */
  append(entry: Entry, head: Head): void {
    const isFirst = this.entries === undefined;
    const lines = [...(isFirst ? [{ [this.kind]: 1, identity: this.identity, ...head }] : []), entry];
    this.entries ??= new AppendedFile(this.file);
    this.entries.append([lines.map((line) => `${sealedJson(line)}\n`).join('')]);
  }

  /** Closes the file and unlocks the folder. */
  close(): void {
    this.entries?.close();
    this.entries = undefined;
    this.unlock();
  }

  private parse(text: string, line: number): unknown {
    try {
      return unsealedJson(text);
    } catch {
      const remedy =
        line === 1 || this.kind !== 'match'
          ? 'choose another folder, or delete this one'
          : 'remove it to play its game again';
      throw new UserError(`${this.file}:${line}: damaged line; ${remedy}`);
    }
  }

  private checkedHead(header: Head): Head {
    const { [this.kind]: version, identity } = header as Record<string, unknown>;
    if (version !== 1) throw this.otherFile();
    refuseOtherRun(this.folder, this.kind, identity as Identity, this.identity);
    return header;
  }

  private checkPartialHead(fd: number): void {
    const head = Buffer.from(`{"${this.kind}":1`);
    const begin = Buffer.alloc(head.length);
    const length = readSync(fd, begin, 0, head.length, 0);
    if (!begin.subarray(0, length).equals(head.subarray(0, length))) throw this.otherFile();
  }

  private otherFile(): UserError {
    return new UserError(`${this.file}:1: not the journal of a ${this.kind}; choose another folder`);
  }
}

// Returns the offset after the last complete line.
function readLines(fd: number, onLine: (text: string) => void): number {
  const chunk = Buffer.alloc(CHUNK);
  let rest: Buffer = Buffer.alloc(0);
  let done = 0;
  for (let at = 0; ; ) {
    const length = readSync(fd, chunk, 0, CHUNK, at);
    if (length === 0) return done;
    at += length;
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      onLine(bytes.toString('utf8', start, end));
      done += end + 1 - start;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

/** Reorder buffer that passes on results in the order of their numbers. */
export class Ordered<T> {
  private readonly waiting = new Map<number, T>();
  private next = 0;

  /** `onNext` is called for the numbers 0, 1, 2, … in order, each as soon as its result and all earlier ones are available. */
  constructor(private readonly onNext: (value: T, index: number) => void) {}

  /** Adds a result. Each number may be added only once. */
  add(index: number, value: T): void {
    this.waiting.set(index, value);
    for (let ready = this.waiting.get(this.next); ready !== undefined; ready = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.onNext(ready, this.next++);
    }
  }
}
