// The engine's bench signature: the node count of its bench. A run stores it to identify its engine. The bench takes seconds, so its result
// is cached beside the built engine, with a checksum of the engine's files.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bench } from '../../engine/commands/bench.js';
import { writeFileAtomic } from './files.js';
import { workerFile } from './program.js';
import { sha256 } from './run-files.js';

let nodes: number | null = null;

/** Returns the node count of the bench. The first call after a build runs the bench in this isolate's engine. */
export function benchSignature(): number {
  nodes ??= keptSignature();
  return nodes;
}

function keptSignature(): number {
  const folder = fileURLToPath(new URL('.', workerFile('engine/main')));
  const file = join(folder, '../signature.json');
  const checksum = checksumOf(folder);
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    if (kept.checksum === checksum && Number.isInteger(kept.nodes)) return kept.nodes;
  } catch {
    // No valid cache: the bench runs below
  }
  const counted = bench().nodes;
  try {
    writeFileAtomic(file, `${JSON.stringify({ checksum, nodes: counted })}\n`);
  } catch {
    // A read-only installation runs the bench every time
  }
  return counted;
}

function checksumOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|wasm)$/.test(file));
  return sha256(...files.sort().flatMap((file) => [`${file}\n`, readFileSync(join(folder, file))]));
}
