// Packs the built engine into one script that needs only Node: node scripts/standalone.mjs FILE [WEIGHTS [1]]; 1 declares the search
// parameters as UCI options. OpenBench needs that: it moves the one file that `make` leaves and deletes everything else.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { program } from './bundle.mjs';

async function pack(file, weights, tune) {
  const { dataUrl } = await import('../dist/engine/data-url.js');
  const args = weights ? ['--weights', dataUrl(readFileSync(weights, 'utf8'))] : [];
  if (tune) args.push('--tune-options');
  const code = await program(args);
  // An engine that runs keeps the file that it was started from
  rmSync(file, { force: true });
  writeFileSync(file, code, { mode: 0o755 });
}

const [file, weights, tune] = process.argv.slice(2);
try {
  if (!file) throw new Error('usage: node scripts/standalone.mjs FILE [WEIGHTS [1]]');
  await pack(file, weights, tune);
} catch (error) {
  process.stderr.write(`standalone: ${error.message}\n`);
  process.exitCode = 1;
}
