// openLedger() and saveLedger(): the ledger in a loop's folder. It records the complete generations of the run. An interrupted run
// continues after the last of them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeOf, UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { identityOf } from '../../selfplay/common/options.js';
import { refuseOtherRun, sealedJson, unsealedJson } from '../../selfplay/common/run-files.js';
import { type GenerationEntry, type Ledger, LOOP_OPTIONS, type LoopSettings } from './settings.js';

export const LEDGER_FILE = 'ledger.json';

/**
 * Returns the ledger of the run in the folder, or a new one if there is none. Throws a UserError if the run has other settings or another
 * engine, or if its ledger is damaged.
 */
export function openLedger(folder: string, settings: LoopSettings, engine: string, bench: number): Ledger {
  const path = join(folder, LEDGER_FILE);
  if (!existsSync(path)) {
    const ledger: Ledger = { settings, engine, bench, generations: [], final: null };
    saveLedger(folder, ledger);
    return ledger;
  }
  let ledger: Ledger;
  try {
    ledger = unsealedJson(readFileSync(path, 'utf8')) as Ledger;
    if (!Array.isArray(ledger?.generations)) throw new Error('it lists no generations');
    if (typeof ledger.settings !== 'object' || ledger.settings === null) throw new Error('it has no settings');
  } catch (error) {
    throw new UserError(`${path} is not a loop's ledger: ${causeOf(error)}; choose another --out`);
  }
  refuseOtherRun(folder, 'loop', identityOf(LOOP_OPTIONS, ledger.settings), identityOf(LOOP_OPTIONS, settings));
  if (ledger.bench !== bench) {
    throw new UserError(
      `${folder} holds a loop of another engine (bench ${ledger.bench}, now ${bench}); choose another --out`,
    );
  }
  const goesOn = !hasEnded(settings, ledger.generations);
  return { ...ledger, settings, final: goesOn ? null : ledger.final };
}

/** Returns whether the loop has ended: after its maximum number of generations, or if none of the last `patience` ones was accepted. */
export function hasEnded({ generations: most, patience }: LoopSettings, entries: readonly GenerationEntry[]): boolean {
  const recent = entries.slice(-patience);
  return entries.length >= most || (recent.length === patience && recent.every(({ accepted }) => !accepted));
}

/** Writes the ledger atomically. */
export function saveLedger(folder: string, ledger: Ledger): void {
  writeFileAtomic(join(folder, LEDGER_FILE), `${sealedJson(ledger, 2)}\n`);
}

/** Returns the generation from whose weights generation `before` starts: the last accepted one, or 0 for the start. */
export function bestBefore(generations: readonly GenerationEntry[], before: number): number {
  const best = generations.findLast(({ accepted, generation }) => accepted && generation < before);
  return best?.generation ?? 0;
}

/**
 * Returns the generation that represents a run in the joint fit: the last one that was accepted, or that is undecided with a positive Elo;
 * 0 if there is none. Undecided generations count, because a match is too short to prove most late gains.
 */
export function lastGain(generations: readonly GenerationEntry[]): number {
  const gained = generations.findLast(
    ({ accepted, match }) => accepted || (match !== null && match.verdict === null && match.elo > 0),
  );
  return gained?.generation ?? 0;
}

/**
 * Returns the last generation with labels; 0 if there is none. Its labels are useful even if the match rejected the weights fitted to them:
 * they come from searches with earlier weights, and a fit to the labels of several runs has other errors.
 */
export function lastLabelled(generations: readonly GenerationEntry[]): number {
  return generations.findLast(({ labels }) => labels !== null)?.generation ?? 0;
}
