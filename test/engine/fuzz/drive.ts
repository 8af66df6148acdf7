// Plays a session against the real process and compares its output with the model.

import { oracleAt, oracleMoves, oraclePlay } from '../../support/oracle.js';
import { EngineProcess } from '../engine-process.js';
import { fault } from './grammar.js';
import { Model, notation, type Search } from './model.js';
import type { Session } from './session.js';

const count = (lines: readonly string[], start: string): number =>
  lines.filter((line) => line.startsWith(start)).length;

// Output is not read while the input continues, so the engine must buffer it
function leaveUnread(engine: EngineProcess, ms: number): void {
  engine.child.stdout.pause();
  setTimeout(() => engine.child.stdout.resume(), ms);
}

/** Plays the session and returns the number of its searches; throws an error that describes the fault. */
export async function drive({ steps, ending }: Session): Promise<number> {
  const engine = new EngineProcess();
  const model = new Model();
  const sent: Buffer[] = [];
  const send = (data: Buffer | string): void => {
    const bytes = Buffer.from(data);
    sent.push(bytes);
    model.read(bytes);
    engine.child.stdin.write(bytes);
  };
  const isAnswered = (): boolean =>
    count(engine.lines, 'bestmove') >= model.searches.length && count(engine.lines, 'readyok') >= model.readyoks;
  try {
    for (const step of steps) {
      if (engine.child.exitCode !== null) throw new Error(`exit with ${engine.child.exitCode} before quit`);
      if (step === 'settle') {
        send('\nstop\nisready\n');
        await engine.when(isAnswered, 'all answers after stop');
      } else if ('send' in step) send(step.send);
      else if ('unread' in step) leaveUnread(engine, step.unread);
      else await new Promise((resolve) => setTimeout(resolve, step.pause));
    }
    if (ending === 'eof') model.end();
    else send(`\nquit\n${ending === 'more' ? 'isready\ngo depth 3\nuci\nquit\n' : ''}`);
    // The input may stay open after quit: the engine must exit anyway
    if (ending !== 'quit') engine.child.stdin.end();
    await engine.when(() => engine.child.exitCode !== null, 'the exit');
    const code = await engine.exit;
    if (code !== 0) throw new Error(`exit code ${code}`);
    if (engine.stderr !== '') throw new Error('something on stderr');
    check(engine.lines, model);
    return model.searches.length;
  } catch (error) {
    const input = Buffer.concat(sent).toString().split('\n').slice(-25);
    const tail = (lines: readonly string[]): string => lines.map((line) => line.slice(0, 200)).join('\n  ');
    throw new Error(
      `${(error as Error).message}\nlast input:\n  ${tail(input)}\nlast output:\n  ${tail(engine.lines.slice(-15))}\nstderr: ${engine.stderr}`,
      { cause: error },
    );
  } finally {
    engine.kill();
  }
}

function check(lines: readonly string[], model: Model): void {
  const expected: [string, number][] = [
    ['bestmove', model.searches.length],
    ['readyok', model.readyoks],
    ['uciok', model.ucioks],
  ];
  for (const [start, wanted] of expected) {
    const found = count(lines, start);
    if (found !== wanted) throw new Error(`${found} lines ${start} instead of ${wanted}`);
  }
  let search = 0;
  let pv: string[] = [];
  for (const line of lines) {
    const wrong = fault(line, model.isTalkative);
    if (wrong !== null) throw new Error(`${wrong}: ${line.slice(0, 500)}`);
    const isBest = / score .* pv /.test(line) && !/ multipv (?!1 )/.test(line) && !/bound /.test(line);
    if (isBest && !line.startsWith('info string')) pv = line.slice(line.indexOf(' pv ') + 4).split(' ');
    if (!line.startsWith('bestmove')) continue;
    const asked = model.searches[search++];
    const wrongMove = moveFault(line.split(' '), pv, asked);
    if (wrongMove !== null)
      throw new Error(`${wrongMove}: ${line} to ${asked.line.slice(0, 500)} in ${asked.fen}; pv ${pv.join(' ')}`);
    pv = [];
  }
}

function moveFault(
  [, best, , ponder]: string[],
  pv: string[],
  { fen, legal, searchMoves, isChess960 }: Search,
): string | null {
  if (legal.length === 0) return best === '(none)' ? null : 'a move where there is none';
  if (!legal.includes(best)) return 'an illegal move';
  if (searchMoves.length > 0 && !searchMoves.includes(best)) return 'not one of the searchmoves';
  if (pv[0] !== best) return 'not the first move of the last pv';
  const oracle = oracleAt(fen);
  for (const move of ponder !== undefined && pv.length < 2 ? [best, ponder] : pv) {
    const named = oracleMoves(oracle).filter((uci) => notation(oracle, uci, isChess960) === move);
    if (named.length === 0) return `an illegal ${move} after the move`;
    // Without Chess960 notation a king move and castling can have the same text
    if (named.length > 1) break;
    oraclePlay(oracle, named[0]);
  }
  return ponder === undefined || ponder === pv[1] ? null : 'a ponder move that is not in the pv';
}
