// The story that a loop tells: its plan and the time left, its verdicts with the course of the likelihood ratio, what was learnt, and
// the commands that go on from there.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { invocation } from '../../selfplay/common/program.js';
import { EVENTS } from '../../selfplay/series/files.js';
import type { FitReport } from '../fit/result.js';
import { signed } from '../model/names.js';
import { shippedGames } from '../weights/shipped-ledger.js';
import { isAccepted } from './acceptance.js';
import { type GenerationEntry, hasEnded, type Ledger } from './ledger.js';
import { type LoopSettings, POOL_WEIGHTS } from './loop-settings.js';
import { type Effort, effortOf, PLIES } from './schedule.js';
import { strengthsOf } from './strength.js';

const count = (value: number): string => value.toLocaleString('en-US');

export type StageName = 'selfplay' | 'label' | 'fit' | 'match' | 'pool';
const STAGES: readonly StageName[] = ['selfplay', 'label', 'fit', 'match', 'pool'];
type MeasuredStage = Exclude<StageName, 'pool'>;

/** Guesses until a stage has been measured: nodes and positions a second of a thread, passes that a fit is worth. */
const NODES_PER_SECOND = 750_000;
const POSITIONS_PER_SECOND = 2_000_000;
const PASSES = 600;
/** Most matches are decided before their last game. */
const SHARE_OF_MATCH = 0.4;

/** The seconds that a loop's stages take: guessed from its settings, then as measured. */
export class Pace {
  private readonly settings: LoopSettings;
  private readonly effort: (generation: number) => Effort;
  /** Seconds for a node a move of a game of self-play, for a node of a label, for a game fitted to, for a game of a match. */
  private readonly perUnit: Record<MeasuredStage, number>;

  /** `effort` returns that of each generation, including later ones. */
  constructor(settings: LoopSettings, workers: number, effort: (generation: number) => Effort) {
    this.settings = settings;
    this.effort = effort;
    const { matchNodes, perGame } = settings;
    const play = PLIES / (NODES_PER_SECOND * workers);
    const fit = (perGame * PASSES) / (POSITIONS_PER_SECOND * workers);
    this.perUnit = { selfplay: play, label: play / PLIES, fit, match: matchNodes * play };
  }

  /** Takes in how long a stage took: so many games, in self-play times the nodes of a move. */
  measured(stage: MeasuredStage, seconds: number, units: number): void {
    if (units > 0 && seconds > 0) this.perUnit[stage] = seconds / units;
  }

  /** Returns the seconds until the loop ends, from the beginning of a generation's stage; a generation too many: of the final match. */
  left(generation: number, stage: StageName): number {
    const { generations, window, poolGames, engine, finalGames } = this.settings;
    let seconds = SHARE_OF_MATCH * finalGames * this.perUnit.match;
    for (let number = generation; number <= generations; number++) {
      const { games, nodes, matchGames, labels } = this.effort(number);
      let fitted = 0;
      for (let of = Math.max(1, number - window + 1); of <= number; of++) fitted += this.effort(of).games;
      const costs: Record<StageName, number> = {
        selfplay: games * nodes * this.perUnit.selfplay,
        label: labels === null ? 0 : fitted * labels.perGame * labels.nodes * this.perUnit.label,
        fit: fitted * this.perUnit.fit,
        match: SHARE_OF_MATCH * matchGames * this.perUnit.match,
        pool: poolGames * (POOL_WEIGHTS.length + engine.length) * this.perUnit.match,
      };
      const from = number === generation ? STAGES.indexOf(stage) : 0;
      for (const name of STAGES.slice(from)) seconds += costs[name];
    }
    return seconds;
  }
}

/** Returns a time in words: `about 10 minutes`. */
export function aboutTime(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 90) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `about ${Math.round(minutes / 60)} hours`;
}

/** Returns the plan of the loop and its starting point. */
export function planLines({ settings, generations }: Ledger, seconds: number): string[] {
  const { generations: most, finalGames, from } = settings;
  const done = generations.length;
  const { games, nodes, matchGames } = effortOf(settings, generations, done + 1);
  const grows = settings.games === undefined || settings.nodes === undefined;
  return [
    ...(done === 0 ? [] : [`continues: ${done} of ${most} generations are there`]),
    `plan: learn from ${from} in up to ${most} ${most === 1 ? 'generation' : 'generations'}, each of`,
    `      ${count(games)} games of self-play at ${count(nodes)} nodes a move${grows ? ', doubled as the fits need it' : ''},`,
    `      ${settings.labelShare > 0 ? 'labels of their positions by deeper searches, ' : ''}a fit, a match of at most ${count(matchGames)} games;`,
    `      at last at most ${count(finalGames)} games against the shipped weights: ${aboutTime(seconds)}`,
    '      Ctrl-C stops at any time; the same command continues',
  ];
}

/** Returns `accepted`, `rejected` or `undecided`. */
export function verdictOf({ match }: Pick<GenerationEntry, 'match'>): string {
  if (match === null) return 'undecided';
  return isAccepted(match) ? 'accepted' : match.verdict === 'H0' ? 'rejected' : 'undecided';
}

/** Returns about how the likelihood ratio went in the match of a folder, `0.4 → 1.2 → 2.9`; '' where it is not known. */
export function ratioCourse(folder: string): string {
  const file = join(folder, EVENTS);
  if (!existsSync(file)) return '';
  const lines = readFileSync(file, 'utf8').split('\n');
  const ratios = lines.filter((line) => line.includes('"pairEnd"')).map((line) => Number(JSON.parse(line).figures.llr));
  const last = ratios.length - 1;
  const points = [...new Set([1, 2, 3, 4, 5].map((fifth) => Math.round((fifth / 5) * last)))];
  return last < 0 ? '' : points.map((at) => ratios[at].toFixed(2)).join(' → ');
}

/** Returns what an accepted generation scored against the pool, a line for each. */
export function poolLines({ pool }: Pick<GenerationEntry, 'pool'>): string[] {
  return pool.map(
    ({ opponent, wins, losses, draws, elo, eloError }) =>
      `  against ${opponent}: +${wins} -${losses} =${draws}, Elo ${elo.toFixed(0)} +/- ${eloError.toFixed(0)}`,
  );
}

/** Returns why no match was played. */
export function unplayed({ claim }: Pick<FitReport, 'claim'>): string {
  return claim === null || claim.isProven ? 'the fit returned the weights that it began with' : claim.text;
}

/** Returns in one sentence what the loop has learnt so far. */
export function learnt(ledger: Pick<Ledger, 'settings' | 'generations' | 'final'>): string {
  const { settings, generations } = ledger;
  const games = generations.reduce((sum, entry) => sum + entry.games, 0);
  const accepted = generations.filter((entry) => entry.accepted);
  const of = `${accepted.length} of ${generations.length} generations accepted`;
  const last = accepted.at(-1);
  if (last === undefined) return `No gain is proven yet after ${count(games)} games: ${of}${lastMatch(generations)}.`;
  const { level, ratings } = strengthsOf(ledger);
  const { elo, error } = ratings[last.generation];
  const above = level === settings.from ? '' : ` against ${level}`;
  const shipped = shippedGames();
  const other = shipped > 0 ? `; the shipped weights took ${count(shipped)}` : '';
  return `From ${settings.from} to ${signed(Math.round(elo) || 0)} ± ${error.toFixed(0)} Elo${above} in ${count(games)} games, ${of}${other}.`;
}

/** The score of the last match, as a part of a sentence. */
function lastMatch(generations: readonly GenerationEntry[]): string {
  const match = generations.at(-1)?.match ?? null;
  return match === null ? '' : `; the last match ended +${match.wins} −${match.losses} =${match.draws}`;
}

/** Returns where the results of the loop in a folder are, and what to do with them. */
export function nextSteps(
  folder: string,
  build: string,
  { settings, generations }: Pick<Ledger, 'settings' | 'generations'>,
): string[] {
  const weights = join(folder, 'weights.json');
  const more = { ...settings, generations: Math.max(settings.generations, generations.length + 2) };
  const patience = hasEnded(more, generations) ? ` --patience ${settings.patience + 2}` : '';
  return [
    `weights:  ${weights}`,
    `report:   ${join(folder, 'report.html')}`,
    `film:     ${join(folder, 'film.html')}`,
    `play it:  node ${join(resolve(build), 'engine/main.js')}`,
    `match it: ${invocation('match')} --candidate ${weights} --baseline shipped --nodes 10000 --sprt`,
    `go on:    the same command with --generations ${more.generations}${patience}`,
  ];
}
