// GameKind: detector and reader of a kind of game file. file-kind.ts lists the kinds.

import { noProblems, type Problems } from '../common/errors.js';
import type { Tags } from '../notation/tags.js';
import type { GameRecord } from './record.js';

export interface GameKind {
  /** Name in messages. */
  name: string;
  /** File extensions, used if the content does not determine the kind. */
  endings: readonly string[];
  /** Whether a binary file with these first bytes is of this kind. */
  hasHead?(head: Uint8Array): boolean;
  /** Whether a line (neither blank nor a comment) identifies a text file of this kind. Text files may be compressed. */
  hasLine?(line: string): boolean;
  /** Iterates the usable games; reports the others and the format. Throws a RecordError for damage, a UserError for an unreadable file. */
  read(file: string, report: ReadReport): Iterable<SourcedGame> | AsyncIterable<SourcedGame>;
}

/** A usable game and its source. */
export interface SourcedGame extends GameRecord {
  /** Number of leading book moves. */
  bookPlies: number;
  file: string;
  /** Number of the game in its file, from 0. Excluded games count; unreadable ones do not. */
  index: number;
  /** Tags of a PGN game. */
  tags?: Tags;
}

/** Counts of read and excluded games; updated during reading. */
export interface ReadReport {
  games: number;
  /** Excluded games by reason (`unfinished`, `time`, `variant Atomic`, …). */
  excluded: Record<string, number>;
  /** Files by detected format (`PGN, gzip, UTF-8, LF`, …). */
  formats: Record<string, number>;
  /** Repairs of games by kind (`result from the tag`, …). */
  repairs: Record<string, number>;
  /** Unknown Termination tags, whose games are used. */
  terminations: Record<string, number>;
  /** Games that could not be read, by file:line (in shards, file:game number). */
  problems: Problems;
}

/** Returns an empty report. */
export function newReadReport(): ReadReport {
  return { games: 0, excluded: {}, formats: {}, repairs: {}, terminations: {}, problems: noProblems() };
}
