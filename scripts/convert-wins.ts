// Whether won endings are won: node dist/scripts/convert-wins.js --suite FILE.tsv [--classes KQvK,KRvK] [--nodes 20000] [--count 100]
// The engine plays the stronger side against Stockfish at a fixed depth; a win counts if mate comes before fifty moves without
// progress and three repetitions do. Suite lines begin with class, FEN and White's result (2: won), parted by tabs; where a class
// has too few, its positions come again with colours exchanged.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { text, whole } from '../selfplay/common/options.js';
import { UciEngine } from '../selfplay/engines/uci-engine.js';
import { GameBoard } from '../selfplay/games/game-board.js';

const HOUR_MS = 3_600_000;
const WON = '2';

const flip = (fen: string): string => {
  const [board, side, , , ...clocks] = fen.split(' ');
  const exchanged = board
    .split('/')
    .reverse()
    .join('/')
    .replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
  return [exchanged, side === 'w' ? 'b' : 'w', '-', '-', ...clocks].join(' ');
};

/** Returns the won positions of each class, White or Black being the stronger side, up to a number of them. */
function readWins(
  file: string,
  classes: readonly string[],
  count: number,
): Map<string, { fen: string; strong: string }[]> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    classes.map((name) => {
      const rows = lines.map((line) => line.split('\t'));
      const fens = rows.filter(([first, , result]) => first === name && result === WON).map(([, fen]) => fen);
      if (fens.length === 0) throw new UserError(`${file}: no won position of class ${name}`);
      const all = [
        ...fens.map((fen) => ({ fen, strong: 'w' })),
        ...fens.map((fen) => ({ fen: flip(fen), strong: 'b' })),
      ];
      return [name, all.slice(0, count)];
    }),
  );
}

/** Plays the ending out; returns the plies it took to mate, or how else it ended. */
async function convert(
  { fen, strong }: { fen: string; strong: string },
  engine: UciEngine,
  defender: UciEngine,
  [nodes, depth]: readonly [number, number],
): Promise<number | string> {
  const game = new GameBoard({ start: fen, fen, moves: [] }, false);
  await engine.newGame(false);
  await defender.newGame(false);
  for (let ply = 0; ; ply++) {
    if (game.end !== null) return game.end === 'checkmate' ? ply : game.end;
    const isStrong = (fen.split(' ')[1] === strong) === (ply % 2 === 0);
    const { move } = isStrong
      ? await engine.go(game.command, `go nodes ${nodes}`, HOUR_MS)
      : await defender.go(game.command, `go depth ${depth}`, HOUR_MS);
    if (!game.play(move)) return `illegal move ${move}`;
  }
}

const OPTIONS = {
  suite: text({ required: true, help: 'positions as class, FEN and result of White (2: won), separated by tabs' }),
  classes: text({ default: 'KQvK,KRvK,KBBvK,KBNvK', help: 'classes to play' }),
  count: whole({ min: 1, default: 100, help: 'number of positions of each class' }),
  nodes: whole({ min: 1, default: 20_000, help: "the engine's nodes a move" }),
  depth: whole({ min: 1, default: 12, help: "the defender's depth" }),
  defender: text({ default: '/usr/games/stockfish', help: 'the engine that defends' }),
};

await runOnly('convert-wins', 'play won endings out', OPTIONS, async (args) => {
  const effort = [args.nodes, args.depth] as const;
  const suite = readWins(args.suite, args.classes.split(','), args.count);
  const engine = await UciEngine.start({
    command: process.execPath,
    args: [fileURLToPath(new URL('../engine/main.js', import.meta.url))],
    options: { Hash: '4' },
  });
  const defender = await UciEngine.start({ command: args.defender, args: [], options: { Hash: '4' } });
  let failures = 0;
  for (const [name, positions] of suite) {
    const plies: number[] = [];
    for (const position of positions) {
      const end = await convert(position, engine, defender, effort);
      if (typeof end === 'number') plies.push(end);
      else console.log(`${name} ${end}: ${position.fen}`);
    }
    failures += positions.length - plies.length;
    console.log(`${name}: ${plies.length} of ${positions.length} won, the longest in ${Math.max(...plies)} plies`);
  }
  await Promise.all([engine.quit(), defender.quit()]);
  if (failures > 0) process.exitCode = 1;
});
