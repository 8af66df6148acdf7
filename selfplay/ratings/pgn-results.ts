// The results in PGN files, by pairing: pairs of games with the same opening and reversed colours, and single games.

import { noProblems, type Problems, UserError } from '../common/errors.js';
import { halfPointsOf } from '../common/game-result.js';
import { parseComment } from '../records/comments.js';
import { type FileGame, readPgn } from '../records/pgn-reader.js';
import type { Meeting } from '../statistics/rating-fit.js';

/** Games without a FEN tag or book moves have the same opening if they have this many plies in common. */
const OPENING_PLIES = 8;

export interface RatedPlayer {
  name: string;
  wins: number;
  draws: number;
  losses: number;
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
  points: number;
}

type Count = Required<Meeting> & { counts: number[] };

/** Reads the results of the files; throws a UserError for an unreadable file, or one without players. Overwrites the engine's position. */
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

// The start position and the moves that a match runner marked as book moves, or the first moves if neither is given
function openingOf({ tags, moves, comments }: FileGame): string {
  const start = tags.get('FEN');
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
  private readonly counts = new Map<string, Count>();
  /** Games whose reversed counterpart has not been read yet, by players and opening. */
  private readonly single = new Map<string, Game[]>();

  add(whiteName: string, blackName: string, points: number | undefined, opening: string): void {
    if (points === undefined) {
      this.results.unfinished++;
      return;
    }
    const game = { white: this.place(whiteName), black: this.place(blackName), points };
    // Games of a program against itself do not affect its rating
    if (game.white === game.black) return;
    this.results.games++;
    this.tell(game.white, game.black, points);
    this.tell(game.black, game.white, 2 - points);
    if (opening === '') return this.addSingle(game);
    const key = [...[game.white, game.black].sort((a, b) => a - b), opening].join(' ');
    const waiting = this.single.get(key) ?? [];
    const at = waiting.findIndex(({ white }) => white === game.black);
    if (at < 0) {
      waiting.push(game);
      this.single.set(key, waiting);
    } else {
      this.addPair(waiting.splice(at, 1)[0], game);
    }
  }

  finish(): CrossTable {
    for (const games of this.single.values()) for (const game of games) this.addSingle(game);
    this.results.meetings = [...this.counts.values()];
    return this.results;
  }

  private place(name: string): number {
    const place = this.places.get(name) ?? this.places.size;
    if (place === this.places.size) {
      this.places.set(name, place);
      this.results.players.push({ name, wins: 0, draws: 0, losses: 0, opponents: new Map() });
    }
    return place;
  }

  private tell(player: number, opponent: number, points: number): void {
    const counts = this.results.players[player];
    counts[points === 2 ? 'wins' : points === 1 ? 'draws' : 'losses']++;
    counts.opponents.set(opponent, (counts.opponents.get(opponent) ?? 0) + 1);
  }

  private addPair(one: Game, other: Game): void {
    this.results.pairs++;
    const [asWhite, asBlack] = one.white < one.black ? [one, other] : [other, one];
    const count = this.count(asWhite.white, asWhite.black, [1, -1]);
    count.counts[asWhite.points + 2 - asBlack.points]++;
    count.whitePoints += (asWhite.points + asBlack.points) / 2;
  }

  private addSingle({ white, black, points }: Game): void {
    const isFirst = white < black;
    const count = isFirst ? this.count(white, black, [1]) : this.count(black, white, [-1]);
    count.counts[isFirst ? points : 2 - points]++;
    count.whitePoints += points / 2;
  }

  private count(first: number, second: number, sides: number[]): Count {
    const key = [first, second, ...sides].join(' ');
    const count = this.counts.get(key) ?? {
      first,
      second,
      sides,
      counts: new Array(2 * sides.length + 1).fill(0),
      whitePoints: 0,
    };
    this.counts.set(key, count);
    return count;
  }
}
