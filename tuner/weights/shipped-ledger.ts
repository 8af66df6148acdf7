// recordShipped() writes the ledgers of shipped values. They are JSON lists, oldest entry first, beside the weights and beside the search
// parameters. Each entry has the origin of the values (a loop, a fit or SPSA) and the match that confirmed them.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { attempt, UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { projectFile } from '../../selfplay/common/program.js';
import { compactJson } from '../../selfplay/common/run-files.js';
import type { MatchResult } from '../../selfplay/match/match.js';

/** Paths of the ledgers of the weights and of the search parameters. */
export const LEDGERS = { weights: 'engine/eval/ledger.json', params: 'engine/search/ledger.json' } as const;

export type Origin = 'loop' | 'tune' | 'spsa';

interface ShippedEntry {
  generations?: { games: number }[];
  runs?: { generations: { games: number }[] }[];
}

/** Returns the number of self-play games in the last entry of the ledger of the weights; 0 if its origin is not a loop. */
export function shippedGames(entries: readonly ShippedEntry[] = readLedger('weights')): number {
  const { generations = [], runs = [] } = entries.at(-1) ?? {};
  const played = [...generations, ...runs.flatMap((run) => run.generations)];
  return played.reduce((sum, generation) => sum + generation.games, 0);
}

/**
 * Appends an entry to a ledger unless it equals the last one, because an interrupted installation is repeated. Throws a UserError if the
 * file is damaged.
 */
export function recordShipped(ledger: keyof typeof LEDGERS, origin: Origin, entry: object): void {
  const entries = readLedger(ledger);
  const added = { origin, ...entry };
  if (JSON.stringify(entries.at(-1)) !== JSON.stringify(added))
    writeFileAtomic(pathOf(ledger), `${compactJson([...entries, added])}\n`);
}

const pathOf = (ledger: keyof typeof LEDGERS): string => fileURLToPath(projectFile(LEDGERS[ledger]));

function readLedger(ledger: keyof typeof LEDGERS): ShippedEntry[] {
  const file = pathOf(ledger);
  if (!existsSync(file)) return [];
  const entries: unknown = attempt(`${file} is damaged; restore it`, () => JSON.parse(readFileSync(file, 'utf8')));
  if (Array.isArray(entries)) return entries;
  throw new UserError(`${file} is not a list of entries; restore it`);
}

// matchEntry() and matchLine() format a match for the ledgers of loops and of shipped values.

/** The figures of a match in a ledger, from the candidate's side. */
export type MatchEntry = Pick<
  MatchResult,
  'games' | 'wins' | 'losses' | 'draws' | 'penta' | 'elo' | 'eloError' | 'nelo' | 'llr' | 'lower' | 'upper' | 'verdict'
>;

/** Returns the ledger form of a match. */
export function matchEntry(result: MatchResult): MatchEntry {
  const { games, wins, losses, draws, penta, elo, eloError, nelo, llr, lower, upper, verdict } = result;
  return { games, wins, losses, draws, penta, elo, eloError, nelo, llr, lower, upper, verdict };
}

/**
 * Returns a match in one line, with the LLR and the hypotheses of its SPRT if it has one:
 * `Elo 12.3 +/- 4.5 (stopped early), LLR 2.95 (-2.94, 2.94) [0, 20], +120 -80 =100, Ptnml [..]`.
 * `stopped early` marks matches ended by their SPRT, whose Elo is biased away from zero.
 */
export function matchLine(result: MatchResult): string {
  const { elo, eloError, llr, lower, upper, sprt, wins, losses, draws, penta, verdict } = result;
  const bounds = `(${lower.toFixed(2)}, ${upper.toFixed(2)})`;
  const test = sprt === null ? '' : `, LLR ${llr.toFixed(2)} ${bounds} [${sprt.elo0}, ${sprt.elo1}]`;
  const early = verdict === null ? '' : ' (stopped early)';
  return `Elo ${elo.toFixed(1)} +/- ${eloError.toFixed(1)}${early}${test}, +${wins} -${losses} =${draws}, Ptnml [${penta.join(', ')}]`;
}
