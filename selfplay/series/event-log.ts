// Writes the events of a run as JSON lines. A continued run rewrites its file from the journal. Each counted game has one gameStart and one
// gameEnd, and each pair one pairEnd. A game replayed after a suspension of this process has a gameRestart.

import { formatFen, parseFen } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { moveToUci } from '../../engine/board/move.js';
import { setChess960 } from '../../engine/board/position.js';
import type { Opening } from '../../engine/commands/random-opening.js';
import { OutputFile } from '../common/appended-file.js';
import { resultText } from '../common/game-result.js';
import { needsChess960 } from '../games/board.js';
import { describeLimits } from '../games/clock.js';
import type { SeriesStatistics } from '../statistics/types.js';
import type { CountedGame, Pairing, SeriesEvent } from './events.js';
import type { PlayedGame } from './game.js';
import type { SeriesSettings } from './settings.js';

export class EventLog {
  private readonly file: OutputFile;
  private readonly begun = new Set<number>();
  private readonly early: object[] = [];
  private isStarted = false;

  /** `withMoves` adds every move. */
  constructor(
    file: string,
    private readonly settings: SeriesSettings,
    private readonly gamesToPlay: number,
    private readonly withMoves: boolean,
  ) {
    this.file = new OutputFile(file);
  }

  take(event: SeriesEvent): void {
    switch (event.type) {
      case 'engines':
        return this.start(event);
      case 'engine':
        return this.write({ type: 'engineStart', engine: event.index + 1, name: event.name });
      case 'begin':
        return this.begin(event.index, event.pairing, event.white, event.black, event.opening);
      case 'move':
        return this.withMoves ? this.move(event) : undefined;
      case 'game':
        return this.end(event);
      case 'pair':
        return this.pair(event.games, event.figures);
      case 'pace':
        return this.write({ type: 'concurrency', games: event.workers, paused: event.paused });
      case 'done':
        return this.done(event);
      case 'end':
        return;
      default:
        event satisfies never;
    }
  }

  close(): void {
    this.file.close();
  }

  // Engines start before all names are known, so their events are held back until runStart. A continued run has already written runStart
  // from the journal
  private start({ engines, ids, options, date }: Extract<SeriesEvent, { type: 'engines' }>): void {
    if (this.isStarted) return;
    this.isStarted = true;
    const { settings, gamesToPlay } = this;
    const described = settings.engines.map(({ limits }, i) => ({
      name: engines[i],
      id: ids[i],
      options: options[i],
      limits: describeLimits(limits),
    }));
    this.write({ type: 'runStart', date, engines: described, games: gamesToPlay, seed: settings.seed });
    for (const line of this.early) this.write(line);
  }

  private begin(index: number, { round }: Pairing, white: string, black: string, opening: Start): void {
    const type = this.begun.has(index) ? 'gameRestart' : 'gameStart';
    this.begun.add(index);
    this.write({ type, game: index + 1, round, white, black, fen: fenAfter(opening) });
  }

  private move({ type, index, ...move }: Extract<SeriesEvent, { type: 'move' }>): void {
    this.write({ type, game: index + 1, ...move, milliseconds: Math.round(move.milliseconds) });
  }

  private end({ index, pairing, white, black, game, seconds }: CountedGame): void {
    if (!this.begun.delete(index)) this.begin(index, pairing, white, black, startOf(game));
    const { start, chess960, moves, bookPlies, result, termination, reason, offender } = game;
    const uci = moves.map((move) => moveToUci(move, chess960)).join(' ');
    const line = { type: 'gameEnd', game: index + 1, round: pairing.round, white, black, result: resultText(result) };
    this.write({ ...line, termination, reason, seconds: rounded(seconds), start, bookPlies, moves: uci });
    if (offender === undefined) return;
    this.write({ type: 'failure', game: index + 1, engine: offender === 0 ? white : black, termination, reason });
  }

  private pair([first, second]: [CountedGame, CountedGame], figures: () => SeriesStatistics): void {
    const games = [first.index + 1, second.index + 1];
    const { white, black, game, pairing } = first;
    const points = game.result + 1 - second.game.result;
    const line = { type: 'pairEnd', games, round: pairing.round, engine: white, opponent: black, points };
    // The standings of many engines take long to compute, and would be most of the file
    const isTournament = this.settings.engines.length > 2;
    this.write({ ...line, ...(isTournament ? { figures: { games: second.index + 1 } } : slim(figures())) });
  }

  private done({ finished, seconds, figures }: Extract<SeriesEvent, { type: 'done' }>): void {
    if (this.isStarted) this.write({ type: 'runEnd', finished, seconds: rounded(seconds), ...slim(figures) });
  }

  private write(line: object): void {
    if (this.isStarted) this.file.write(`${JSON.stringify(line)}\n`);
    else this.early.push(line);
  }
}

/** Returns the FEN after the opening of a game. Overwrites the engine's position. */
export const openingFen = (game: PlayedGame): string => fenAfter(startOf(game));

type Start = Omit<Opening, 'fen'>;

const startOf = ({ start, moves, bookPlies }: PlayedGame): Start => ({ start, moves: moves.slice(0, bookPlies) });

function fenAfter({ start, moves }: Start): string {
  parseFen(start);
  // The mode of the last game determines how castling rights are written
  setChess960(needsChess960());
  for (const move of moves) makeMove(move);
  return formatFen();
}

const rounded = (seconds: number): number => Math.round(1000 * seconds) / 1000;

// The figures are nested, because the line has its own `games`. The crosstable is omitted, because it follows from the pairs
function slim(figures: SeriesStatistics): object {
  if ('llr' in figures) return { figures };
  const { crosstable: _, ...rest } = figures;
  return { figures: rest };
}
