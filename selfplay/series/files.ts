// Writes the files of a series except its journal: PGN and training records, pair by pair in the schedule's order, and events. A continued
// run rewrites them from the journal, so they always agree with the journal.

import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseFen } from '../../engine/board/fen.js';
import { AppendedFile, OutputFile } from '../common/appended-file.js';
import { attempt } from '../common/errors.js';
import { isFile, tailOf } from '../common/files.js';
import { halfPoints, resultText } from '../common/game-result.js';
import { timeControlTag } from '../games/clock.js';
import { formatPgn } from '../records/pgn.js';
import { type GameRecord, startFromPosition, UNSCORED } from '../records/record.js';
import { readBlocks } from '../records/shard.js';
import { encodeGame } from '../records/viriformat.js';
import { EventLog, openingFen } from './event-log.js';
import type { CountedGame, OptionsSet, SeriesEvent } from './events.js';
import type { PlayedGame } from './game.js';
import type { SeriesSettings } from './settings.js';

/** File names in a run's folder. */
export const GAMES = 'games.pgn';
export const EVENTS = 'events.jsonl';

/** Appends the games of a finished run to a file, after a blank line. Compresses them if its name ends in .gz. `blockSize` is for tests. */
export function appendGames(games: string, file: string, blockSize?: number): void {
  const blocks = blocksAfter(file, readBlocks(games, blockSize));
  if (existsSync(file) && !isFile(file)) {
    attempt(`cannot write ${file}`, () => {
      for (const block of blocks) appendFileSync(file, block);
    });
    return;
  }
  const appended = new AppendedFile(file);
  try {
    appended.append(blocks);
  } finally {
    appended.close();
  }
}

function* blocksAfter(file: string, blocks: Iterable<Uint8Array>): Generator<Uint8Array> {
  const isPacked = file.endsWith('.gz');
  let gap = lineEndsBefore(file, isPacked);
  for (const block of blocks) {
    const text = Buffer.concat([Buffer.from(gap), block]);
    yield isPacked ? gzipSync(text) : text;
    gap = '';
  }
}

// Another program may have left the last line unterminated
function lineEndsBefore(file: string, isPacked: boolean): string {
  const tail = isFile(file) ? tailOf(file, 4) : '';
  if (tail === '' || (!isPacked && /(?:^|\n)\r?\n$/.test(tail))) return '';
  return !isPacked && tail.endsWith('\n') ? '\n' : '\n\n';
}

export class SeriesFiles {
  /** Whether a file contains every move. */
  readonly wantsMoves: boolean;
  private readonly pgn: OutputFile[];
  private readonly records: OutputFile[];
  private readonly logs: EventLog[];
  private readonly run: PgnContext;

  /** Game files are created at the first pair, event logs once all engines have started. */
  constructor(settings: SeriesSettings, gamesToPlay: number) {
    const { out, pgn, viriformat, events } = settings;
    const inFolder = (name: string): string[] => (out === undefined ? [] : [join(out, name)]);
    const requested = (file: string | undefined): string[] => (file === undefined ? [] : [file]);
    this.pgn = [...inFolder(GAMES), ...requested(pgn)].map((file) => new OutputFile(file));
    this.records = requested(viriformat).map((file) => new OutputFile(file));
    this.logs = [
      ...inFolder(EVENTS).map((file) => new EventLog(file, settings, gamesToPlay, false)),
      ...requested(events).map((file) => new EventLog(file, settings, gamesToPlay, true)),
    ];
    this.run = { settings, ids: [], options: [], date: '' };
    this.wantsMoves = events !== undefined;
  }

  /** Overwrites the engine's position. Throws a UserError when a file cannot be written. */
  take(event: SeriesEvent): void {
    if (event.type === 'engines') {
      const { ids, options, date } = event;
      Object.assign(this.run, { ids, options, date });
    } else if (event.type === 'pair') this.writePair(event.games);
    for (const log of this.logs) log.take(event);
  }

  close(): void {
    for (const file of [...this.pgn, ...this.records, ...this.logs]) file.close();
  }

  private writePair(games: CountedGame[]): void {
    if (this.pgn.length > 0) {
      const text = games.map((game) => formatMatchGame(game, this.run)).join('');
      for (const file of this.pgn) file.write(text);
    }
    for (const file of this.records) {
      for (const { game } of games) {
        const record = recordOfGame(game);
        if (record !== null) file.write(encodeGame(record));
      }
    }
  }
}

// Converts a match game to a training record of the searched moves, which starts after the opening.

/** Returns the record, or null if no move was searched or the game was lost by an engine failure. Overwrites the engine's position. */
function recordOfGame(game: PlayedGame): GameRecord | null {
  const { moves, bookPlies, scores, result, offender } = game;
  if (offender !== undefined || moves.length === bookPlies) return null;
  // The position is set up from its FEN, so castling and en-passant rights do not depend on the history
  parseFen(openingFen(game));
  return {
    start: startFromPosition(),
    result: halfPoints(result),
    moves: Uint16Array.from(moves.slice(bookPlies)),
    scores: Int16Array.from(scores, (score) => score ?? UNSCORED),
  };
}

// A match game as PGN: players with versions and options, time controls, and the end of the game.

/** The run of a game: its settings, the engines' own names and options, and the date. */
interface PgnContext {
  settings: SeriesSettings;
  ids: readonly string[];
  /** The options that were set, by engine. */
  options: readonly OptionsSet[];
  date: string;
}

/** Returns a counted game as PGN. Overwrites the engine's position. */
function formatMatchGame({ game, pairing, white, black }: CountedGame, run: PgnContext): string {
  const { times, nodes, offender, result, ...rest } = game;
  const sides = [pairing.white, pairing.black];
  const [whiteTime, blackTime] = sides.map((engine) => timeControlTag(run.settings.engines[engine].limits));
  const isSameTime = whiteTime === blackTime;
  return formatPgn({
    ...rest,
    ...(run.settings.site !== undefined && { site: run.settings.site }),
    event: run.settings.event ?? 'Heft match',
    date: run.date,
    round: String(pairing.round),
    white,
    black,
    result: resultText(result),
    milliseconds: times,
    ...(isSameTime && { timeControl: whiteTime }),
    tags: {
      ...(!isSameTime && { WhiteTimeControl: whiteTime, BlackTimeControl: blackTime }),
      ...engineTags('White', pairing.white, run),
      ...engineTags('Black', pairing.black, run),
    },
  });
}

function engineTags(side: string, engine: number, run: PgnContext): Record<string, string> {
  const options = Object.entries(run.options[engine] ?? {}).map(([name, value]) => `${name}=${value}`);
  const id = run.ids[engine] ?? '';
  return {
    ...(id !== '' && { [`${side}Engine`]: id }),
    ...(options.length > 0 && { [`${side}Options`]: options.join('; ') }),
  };
}
