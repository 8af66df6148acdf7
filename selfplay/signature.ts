// The engine's signature: the nodes of its bench, by which a folder's run knows the engine it began with.

import { bench } from '../engine/bench.js';

let nodes: number | null = null;

/** Returns the nodes of this engine's bench; it takes most of a second the first time. Uses the engine's position and table. */
export function engineSignature(): number {
  nodes ??= bench().nodes;
  return nodes;
}
