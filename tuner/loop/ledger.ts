// The ledger of a loop: its settings and, for each generation, where the games came from, what the fit came to, and what the
// match said. It is the state on disk: a run continues after the last generation that it holds.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError, writeFileAtomic } from '../../selfplay/common/cli.js';
import type { MatchResult } from '../../selfplay/match/match-result.js';
import type { FitReport } from '../fit/fit-report.js';
import { type LoopSettings, settingsDifference } from './loop-settings.js';

/** The lines of a match that a ledger keeps, from the candidate's side. */
export type MatchEntry = Pick<
  MatchResult,
  'games' | 'wins' | 'losses' | 'draws' | 'penta' | 'elo' | 'eloError' | 'nelo' | 'llr' | 'lower' | 'upper' | 'verdict'
>;

export interface GenerationEntry {
  generation: number;
  /** Of its self-play games. */
  seed: number;
  games: number;
  positions: number;
  /** Hashes of the weights that played the games and that the fit made. */
  played: string;
  weights: string;
  fit: FitReport;
  /** One line of each match as the field writes it. */
  match: MatchEntry;
  line: string;
  accepted: boolean;
}

export interface FinalEntry {
  /** Hash of the weights at the end, and the generation they come from; 0 for the start. */
  weights: string;
  generation: number;
  match: MatchEntry | null;
  line: string;
}

export interface Ledger {
  settings: LoopSettings;
  /** Engine version and bench that the run began with. */
  engine: string;
  bench: number;
  generations: GenerationEntry[];
  final: FinalEntry | null;
}

const LEDGER_FILE = 'ledger.json';

/** Returns the folder's ledger, or a new one; UserError if the folder holds a run with other settings or another engine. */
export function openLedger(folder: string, settings: LoopSettings, engine: string, bench: number): Ledger {
  const path = join(folder, LEDGER_FILE);
  if (!existsSync(path)) {
    const ledger: Ledger = { settings, engine, bench, generations: [], final: null };
    saveLedger(folder, ledger);
    return ledger;
  }
  let ledger: Ledger;
  try {
    ledger = JSON.parse(readFileSync(path, 'utf8'));
    if (!Array.isArray(ledger?.generations)) throw new Error('it lists no generations');
    if (typeof ledger.settings !== 'object' || ledger.settings === null) throw new Error('it has no settings');
  } catch (error) {
    throw new UserError(`${path} is not a loop's ledger: ${(error as Error).message}; choose another --out`);
  }
  const difference = settingsDifference(ledger.settings, settings);
  if (difference !== null) {
    throw new UserError(
      `${folder} holds a loop with ${difference} ${ledger.settings[difference as keyof LoopSettings]}; ` +
        'choose another --out, or delete it',
    );
  }
  if (ledger.bench !== bench) {
    throw new UserError(
      `${folder} holds a loop of another engine (bench ${ledger.bench}, now ${bench}); choose another --out`,
    );
  }
  return ledger;
}

/** Writes the ledger, whole or not at all. */
export function saveLedger(folder: string, ledger: Ledger): void {
  writeFileAtomic(join(folder, LEDGER_FILE), `${JSON.stringify(ledger, null, 2)}\n`);
}

/** Returns the last accepted generation before this one, whose weights it plays and learns with; 0 for the start. */
export function bestBefore(generations: readonly GenerationEntry[], before: number): number {
  const best = generations.findLast(({ accepted, generation }) => accepted && generation < before);
  return best?.generation ?? 0;
}

/** Returns what a ledger keeps of a match. */
export function matchEntry(result: MatchResult): MatchEntry {
  const { games, wins, losses, draws, penta, elo, eloError, nelo, llr, lower, upper, verdict } = result;
  return { games, wins, losses, draws, penta, elo, eloError, nelo, llr, lower, upper, verdict };
}

/** Returns the match in one line: `Elo 12.3 +/- 4.5, LLR 2.95 (-2.94, 2.94) [0, 20], +120 -80 =100, Ptnml [..]`. */
export function matchLine(result: MatchResult): string {
  const { elo, eloError, llr, lower, upper, sprt, wins, losses, draws, penta } = result;
  return (
    `Elo ${elo.toFixed(1)} +/- ${eloError.toFixed(1)}, LLR ${llr.toFixed(2)} (${lower.toFixed(2)}, ${upper.toFixed(2)}) ` +
    `[${sprt.elo0}, ${sprt.elo1}], +${wins} -${losses} =${draws}, Ptnml [${penta.join(', ')}]`
  );
}
