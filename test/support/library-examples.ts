// The examples of the library's README, and what each prints.

import { readFileSync } from 'node:fs';

const README = new URL('../../engine/npm/README.md', import.meta.url);
const codes = Array.from(readFileSync(README, 'utf8').matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code);

const PRINTED = [
  /^[a-h][1-8][a-h][1-8]\n$/,
  /^1 \{ cp: -?\d+ \} [\s\S]*\n10 \{ cp: -?\d+ \} .*\n[a-h][1-8][a-h][1-8] \d+\n$/,
  /^d1d8 \[ \{ mate: 1 \}, \{ cp: -?\d+ \} \]\nTimeoutError\n$/,
  /^\d+ 0 \{ name: 'passedPawn', mg: -?\d+, eg: -?\d+, tapered: -?\d+ \}\n0\n$/,
  /^Bxf7\+ is −\d\.\d\d, O-O is \S+\.\nMaterial \d+\n$/,
  /^20 8902\ncheckmate d8h4 rnb1kbnr\/pppp1ppp\/8\/4p3\/6Pq\/5P2\/PPPPP2P\/RNBQKBNR w KQkq - 1 3\n\[[^\]]*'e4'[^\]]*\]\n$/,
];
if (codes.length !== PRINTED.length) throw new Error(`${codes.length} examples instead of ${PRINTED.length}`);

export const EXAMPLES = codes.map((code, i) => ({ code, printed: PRINTED[i] }));
