// Entry point of a self-play thread: tinypool calls the default export with a game's number.

import '../../engine/kernel-node.js';
import { workerData } from 'node:worker_threads';
import { OpeningError } from '../../engine/commands/random-opening.js';
import { control, setHashSize } from '../../engine/engine.js';
import { workingTime } from '../games/pauses.js';
import { type PlayedRecord, playSelfplayGame, type SelfplayGameSettings } from './game.js';

/**
 * A game, and the time in ms for which the process was suspended during it; or an error message, because errors lose their class between
 * threads.
 */
export type WorkerAnswer = (PlayedRecord & { suspended: number }) | { fault: string };

// Tinypool prepends its own data
const [, settings] = workerData as [unknown, SelfplayGameSettings];
setHashSize(settings.hash);
control.now = workingTime;

/** Plays the game with this number. */
export default function play(index: number): WorkerAnswer {
  try {
    const worked = workingTime();
    const began = performance.now();
    const played = playSelfplayGame(settings, index);
    const suspended = settings.tc === undefined ? 0 : performance.now() - began - (workingTime() - worked);
    return { ...played, suspended: Math.round(suspended) };
  } catch (error) {
    if (!(error instanceof OpeningError)) throw error;
    return { fault: error.message };
  }
}
