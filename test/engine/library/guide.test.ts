// The examples of docs/explain.md and of the package's README are current answers. `npx vitest run test/engine/library/guide.test.ts -u` updates them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../../../engine/library/node.js';
import type { ExplainRequest } from '../../../engine/library/types.js';

const GUIDE = resolve('docs/explain.md');
const README = resolve('engine/npm/README.md');
/** A position, further arguments, and the quoted answer. */
const EXAMPLE = /^`([^`]+ [wb] [^`]+)`(?:, `(\{.*\})`)?\n\n((?:> .*\n)+)/gm;

test('the guide quotes ten current answers of explain', async () => {
  const text = readFileSync(GUIDE, 'utf8');
  const examples = Array.from(text.matchAll(EXAMPLE));
  expect(examples).toHaveLength(10);
  const engine = await createEngine();
  let updated = text;
  for (const [whole, fen, request = '{}', answer] of examples) {
    await engine.newGame();
    const { sentences } = await engine.explain(fen, { ...(JSON.parse(request) as ExplainRequest), nodes: 50_000 });
    const lines = sentences.map((line) => `> ${line}`).join('  \n');
    updated = updated.replace(whole, () => whole.replace(answer, () => `${lines}\n`));
  }
  engine.close();
  await expect(updated).toMatchFileSnapshot(GUIDE);
});

test("the package's README quotes the current answer of its example", async () => {
  const text = readFileSync(README, 'utf8');
  const [, fen] = /const fen = '(.*)';\nconst \{ move, differences/.exec(text) as unknown as [string, string];
  const engine = await createEngine();
  const { sentences } = await engine.explain(fen, { move: 'Bxf7+', against: 'O-O' });
  engine.close();
  const updated = text.replace(/(?<=sentences\[0\]\); \/\/ ).*/, () => sentences[0]!);
  await expect(updated).toMatchFileSnapshot(README);
});
