// The games of a match as PGN, in the order of the schedule, pair after pair. A continued run writes its files anew from the
// journal, so that they hold every counted game once.

import { closeSync, openSync, writeSync } from 'node:fs';
import { UserError } from './cli.js';
import { type Limits, timeControlTag } from './clock.js';
import type { PlayedGame } from './match-game.js';
import { formatPgn, type PgnInput } from './pgn.js';

export interface PgnTags {
  date: string;
  round: string;
  white: string;
  black: string;
}

const RESULTS = { 0: '0-1', 0.5: '1/2-1/2', 1: '1-0' } as const;

export class PgnFiles {
  private readonly files: string[];
  private descriptors: number[] | null = null;

  /** Nothing is created, and nothing overwritten, before the first game is written. */
  constructor(files: string[]) {
    this.files = files;
  }

  /** Adds a game to all files; `limits` are White's and Black's. Uses the engine's position. Throws a UserError. */
  write(game: PlayedGame, tags: PgnTags, limits: [Limits, Limits]): void {
    if (this.files.length === 0) return;
    this.descriptors ??= this.files.map(create);
    const text = formatPgn(pgnOf(game, tags, limits));
    for (const descriptor of this.descriptors) writeSync(descriptor, text);
  }

  close(): void {
    for (const descriptor of this.descriptors ?? []) closeSync(descriptor);
    this.descriptors = null;
  }
}

function pgnOf(game: PlayedGame, tags: PgnTags, limits: [Limits, Limits]): PgnInput {
  const { times, nodes, offender, result, ...rest } = game;
  const [white, black] = limits.map(timeControlTag);
  return {
    ...rest,
    ...tags,
    event: 'Heft match',
    result: RESULTS[result],
    milliseconds: times,
    ...(white === black ? { timeControl: white } : { tags: { WhiteTimeControl: white, BlackTimeControl: black } }),
  };
}

function create(file: string): number {
  try {
    return openSync(file, 'w');
  } catch (error) {
    throw new UserError(`cannot write ${file}: ${(error as Error).message}`);
  }
}
