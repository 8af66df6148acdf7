// Cross table of PGN files. For each pair of players it has game pairs with the same opening and reversed colours, and single games.

import { noProblems, type Problems, UserError } from '../common/errors.js';
import { type Counts, type HalfPoints, halfPointsOf, NO_GAMES, withGame } from '../common/game-result.js';
import { STARTPOS } from '../notation/board.js';
import type { PgnGame } from '../notation/game.js';
import { parseComment } from '../records/comments.js';
import { readPgn } from '../records/pgn-reader.js';
import type { Meeting } from '../statistics/rating-fit.js';

/** Number of initial plies that identify the opening of a game without a FEN tag or book moves. */
const OPENING_PLIES = 8;

export interface RatedPlayer extends Counts {
  name: string;
  /** Games against each opponent, by player index. */
  opponents: Map<number, number>;
}

export interface CrossTable {
  players: RatedPlayer[];
  meetings: Meeting[];
  games: number;
  pairs: number;
  /** Games without a result. */
  unfinished: number;
  problems: Problems;
}

interface Game {
  white: number;
  black: number;
  /** White's half points. */
  points: HalfPoints;
}

/** Reads the results of the files. Throws a UserError if a file is unreadable or has no player names. Overwrites the engine's position. */
export async function readCrossTable(files: readonly string[]): Promise<CrossTable> {
  const collector = new Collector();
  for (const file of files) {
    let named = 0;
    for await (const game of readPgn(file, collector.results.problems)) {
      const { tags, result } = game;
      const names = ['White', 'Black'].map((tag) => tags.get(tag)?.trim() ?? '');
      if (names.some((name) => name === '' || name === '?')) continue;
      named++;
      collector.add(names[0], names[1], halfPointsOf(result), openingOf(game));
    }
    if (named === 0) throw new UserError(`${file}: no games with player names`);
  }
  return collector.finish();
}

// Returns the start position and the moves marked as book moves by a match runner, or the first moves if there is neither
function openingOf({ tags, moves, comments }: PgnGame): string {
  // Some programs write the start position into every game
  const start = tags.get('FEN') === STARTPOS ? undefined : tags.get('FEN');
  const searched = moves.findIndex((_, ply) => !parseComment(comments[ply] ?? '').isBook);
  const bookPlies = searched < 0 ? moves.length : searched;
  const plies = start === undefined && bookPlies === 0 ? OPENING_PLIES : bookPlies;
  return [...(start === undefined ? [] : [start]), ...moves.slice(0, plies)].join();
}

class Collector {
  readonly results: CrossTable = {
    players: [],
    meetings: [],
    games: 0,
    pairs: 0,
    unfinished: 0,
    problems: noProblems(),
  };
  private readonly places = new Map<string, number>();
  private readonly counts = new Map<string, Required<Meeting> & { counts: number[] }>();
  /** Games without a reversed counterpart so far, by players and opening. In all games of a list, the players have the same colours. */
  private readonly single = new Map<string, Game[]>();

  add(whiteName: string, blackName: string, points: HalfPoints | undefined, opening: string): void {
    if (points === undefined) {
      this.results.unfinished++;
      return;
    }
    const game = { white: this.place(whiteName), black: this.place(blackName), points };
    // Games of a program against itself do not affect its rating
    if (game.white === game.black) return;
    this.results.games++;
    this.credit(game.white, game.black, points);
    this.credit(game.black, game.white, (2 - points) as HalfPoints);
    if (opening === '') return this.count([game]);
    const key = [...[game.white, game.black].sort((a, b) => a - b), opening].join(' ');
    const waiting = this.single.get(key) ?? [];
    if (waiting[0]?.white === game.black) {
      this.results.pairs++;
      this.count([waiting[0], game]);
      waiting.shift();
    } else {
      waiting.push(game);
      this.single.set(key, waiting);
    }
  }

  finish(): CrossTable {
    for (const games of this.single.values()) for (const game of games) this.count([game]);
    this.results.meetings = [...this.counts.values()];
    return this.results;
  }

  private place(name: string): number {
    const place = this.places.get(name) ?? this.places.size;
    if (place === this.places.size) {
      this.places.set(name, place);
      this.results.players.push({ name, ...NO_GAMES, opponents: new Map() });
    }
    return place;
  }

  private credit(player: number, opponent: number, points: HalfPoints): void {
    const rated = this.results.players[player];
    Object.assign(rated, withGame(rated, points));
    rated.opponents.set(opponent, (rated.opponents.get(opponent) ?? 0) + 1);
  }

  /** Counts a single game, or a pair of games with reversed colours. */
  private count(games: readonly Game[]): void {
    const [first, second] = [games[0].white, games[0].black].sort((a, b) => a - b);
    const sides = games.map(({ white }) => (white === first ? 1 : -1)).sort((a, b) => b - a);
    const key = [first, second, ...sides].join(' ');
    const counts = new Array<number>(2 * sides.length + 1).fill(0);
    const count = this.counts.get(key) ?? { first, second, sides, counts, whitePoints: 0 };
    this.counts.set(key, count);
    count.counts[games.reduce((sum, { white, points }) => sum + (white === first ? points : 2 - points), 0)]++;
    count.whitePoints += games.reduce((sum, { points }) => sum + points, 0) / 2;
  }
}
