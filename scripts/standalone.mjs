// Packs the built engine into one executable file: node scripts/standalone.mjs FILE [WEIGHTS [1]]; 1 declares the search parameters
// as UCI options. The file is a short shell script with an archive behind it: it unpacks once into the user's cache and starts Node there.
// OpenBench needs that: it moves the one file that `make` leaves and deletes everything else.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const head = (id) => `#!/bin/sh
# Heft, a UCI chess engine that runs on Node 20.19 or later. Made by scripts/standalone.mjs
home="\${XDG_CACHE_HOME:-\${HOME:-/tmp}/.cache}/heft/${id}"
if [ ! -d "$home" ]; then
  part="$home.$$"
  mkdir -p "$part" && tail -n +13 "$0" | tar -xzf - -C "$part" || exit 1
  # Several may start at once: the first rename wins, a later one moves its copy inside
  mv "$part" "$home" && rm -rf "$home/\${part##*/}"
fi
[ -f "$home/weights.json" ] && set -- --weights "$home/weights.json" "$@"
[ -f "$home/tune" ] && set -- --tune-options "$@"
exec node "$home/dist/engine/main.js" "$@"
`;

function contentHash(folder) {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(`${entry.slice(folder.length)}\0`).update(readFileSync(entry));
  }
  return hash.digest('hex').slice(0, 16);
}

function pack(file, weights, tune) {
  const folder = mkdtempSync(join(tmpdir(), 'heft-'));
  try {
    cpSync(join(ROOT, 'dist', 'engine'), join(folder, 'dist', 'engine'), { recursive: true });
    copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    if (weights) copyFileSync(weights, join(folder, 'weights.json'));
    if (tune) writeFileSync(join(folder, 'tune'), '');
    const archive = execFileSync('tar', ['-czf', '-', '-C', folder, '.'], { maxBuffer: 2 ** 28 });
    rmSync(file, { force: true });
    writeFileSync(file, Buffer.concat([Buffer.from(head(contentHash(folder))), archive]), { mode: 0o755 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [file, weights, tune] = process.argv.slice(2);
try {
  if (!file) throw new Error('usage: node scripts/standalone.mjs FILE [WEIGHTS [1]]');
  pack(file, weights, tune);
} catch (error) {
  process.stderr.write(`standalone: ${error.message}\n`);
  process.exitCode = 1;
}
