// A scripted UCI engine for tests. Its moves depend only on the position, its seed and the node limit, and it misbehaves on request.
// Arguments are name=value; a ply counts this engine's own moves in a game, from 1:
//   seed=N          selects among the legal moves
//   greedy=1        captures the most valuable piece, which beats the other engines
//   score=CP        reports that score (default 0); score=none reports nothing, score=mate:N a mate
//   crash=PLY  hang=PLY  illegal=PLY  none=PLY  upper=PLY  late=PLY:MS  deaf=PLY (no answer, even to stop)
//   freeze=PLY      stops its own process with SIGSTOP
//   game=N          misbehaves only in its Nth game (counted per process)
//   garbage=1       prints lines that are not UCI around its answers, one of them very long
//   split=1         writes its answers in pieces
//   bounds=1        ends its output with a bound, and a second principal variation
//   ponder=1        declares Ponder; guess=SEED predicts the reply of an engine with that seed
//   nomove=PLY      sends bestmove without a move
//   start=crash|mute|junk   fails to start
//   flaky=FILE      after a crash, crashes once more at the next start
//   log=FILE        appends its input to the file
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import { makeUci, parseUci } from 'chessops/util';

const settings = Object.fromEntries(process.argv.slice(2).map((word) => word.split(/=(.*)/s)));
const VALUES = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
const STARTPOS = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const options = new Map();
let position = Chess.default();
let games = 0;
let ply = 0;

const say = (text) => process.stdout.write(`${text}\n`);

function setPosition(words) {
  const moves = words.indexOf('moves');
  const fen = words[1] === 'fen' ? words.slice(2, moves < 0 ? undefined : moves).join(' ') : STARTPOS;
  position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
  if (moves > 0) for (const move of words.slice(moves + 1)) position.play(parseUci(move));
}

function hash(...values) {
  let h = 2166136261;
  for (const c of values.join(' ')) h = Math.imul(h ^ c.charCodeAt(0), 16777619);
  return (h ^ (h >>> 15)) >>> 0;
}

function chooseMove(nodes, preference = settings.seed ?? 1) {
  const seed = hash(preference, nodes, [...position.board].map(([square, piece]) => square + piece.role).join());
  let best;
  let bestValue = -1;
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const isPromotion = position.board.get(from).role === 'pawn' && (to < 8 || to >= 56);
      const move = isPromotion ? { from, to, promotion: 'queen' } : { from, to };
      const captured = position.board.get(to);
      const gain = captured !== undefined && captured.color !== position.turn ? VALUES[captured.role] : 0;
      const value =
        (settings.greedy === '1' ? 1000 * (gain + (isPromotion ? 8 : 0)) : 0) + (hash(seed, from, to) % 1000);
      if (value > bestValue) [best, bestValue] = [move, value];
    }
  }
  return best;
}

// allDests gives castling as king takes rook, but standard chess requires the king's target square.
function toUci(move) {
  const text = makeUci(move);
  const piece = position.board.get(move.from);
  const target = position.board.get(move.to);
  if (piece.role !== 'king' || target?.color !== piece.color || options.get('UCI_Chess960') === 'true') return text;
  return text.slice(0, 2) + (move.to > move.from ? 'g' : 'c') + text[1];
}

function guessReply(nodes, move) {
  if (settings.guess === undefined) return 'a1a1';
  const before = position;
  position = before.clone();
  position.play(move);
  const reply = position.isEnd() ? undefined : toUci(chooseMove(nodes, settings.guess));
  position = before;
  return reply ?? 'a1a1';
}

const isDue = (name) =>
  Number.parseInt(settings[name] ?? '0', 10) === ply && [undefined, String(games)].includes(settings.game);

let stopped = () => undefined;
let pondered = () => undefined;

async function go(words) {
  ply++;
  const nodes = words[words.indexOf('nodes') + 1] ?? '0';
  if (isDue('crash')) {
    if (settings.flaky !== undefined) writeFileSync(settings.flaky, '');
    process.stderr.write('Error: told to crash\n    at nowhere\n');
    process.exit(3);
  }
  if (isDue('deaf')) return;
  if (isDue('freeze')) process.kill(process.pid, 'SIGSTOP');
  if (words.includes('ponder'))
    await new Promise((resolve) => {
      pondered = resolve;
    });
  if (isDue('hang'))
    await new Promise((resolve) => {
      stopped = resolve;
    });
  if (isDue('late')) await sleep(Number(settings.late.split(':')[1]));
  if (settings.garbage === '1')
    say(`Hello!\n\ninfo depth\ninfo score cp abc\n${'x'.repeat(100_000)}\ninfo string score cp 99 depth 99`);
  const score = settings.score ?? '0';
  const unit = score.startsWith('mate:') ? `mate ${score.slice(5)}` : `cp ${score}`;
  let answer = score === 'none' ? '' : `info depth 3 seldepth 9 score ${unit} nodes ${nodes} nps 1000 pv a1a1\n`;
  if (settings.bounds === '1') {
    answer += `info depth 4 score cp 77 lowerbound nodes ${nodes}\ninfo depth 4 multipv 2 score cp 88 nodes ${nodes}\n`;
  }
  const chosen = chooseMove(nodes);
  const reply = guessReply(nodes, chosen);
  let move = toUci(chosen);
  if (isDue('illegal')) move = 'e1e8';
  if (isDue('none')) move = '(none)';
  if (isDue('upper')) move = move.toUpperCase();
  answer += isDue('nomove') ? 'bestmove\n' : `bestmove ${move} ponder ${reply}\n`;
  if (settings.garbage === '1') answer += 'info depth 99 score cp 9999\n';
  if (settings.split !== '1') process.stdout.write(answer);
  else for (const piece of answer.match(/[\s\S]{1,7}/g)) await new Promise((done) => process.stdout.write(piece, done));
}

if (settings.start === 'crash') process.exit(1);
if (settings.flaky !== undefined && existsSync(settings.flaky)) {
  rmSync(settings.flaky);
  process.exit(1);
}
createInterface({ input: process.stdin })
  .on('line', async (line) => {
    if (settings.log !== undefined) appendFileSync(settings.log, `${line}\n`);
    const words = line.split(' ');
    if (words[0] === 'uci' && settings.start === 'junk') say('illegal command: uci');
    else if (words[0] === 'uci' && settings.start !== 'mute') {
      say(`id name Fake ${settings.seed ?? 1}\nid author tests\noption name Hash type spin default 1 min 1 max 64`);
      if (settings.ponder === '1') say('option name Ponder type check default false');
      say(
        'option name UCI_Chess960 type check default false\noption name Note type string default <empty>\noption name Clear type button\nuciok',
      );
    } else if (words[0] === 'setoption') {
      const [, name, value] = /^setoption name (.+?)(?: value (.*))?$/.exec(line);
      options.set(name, value);
    } else if (words[0] === 'ucinewgame') {
      games++;
      ply = 0;
    } else if (words[0] === 'isready') say('readyok');
    else if (words[0] === 'position') setPosition(words);
    else if (words[0] === 'go') await go(words);
    else if (words[0] === 'stop' || words[0] === 'ponderhit') {
      stopped();
      pondered();
    } else if (words[0] === 'quit') process.exit(0);
  })
  .on('close', () => process.exit(0));
