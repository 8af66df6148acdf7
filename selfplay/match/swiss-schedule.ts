// The schedule of a Swiss tournament: a round is paired when the last game of the previous round has been counted. A bye counts
// as a won encounter, for pairing only.

import type { Schedule } from '../series/series.js';
import type { Pairing } from '../series/series-events.js';
import { swissRound } from './swiss.js';

export class SwissSchedule implements Schedule {
  readonly games: number;
  private readonly gamesPerRound: number;
  private readonly gamesPerEncounter: number;
  private readonly points: number[];
  private readonly byes: number[];
  private readonly met: number[][];
  private readonly rounds: [number, number][][] = [];

  /** `games` of each encounter: an even number. */
  constructor(engines: number, rounds: number, games: number) {
    this.gamesPerEncounter = games;
    this.gamesPerRound = Math.floor(engines / 2) * games;
    this.games = rounds * this.gamesPerRound;
    this.points = new Array(engines).fill(0);
    this.byes = new Array(engines).fill(0);
    this.met = this.points.map(() => new Array(engines).fill(0));
    this.pairNext();
  }

  /** Games of the rounds that are paired. */
  settled(): number {
    return this.rounds.length * this.gamesPerRound;
  }

  at(index: number): Pairing {
    const round = Math.floor(index / this.gamesPerRound);
    const pairings = this.rounds[round];
    const pair = (index % this.gamesPerRound) >> 1;
    const pairing = pairings[pair % pairings.length];
    const opening = (round * this.gamesPerEncounter) / 2 + Math.floor(pair / pairings.length);
    return { white: pairing[index % 2], black: pairing[1 - (index % 2)], opening, round: round + 1 };
  }

  /** Takes White's score of the next game in order. */
  count(whiteScore: number, { white, black }: Pairing, index: number): void {
    this.points[white] += whiteScore;
    this.points[black] += 1 - whiteScore;
    if (index + 1 === this.settled() && index + 1 < this.games) this.pairNext();
  }

  private pairNext(): void {
    const entries = this.points.map((points, engine) => ({ engine, points }));
    const { pairings, bye } = swissRound(entries, (a, b) => this.met[a][b], this.byes);
    for (const [a, b] of pairings) {
      this.met[a][b]++;
      this.met[b][a]++;
    }
    if (bye !== null) {
      this.byes[bye]++;
      this.points[bye] += this.gamesPerEncounter;
    }
    this.rounds.push(pairings);
  }
}
