// The settings of a match or tournament, and their identity: everything that can change a game, but not the schedule, the number of workers
// or the output.

import { delimiter, join, resolve } from 'node:path';
import { isFile } from '../common/files.js';
import { flag, identityOf, type SettingsOf, text, words } from '../common/options.js';
import type { Identity } from '../common/run-files.js';
import type { EngineSpec } from '../engines/process.js';
import type { NamedEngine } from '../engines/spec.js';
import type { GameLimits } from '../games/clock.js';
import { sha256OfFile } from '../records/shard.js';
import { GAME_OPTIONS, type GameSettings } from './game-settings.js';
import { parseMoveNotes } from './move-notes.js';

export interface Competitor extends NamedEngine {
  limits: GameLimits;
}

/** Options for further output of a run. */
export const SERIES_OPTIONS = {
  'pgn-notes': words(
    'additional fields in the PGN move comments: nodes seldepth nps hashfull tbhits timeleft pv, or all',
    parseMoveNotes,
  ),
  event: text('Event tag of the PGN', { defaultText: 'Heft match' }),
  site: text('Site tag of the PGN'),
  viriformat: text('file for the games as training records, with -32768 for an unknown score', { isPath: true }),
  events: text(
    'file for events as JSON lines, including every move; if a run is continued, its earlier moves are missing; the run folder has the same events without moves',
    {
      isPath: true,
    },
  ),
  log: text('file to which all input and output of the engines is appended', { isPath: true }),
  affinity: flag('bind each parallel game to its own processors (Linux)'),
};

/** Settings shared by matches and tournaments. */
export interface SeriesSettings extends GameSettings, Partial<SettingsOf<typeof SERIES_OPTIONS>> {
  engines: Competitor[];
  /** Folder for journal, games and result; without it the series is kept only in memory. */
  out?: string;
  /** Additional PGN file for the games, gzipped if its name ends in .gz. */
  pgn?: string;
}

/** Returns the names, with numbers appended to repeated ones. */
export function uniqueNames(names: readonly string[]): string[] {
  const unique: string[] = [];
  for (const name of names) {
    let one = name;
    for (let number = 2; unique.includes(one); number++) one = `${name} ${number}`;
    unique.push(one);
  }
  return unique;
}

/** Returns the identity of a series without its schedule. */
export function seriesIdentity(settings: SeriesSettings): Identity {
  const fingerprints = new Map<string, string>();
  const engines = settings.engines.map(({ spec, limits }, i) => {
    const { folder = '', options, restart = false, name = '' } = spec;
    // Heft's program is identified by its contents alone, so the folders of Heft and Node may change
    const [command, ...args] =
      spec.files === undefined ? [spec.command, ...spec.args] : ['heft', ...spec.args.slice(1)];
    const program = fingerprint(spec, fingerprints);
    return [`engine ${i + 1}`, { name, command, args, folder, options, restart, limits, program }];
  });
  return { ...Object.fromEntries(engines), ...gamesIdentity(settings) };
}

/** Returns the playing conditions for provenance, with the engines' limits and hash sizes but not their commands. */
export function conditionsOf(settings: SeriesSettings): Identity {
  const engines = settings.engines.map(({ spec, limits }, i) => {
    return [`engine ${i + 1}`, { limits, hash: spec.options['Hash'] ?? 'default' }];
  });
  return { ...Object.fromEntries(engines), ...gamesIdentity(settings) };
}

function gamesIdentity(settings: SeriesSettings): Identity {
  const { openings } = settings;
  return {
    ...identityOf(GAME_OPTIONS, settings),
    ...(openings !== undefined && { book: shortHash(openings) }),
  };
}

// An engine is identified by the contents of its program and of files named in its arguments and in options for weights, so a match with a
// rebuilt engine counts as a different match. Logs are left out, because the engine may write to them. Files that several engines share are
// read once, because embedded networks make programs large.
function fingerprint(spec: EngineSpec, known: Map<string, string>): string {
  const programs = programFiles(spec);
  const key = programs.join('\0');
  const sum = known.get(key) ?? shortHash(...programs);
  known.set(key, sum);
  return sum;
}

/** Returns the paths of an engine's program and of the files in its arguments and in options for weights, without logs. */
export function programFiles({ command, args, folder = '.', files = [], options }: EngineSpec): string[] {
  const weights = Object.entries(options).flatMap(([name, value]) => (WEIGHTS_OPTION.test(name) ? [value] : []));
  const paths = [...args, ...weights].map((path) => resolve(folder, path));
  const named = [findProgram(command, folder), ...paths, ...files];
  return named.filter((file) => file !== process.execPath && !/\.log$/i.test(file) && isFile(file));
}

/** Options that name a file of weights, such as EvalFile, EvalFileSmall, WeightsFile and NNUE Path. */
const WEIGHTS_OPTION = /^(?:eval|nnue|net|network|weights)s?_?\s?(?:file|path|name)?(?:small)?$/i;

function findProgram(command: string, folder: string): string {
  if (command.includes('/')) return resolve(folder, command);
  const places = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, command));
  return places.find(isFile) ?? command;
}

const shortHash = (...files: string[]): string => sha256OfFile(...files).slice(0, 16);
