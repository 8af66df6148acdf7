// The thread that plays self-play games: tinypool calls the default export with a game's number.

import '../engine/flags.js';
import { workerData } from 'node:worker_threads';
import { control, setHashSize, setWeights } from '../engine/engine.js';
import { type GameSettings, type PlayedRecord, playTrainingGame } from './training-game.js';

/** What the pool hands to each of its threads. */
export interface TrainingWorkerData {
  settings: GameSettings;
  hash: number;
  mg: Int32Array;
  eg: Int32Array;
}

// Tinypool puts its own data before the caller's
const { settings, hash, mg, eg } = (workerData as [unknown, TrainingWorkerData])[1];
setHashSize(hash);
setWeights(mg, eg);
control.now = () => performance.now();

/** Plays the game with this number. */
export default function play(index: number): PlayedRecord {
  return playTrainingGame(settings, index);
}
