import { addCount } from '../common/wording.js';
// Counts the endings of the games of a series and its repeated pairs, and lists engine failures and remarks such as false mate claims.

import { join } from 'node:path';
import { writeFileAtomic } from '../common/files.js';
import { SeenItems } from '../common/seen.js';
import type { UciEngine } from '../engines/uci-engine.js';
import { MAXIMAL_LENGTH } from '../games/adjudication.js';
import type { CountedGame } from './events.js';
import type { PlayedGame, Termination } from './game.js';

/** A game lost because of an engine failure. */
export interface GameFailure {
  /** Number of the game, from 1. */
  game: number;
  engine: string;
  termination: Termination;
  reason: string;
}

/** Misbehaviour that lost no game, with the number of games in which it occurred and the first of them. */
export interface Remark {
  engine: string;
  text: string;
  games: number;
  game: number;
}

/** Folder within a run's folder for the input and output of failed engines. */
export const TRANSCRIPTS = 'failures';
/** Maximum number of files per engine and session. A file has about 1 MB, and an engine may lose thousands of games on time. */
export const MAX_TRANSCRIPTS = 100;

export class Incidents {
  /** Games by ending. */
  readonly endings: Record<string, number> = {};
  readonly failures: GameFailure[] = [];
  readonly remarks: Remark[] = [];
  /** Pairs that repeat an earlier pair move for move. They are counted, although they add no evidence. */
  repeatedPairs = 0;
  private readonly pairs = new SeenItems();

  /** Adds the next game. */
  count({ game, index, white, black }: CountedGame): void {
    addCount(this.endings, endingOf(game));
    const { offender, termination, reason } = game;
    const names = [white, black];
    if (offender !== undefined) this.failures.push({ game: index + 1, engine: names[offender], termination, reason });
    for (const { side, text } of game.remarks ?? []) this.remark(names[side], text, index + 1);
  }

  /** Adds the next pair; returns whether it is the first one that repeats an earlier pair. */
  countPair(pair: readonly CountedGame[]): boolean {
    const players = pair.map(({ pairing, game }) => `${pairing.white} ${pairing.black} ${game.start}`).join('\n');
    const moves = pair.flatMap(({ game }) => [...game.moves, 0]);
    if (!this.pairs.add(players, moves)) return false;
    this.repeatedPairs++;
    return this.repeatedPairs === 1;
  }

  private remark(engine: string, text: string, game: number): void {
    const known = this.remarks.find((remark) => remark.engine === engine && remark.text === text);
    if (known === undefined) this.remarks.push({ engine, text, games: 1, game });
    else known.games++;
  }
}

function endingOf({ termination, reason, result }: PlayedGame): string {
  if (termination === 'normal') return result === 0.5 ? reason.replace('Draw by ', '') : 'mate';
  if (termination !== 'adjudication') return termination;
  if (result !== 0.5) return 'adjudicated win';
  return reason === MAXIMAL_LENGTH.reason ? 'maximal length' : 'adjudicated draw';
}

export class Transcripts {
  /** Number of files written for each engine in this session. */
  private readonly written: number[] = [];

  /** Without a folder, nothing is written. */
  constructor(private readonly out: string | undefined) {}

  /**
   * Writes the failed engine's input and output during the game to a file in the run's folder, unless this session has written
   * MAX_TRANSCRIPTS files for the engine. `player` is the engine's number. Throws a UserError if the file cannot be written.
   */
  write(game: PlayedGame, index: number, player: number, engine: UciEngine): void {
    if (this.out === undefined || (this.written[player] ?? 0) >= MAX_TRANSCRIPTS) return;
    this.written[player] = (this.written[player] ?? 0) + 1;
    const { spec, name, transcript } = engine;
    const head = [
      `Game ${index + 1}: ${game.reason}`,
      `Engine: ${name} (${[spec.command, ...spec.args].join(' ')})`,
      'Seconds since the game began; > to the engine, < from it, ! its error output',
    ];
    const file = join(this.out, TRANSCRIPTS, `game-${index + 1}.txt`);
    writeFileAtomic(file, `${head.join('\n')}\n\n${transcript.format()}`);
  }
}
