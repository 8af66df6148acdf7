// What a match is: its engines, limits, openings and stop rule. Everything that can change a game or the verdict goes into
// the identity that a run's folder keeps; concurrency and output do not.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { EngineSpec } from '../engines/engine-process.js';
import type { Adjudication } from '../games/adjudication.js';
import type { Limits } from '../games/clock.js';
import type { OpeningSettings } from '../games/openings.js';
import type { SprtSettings } from '../statistics/figures.js';

export interface Competitor {
  spec: EngineSpec;
  limits: Limits;
  /** Its rating in a tournament's table, where that is known. */
  anchor?: number;
}

/** What a match and a tournament have in common. */
export interface SeriesSettings {
  engines: Competitor[];
  openings: OpeningSettings;
  chess960: boolean;
  adjudication: Adjudication;
  seed: number;
  /** Games played at the same time. */
  concurrency: number;
  /** Folder for journal, games and result; the series is kept in memory only when there is none. */
  out?: string;
  /** Further files, made anew: the games as PGN (gzipped if so named) and as training records, the events with all moves. */
  pgn?: string;
  viriformat?: string;
  events?: string;
}

/** Two engines, the candidate and the baseline; results are the first one's. */
export interface MatchSettings extends SeriesSettings {
  /** Games to play; with an SPRT, the most games. */
  games: number;
  sprt?: SprtSettings;
}

/** The SPRT that a match is decided by unless told otherwise: gains worth having, errors of 5 %. */
export const DEFAULT_SPRT: SprtSettings = { elo0: 0, elo1: 5, alpha: 0.05, beta: 0.05, model: 'normalized' };

/** A list of named values, all text, in which two runs can be compared. */
export type Identity = Record<string, string>;

/** Returns the names with a number behind those that have been there before. */
export function uniqueNames(names: string[]): string[] {
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}

/** Returns what two runs must share to be the same series, apart from their schedules. */
export function seriesIdentity(settings: SeriesSettings): Identity {
  const { engines, openings, chess960, adjudication, seed } = settings;
  const identity: Identity = {};
  const fingerprints = new Map<string, string>();
  engines.forEach(({ spec, limits }, i) => {
    const { command, args, folder = '', options, restart = false, name = '' } = spec;
    identity[`engine ${i + 1}`] = JSON.stringify({ name, command, args, folder, options, restart });
    identity[`engine ${i + 1}'s program or weights`] = fingerprint(spec, fingerprints);
    identity[`limits of engine ${i + 1}`] = JSON.stringify(limits);
  });
  const book = openings.file === undefined ? 'random' : `${openings.file} ${hash(readFileSync(openings.file))}`;
  identity['openings'] = openings.file === undefined ? book : `${book} ${openings.order}`;
  if (openings.skip !== undefined) identity['first opening'] = String(openings.skip + 1);
  if (openings.isDouble === true) identity['openings'] += ' double Chess960';
  identity['plies'] = String(openings.plies);
  identity['chess960'] = String(chess960);
  identity['adjudication'] = JSON.stringify(adjudication);
  identity['seed'] = String(seed);
  return identity;
}

/** Returns the conditions that games are played under, for provenance: of the engines their limits and tables, not their commands. */
export function conditionsOf(settings: SeriesSettings): Identity {
  const conditions = seriesIdentity(settings);
  settings.engines.forEach(({ spec }, i) => {
    delete conditions[`engine ${i + 1}`];
    delete conditions[`engine ${i + 1}'s program or weights`];
    conditions[`hash of engine ${i + 1}`] = spec.options['Hash'] ?? 'default';
  });
  return conditions;
}

/** Returns the first difference of two identities in words, or null. */
export function identityDifference(old: Identity, now: Identity): string | null {
  for (const key of Object.keys({ ...old, ...now })) {
    if (old[key] !== now[key]) return `another ${key} (${old[key] ?? 'none'}, now ${now[key] ?? 'none'})`;
  }
  return null;
}

// An engine is the contents of its program and of the files its arguments name: a rebuilt one plays another match.
// Those that are the same are read once: one with its network built in is large, and often plays itself.
function fingerprint(spec: EngineSpec, known: Map<string, string>): string {
  const { command, args, folder = '.', files = [] } = spec;
  const named = [findProgram(command, folder), ...args.map((arg) => resolve(folder, arg)), ...files];
  const programs = named.filter((file) => file !== process.execPath && isFile(file));
  const key = programs.join('\0');
  const sum = known.get(key) ?? hash(...programs.map((file) => readFileSync(file)));
  known.set(key, sum);
  return sum;
}

function findProgram(command: string, folder: string): string {
  if (command.includes('/')) return resolve(folder, command);
  const places = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, command));
  return places.find(isFile) ?? command;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function hash(...contents: Buffer[]): string {
  const sum = createHash('sha256');
  for (const content of contents) sum.update(content);
  return sum.digest('hex').slice(0, 16);
}
