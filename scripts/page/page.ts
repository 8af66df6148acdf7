// The page: a game against the engine, or its analysis of one.

import { createEngine } from '../../engine/library/browser.js';
import type { GameEnd, SearchInfo, SearchRequest } from '../../engine/library/types.js';
import { MAX_ELO, MIN_ELO } from '../../engine/strength/levels.js';
import { createBoard } from './board.js';
import { afterMove, type Game, newGame, numberedSan, parseGame, present } from './game.js';
import { element, showLines, showScore, showTerms } from './view.js';

const ENDS: Record<GameEnd, string> = {
  checkmate: 'Checkmate.',
  stalemate: 'Draw by stalemate.',
  repetition: 'Draw by repetition.',
  fifty: 'Draw by the fifty-move rule.',
  material: 'Draw: neither side can mate.',
};
const LINES = 3;

const engine = await createEngine();
const board = createBoard(element('board'), (uci) => setGame(afterMove(game, uci)));
const side = element<HTMLSelectElement>('side');
const strength = element<HTMLInputElement>('strength');
const text = element<HTMLTextAreaElement>('text');
let game: Game = newGame();
/** Counts changes of what is to be done: answers to what was asked before them come too late. */
let changes = 0;

const isEnginesTurn = (): boolean => side.value === present(game).turn;
const say = (words: string): void => {
  element('status').textContent = words;
};

function setGame(next: Game): void {
  game = next;
  const position = present(game);
  const isOver = position.end !== null;
  board.show(position, !isOver && !isEnginesTurn());
  element('moves').textContent = numberedSan(game[0], position.moves);
  element('moves').scrollTop = element('moves').scrollHeight;
  text.value = position.fen;
  element('problem').textContent = '';
  element<HTMLButtonElement>('back').disabled = game.length < 2;
  void think();
}

function setThinking(isThinking: boolean): void {
  element<HTMLButtonElement>('stop').disabled = !isThinking;
}

/** Evaluates the position and does what the engine has to do in it: move, analyse, or wait. */
async function think(): Promise<void> {
  const change = ++changes;
  const isCurrent = (): boolean => change === changes;
  const position = present(game);
  engine.stop();
  setThinking(false);
  const evaluation = await engine.evaluate({ fen: position.fen });
  if (!isCurrent()) return;
  showTerms(evaluation);
  if (position.end !== null) {
    showLines([], position);
    if (position.end === 'checkmate') showScore({ mate: 0 }, position);
    else showScore({ cp: 0 }, position);
    return say(ENDS[position.end]);
  }
  const isAnalysis = side.value === 'nobody';
  if (!isAnalysis && !isEnginesTurn()) return say('Your move.');

  say(isAnalysis ? 'Heft analyses.' : 'Heft thinks.');
  setThinking(true);
  const lines: SearchInfo[] = [];
  const show = (): void => {
    if (!isCurrent() || lines[0] === undefined) return;
    showLines(lines.filter(Boolean), position);
    showScore(lines[0].score, position);
  };
  const { bestMove } = await engine.search(isAnalysis ? analysis() : move(), {
    onInfo: (info) => {
      // A bound's line breaks off after a move or two
      if (info.bound !== 'exact') return;
      lines[info.multipv - 1] = info;
      requestAnimationFrame(show);
    },
  });
  show();
  if (!isCurrent()) return;
  setThinking(false);
  if (isAnalysis) say('Stopped.');
  else if (bestMove !== null) setGame(afterMove(game, bestMove));
}

// Repetitions count from the start of the game
const asked = (): SearchRequest => ({ fen: game[0].fen, moves: present(game).moves });
const analysis = (): SearchRequest => ({ ...asked(), multiPv: LINES });
const move = (): SearchRequest => {
  const elo = Number(strength.value);
  const limits = { movetime: Number(element<HTMLSelectElement>('time').value) };
  return { ...asked(), ...limits, ...(elo > MAX_ELO ? { multiPv: LINES } : { elo }) };
};

function showStrength(): void {
  element('elo').textContent = Number(strength.value) > MAX_ELO ? 'full strength' : `Elo ${strength.value}`;
}

function on(id: string, event: string, listener: () => void): void {
  element(id).addEventListener(event, listener);
}

function turnBoard(side: 'white' | 'black'): void {
  board.setTurn(side);
  element('bar').classList.toggle('turned', side === 'black');
}

const STEP = 50;
// The last step is no limit at all
Object.assign(strength, {
  min: `${MIN_ELO}`,
  step: `${STEP}`,
  max: `${MIN_ELO + STEP * Math.ceil((MAX_ELO + 1 - MIN_ELO) / STEP)}`,
});
strength.value = strength.max;
showStrength();

on('new', 'click', () => {
  void engine.newGame();
  setGame(newGame());
});
on('back', 'click', () => {
  // Against the engine its move and the own one before it
  const back = side.value !== 'nobody' && !isEnginesTurn() && game.length > 2 ? 2 : 1;
  setGame(game.slice(0, Math.max(1, game.length - back)));
});
on('flip', 'click', () => turnBoard(board.turn() === 'white' ? 'black' : 'white'));
on('stop', 'click', () => engine.stop());
on('side', 'change', () => {
  if (side.value !== 'nobody') turnBoard(side.value === 'white' ? 'black' : 'white');
  setGame(game);
});
on('strength', 'input', showStrength);
// What is pasted takes the place of the position that stands there
on('text', 'focus', () => text.select());
on('load', 'click', () => {
  try {
    const { game: loaded, problem } = parseGame(text.value);
    setGame(loaded);
    element('problem').textContent = problem;
  } catch (error) {
    element('problem').textContent = (error as Error).message;
  }
});
setGame(game);
