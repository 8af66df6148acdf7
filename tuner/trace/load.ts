// From data paths to one dataset: chunks go to tracing workers, their parts are joined in the order of the data, so
// that the number of workers changes nothing but the time.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { type Dataset, type DatasetPart, joinParts } from '../dataset/dataset.js';
import { findRepeats } from '../dataset/repeats.js';
import { type Chunk, type Intake, newIntake } from './chunks.js';
import type { LoadObserver, LoadSettings } from './load-settings.js';
import { addPortrait, countBad, emptyPortrait, formatPortrait, type Portrait } from './portrait.js';
import { traceChunks } from './trace-pool.js';

export interface Loaded {
  dataset: Dataset;
  portrait: Portrait;
  /** Every file read; the name without its folder. */
  files: { name: string; sha256: string }[];
  /** Rows of each chunk of the data, for a second look at them. */
  chunkRows: number[];
  /** Each row's first row of the same position. */
  firstSame: Uint32Array;
}

/** Lines of labelled positions that are kept on one side of the split: neighbours often come from one game. */
const LARGEST_BLOCK = 64;
const BLOCKS_WANTED = 50;

/** Reads and traces the data; data without a usable position, or a trace that fails a guard, are a UserError. */
export async function loadData(settings: LoadSettings, observer: LoadObserver = {}): Promise<Loaded> {
  const intake = newIntake();
  const parts: TracedPart[] = [];
  const portraits: Portrait[] = [];
  await traceChunks(settings, intake, observer, {
    onResult: (index, { kind, file, firstGame }, result) => {
      parts[index] = { kind, file, firstGame, part: result.part, keys: result.keys };
      portraits[index] = result.portrait;
    },
    onChunk: () => observer.onProgress?.(sumOf(portraits)),
  });

  const portrait = sumOf(portraits);
  addIntake(portrait, intake);
  const dataset = joinParts(
    parts.map(({ kind, file, part }) => (kind === 'games' ? part : inBlocks(part, file, intake))),
  );
  portrait.games = dataset.opening.length;
  const firstSame = addRepeats(portrait, parts, dataset);
  if (portrait.kept === 0)
    throw new UserError(`no usable position in ${settings.data.join(', ')}\n${formatPortrait(portrait)}`);
  const files = await Promise.all(
    [...intake.files].map(async (file) => ({ name: basename(file), sha256: await fileHash(file) })),
  );
  return { dataset, portrait, files, chunkRows: parts.map(({ part }) => part.phase.length), firstSame };
}

/** Parts that are still being traced are holes in the list. */
function sumOf(portraits: readonly Portrait[]): Portrait {
  const sum = emptyPortrait();
  for (const portrait of portraits) if (portrait !== undefined) addPortrait(sum, portrait);
  return sum;
}

/** What is remembered of a chunk. */
interface TracedPart {
  kind: Chunk['kind'];
  file: string;
  firstGame: number;
  part: DatasetPart;
  keys: Uint32Array;
}

/** Counts the repeats, and returns each row's first row of the same position. */
function addRepeats(portrait: Portrait, parts: readonly TracedPart[], dataset: Dataset): Uint32Array {
  const keys = new Uint32Array(2 * dataset.phase.length);
  const starts: number[] = [];
  let row = 0;
  for (const part of parts) {
    keys.set(part.keys, 2 * row);
    starts.push(row);
    row += part.part.phase.length;
  }
  const placeOf = (of: number): string => {
    const index = starts.findLastIndex((start) => start <= of);
    const { kind, file, firstGame, part } = parts[index];
    const game = part.game[of - starts[index]];
    // Rows from lines are games of their own, named by line
    return kind === 'games' ? `${file}: game ${firstGame + game + 1} of the data` : `${file}:${part.opening[game]}`;
  };
  const { first, distinct, repeated, contradicting, examples } = findRepeats(keys, dataset.result);
  Object.assign(portrait, { distinct, repeated, contradicting });
  portrait.contradictions = examples.map(
    (example) => `${placeOf(example.row)}: another result than in ${placeOf(example.first)}`,
  );
  return first;
}

function addIntake(portrait: Portrait, intake: Intake): void {
  portrait.lines = intake.lineCounts;
  portrait.excluded = intake.records.excluded;
  for (const { count, messages } of [intake.records.problems, intake.problems]) {
    portrait.bad += count;
    for (const message of messages) countBad(portrait, message, 0);
  }
}

/** Makes games of blocks of lines: part.opening holds each row's line number, and is replaced by a hash of the block. */
function inBlocks(part: DatasetPart, file: string, intake: Intake): DatasetPart {
  const lines = intake.lines.get(file) ?? 0;
  const size = Math.max(1, Math.min(LARGEST_BLOCK, Math.floor(lines / BLOCKS_WANTED)));
  const salt = [...intake.lines.keys()].indexOf(file);
  const opening: number[] = [];
  let block = -1;
  const game = part.game.map((row) => {
    const next = Math.floor(part.opening[row] / size);
    if (next !== block) opening.push(Math.imul(next, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b));
    block = next;
    return opening.length - 1;
  });
  return { ...part, game, opening: Uint32Array.from(opening, (hash) => hash >>> 0) };
}

async function fileHash(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
