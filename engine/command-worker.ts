// Thread for a command of the program (bench, genfens or help), so the main thread does not have to load the engine. It posts the lines to
// print, or an error if the arguments are invalid.

import './kernel-node.js';
import { parentPort, workerData } from 'node:worker_threads';
import { ArgumentError, commandLines } from './commands/commands.js';
import { control, useWeights } from './engine.js';
import { readText } from './machine.js';

/** Data of the thread. */
export interface CommandData {
  words: readonly string[];
  /** Text of a valid weights file. */
  weights?: string;
}

/** A line to print, or the error message about an invalid argument. */
export type CommandMessage = string | { error: string };

const { words, weights } = workerData as CommandData;
const post = (message: CommandMessage): void => parentPort?.postMessage(message);
control.now = () => performance.now();
if (weights !== undefined) useWeights(weights);
try {
  for (const line of commandLines(words, readText)) post(line);
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error;
  post({ error: error.message });
}
