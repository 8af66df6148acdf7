import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { evaluate } from '../../../engine/eval/evaluate.js';
import { weightVectors } from '../../../engine/eval/weight-set.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { checkEngine, compileEngine } from '../../../tuner/weights/compile.js';

const root = mkdtempSync(join(tmpdir(), 'heft-compile-'));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => play(loadWeights('shipped')));

const play = (set: ReturnType<typeof loadWeights>): void => {
  const { mg, eg } = weightVectors(set);
  setWeights(mg, eg);
};

const FENS = [
  'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 2',
  'r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10',
  '8/p1p2pkp/1p4p1/3P4/2P5/1P3P2/P4KPP/8 w - - 0 30',
];

/** Returns the evaluations of the positions that an engine process prints, for White. */
function evaluations(build: string): number[] {
  const input = [...FENS.flatMap((fen) => [`position fen ${fen}`, 'eval']), 'quit', ''].join('\n');
  const output = execFileSync(process.execPath, [join(build, 'engine/main.js')], { input, encoding: 'utf8' });
  return [...output.matchAll(/^Evaluation: (-?\d+)/gm)].map((match) => Number(match[1]));
}

function expectedEvaluations(set: ReturnType<typeof loadWeights>): number[] {
  play(set);
  return FENS.map((fen) => {
    parseFen(fen);
    return evaluate();
  });
}

describe('a compiled engine', () => {
  const odd = loadWeights('material');
  odd.provenance = { origin: 'a test' };
  odd.terms['material'].forEach((pair, i) => {
    pair[0] += 10 * i;
  });
  odd.terms['psqt'].forEach((pair, i) => {
    pair[0] = ((i * 37) % 101) - 50;
    pair[1] = ((i * 53) % 89) - 40;
  });

  test('a compiled engine uses the given weights and replaces earlier contents of the folder', () => {
    const build = join(root, 'build');
    mkdirSync(`${build}.tmp/engine`, { recursive: true });
    writeFileSync(`${build}.tmp/engine/stray.js`, 'left behind by a killed process');
    compileEngine(loadWeights('material'), build);
    const material = evaluations(build);
    writeFileSync(join(build, 'engine/old.js'), '');

    compileEngine(odd, build);
    const changed = evaluations(build);
    expect(changed).toEqual(expectedEvaluations(odd));
    expect(changed).not.toEqual(material);
    expect(material).toEqual(expectedEvaluations(loadWeights('material')));
    expect(readdirSync(root)).toEqual(['build']);
    for (const stray of ['stray.js', 'old.js']) expect(existsSync(join(build, 'engine', stray))).toBe(false);
  });

  test('compiled engines with the same weights are identical byte for byte', () => {
    const [first, second] = ['build', 'again'].map((name) => join(root, name));
    compileEngine(odd, second);
    const files = readdirSync(second, { recursive: true, encoding: 'utf8' }).filter((file) => /\.js/.test(file));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      expect(readFileSync(join(first, file)).equals(readFileSync(join(second, file)))).toBe(true);
    }
  });

  test('compileEngine rejects a path inside a file', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => compileEngine(odd, join(root, 'file/build'))).toThrow(/^cannot create the folder/);
  });
});

test('a changed file of a compiled engine is rejected with an error that names the file', () => {
  const build = join(root, 'checked');
  compileEngine(loadWeights('material'), build);
  checkEngine(build);
  const remedy = `delete ${build} to compile the engine again`;
  const file = join(build, 'engine/eval/weights.js');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('300', '301'));
  expect(() => checkEngine(build)).toThrow(`${file}: changed; ${remedy}`);
  rmSync(file);
  expect(() => checkEngine(build)).toThrow(`${file}: missing; ${remedy}`);
  writeFileSync(file, text);
  checkEngine(build);
  const list = join(build, 'checksums.json');
  writeFileSync(list, readFileSync(list, 'utf8').replace('"a', '"b'));
  expect(() => checkEngine(build)).toThrow(`${list}: damaged; ${remedy}`);
  // Builds of earlier versions have no list
  rmSync(list);
  checkEngine(build);
});
