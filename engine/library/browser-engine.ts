// Creates engines in browser workers, and installs the board's JavaScript functions, so positions need no worker.

import { hasLegalEp, isInCheck, isKingAttacked } from '../board/attacked.js';
import { fillAttackTables } from '../board/bitboards/attacks.js';
import { isMaterialDraw, repetitionCount } from '../board/draws.js';
import { useBoardFunctions } from '../board/kernel.js';
import { isLegal } from '../board/legality.js';
import { makeMove, unmakeMove } from '../board/makemove.js';
import { generateLegal, perft } from '../board/movegen.js';
import { refreshBoards, refreshSums } from '../board/placement.js';
import type { Batch, ScriptWorker } from '../uci/lines.js';
import { createEngineOn } from './engine.js';
import type { Engine, EngineOptions } from './types.js';

declare const Worker: new (url: string, options: { type: 'module'; name: string }) => ScriptWorker;

const REMEDY = "import 'heft-chess/inline', which embeds the worker, or call createEngine({ worker: url })";

/** Vite's development server moves the library, but not its worker. */
const VITE_REMEDY = `add optimizeDeps: { exclude: ['heft-chess'] } to Vite's configuration, or ${REMEDY}`;

function loadError(url: string, reason = 'no such script'): Error {
  const remedy = url.includes('/.vite/') ? VITE_REMEDY : REMEDY;
  return new Error(`the engine's worker did not load from ${url}: ${reason}; ${remedy}`);
}

// The board's functions run as JavaScript, which suffices for single positions; searches run in the worker
fillAttackTables();
useBoardFunctions({
  generateLegal,
  hasLegalEp,
  isInCheck,
  isKingAttacked,
  isLegal,
  isMaterialDraw,
  makeMove,
  perft,
  refreshBoards,
  refreshSums,
  repetitionCount,
  unmakeMove,
});

/** Returns an engine whose workers come from the URL in its options, or from `startOwn`; error messages name `ownUrl()` for the latter. */
export function createBrowserEngine(
  options: EngineOptions,
  ownUrl: () => string,
  startOwn: () => ScriptWorker,
): Promise<Engine> {
  return createEngineOn(() => {
    const address = options.worker;
    const given = typeof address === 'object' ? address.href : address;
    const url = given ?? ownUrl();
    let worker: ScriptWorker;
    try {
      // uci.js runs as a search thread if the worker has this name
      worker = given === undefined ? startOwn() : new Worker(given, { type: 'module', name: 'heft-search' });
    } catch (cause) {
      throw loadError(url, (cause as Error).message);
    }
    return {
      post: (message) => worker.postMessage(message),
      listen: (onBatch, onError) => {
        worker.addEventListener('message', ({ data }) => onBatch(data as Batch));
        // If loading fails, the event has no message
        worker.addEventListener('error', ({ message }) =>
          onError(message === undefined ? loadError(url) : new Error(message)),
        );
      },
      terminate: () => worker.terminate(),
    };
  }, options);
}
