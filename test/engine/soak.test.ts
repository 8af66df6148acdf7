// Whole games through pipes: the process plays both sides from random openings, and chessops checks every move.

import { expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { oracleAt, oracleEnd, oracleFen, oracleMoves, oraclePlay } from '../support/oracle.js';
import { isLong, isSlow } from '../support/slow.js';
import { seedOf } from './board/walks.js';
import { EngineProcess } from './engine-process.js';
import { pick } from './fuzz/lines.js';
import { notation } from './fuzz/model.js';

const GAMES = isLong ? 100 : isSlow ? 40 : 2;
const OPENING_PLIES = 8;
const MAX_PLIES = 300;
const STARTS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1',
];
const LIMITS = ['nodes 60', 'movetime 1', 'wtime 60 btime 60 winc 1 binc 1', 'depth 2', 'wtime 0 btime 0'];

test(
  'all moves of complete games through pipes are legal',
  async () => {
    const seed = seedOf('soak');
    const engine = new EngineProcess();
    try {
      let plies = 0;
      for (let game = 0; game < GAMES; game++)
        plies += await play(engine, seed + game, STARTS[game % 2], game % 2 === 1);
      engine.send('quit');
      expect([await engine.exit, engine.stderr]).toEqual([0, '']);
      expect(plies).toBeGreaterThan(OPENING_PLIES * GAMES);
    } finally {
      engine.kill();
    }
  },
  60_000 + GAMES * 30_000,
);

async function play(engine: EngineProcess, seed: number, start: string, isChess960: boolean): Promise<number> {
  const random = createRandom(seed);
  const oracle = oracleAt(start);
  const moves: string[] = [];
  engine.send(`setoption name UCI_Chess960 value ${isChess960}`, 'ucinewgame');
  while (oracleEnd(oracle) === null && oracle.halfmoves < 100 && moves.length < MAX_PLIES) {
    const legal = oracleMoves(oracle);
    const written = legal.map((move) => notation(oracle, move, isChess960));
    let index = randomBelow(random, legal.length);
    if (moves.length >= OPENING_PLIES) {
      const path = moves.length === 0 ? '' : ` moves ${moves.join(' ')}`;
      const limit = pick(random, LIMITS);
      const answer = await engine.answer(`position fen ${start}${path}`, `go ${limit}`);
      const best = answer.at(-1)?.split(' ')[1] as string;
      index = written.indexOf(best);
      expect(index, `HEFT_SEED=${seed}: ${best} to ${limit} in ${oracleFen(oracle)}`).toBeGreaterThanOrEqual(0);
    }
    moves.push(written[index]);
    oraclePlay(oracle, legal[index]);
  }
  return moves.length;
}
