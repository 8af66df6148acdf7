// The page for playing against the engine or analysing a game. game.ts contains the game and its moves, clock.ts the clocks and the end of
// the game, board.ts the board, view.ts the engine's output, why.ts its explanations, sharing.ts PGN and links, and words.ts the texts for
// screen readers.

import { createEngine } from '../../engine/library/inline.js';
import type { SearchInfo, SearchRequest } from '../../engine/library/types.js';
import { createBoard } from './board.js';
import { ChessClock, type Outcome, outcomeOf } from './clock.js';
import { afterMove, emptyGame, type Game, movesBack, numberedSan, parseGame, present } from './game.js';
import { gameOfHash, pgnOf, recall, remember } from './sharing.js';
import { allowStop, clearScore, element, say, shadeScore, showError, showLines, showScore, showTerms } from './view.js';
import { clearWhy, marksOf, showWhy } from './why.js';
import { announced, offerLevels } from './words.js';

const LINES = 3;

const engine = await createEngine().catch((error: Error) => {
  say(`The engine cannot start: ${error.message}`);
  throw error;
});
// The time may run out while a piece is held
const board = createBoard(element('board'), (uci) => setGame(mayMove() ? afterMove(game, uci) : game));
const side = element<HTMLSelectElement>('side');
const level = element<HTMLSelectElement>('level');
const time = element<HTMLSelectElement>('time');
const text = element<HTMLTextAreaElement>('text');
const typed = element<HTMLInputElement>('move');
const choices = [side, level, time];
/** Whether the user is editing the text field. */
let isEdited = false;
let game: Game = emptyGame();
const clock = new ChessClock(
  () => setGame(game),
  (words) => {
    element('announced').textContent = words;
  },
);
/** Counter of state changes, to discard outdated answers. */
let changes = 0;

const isAnalysis = (): boolean => side.value === 'nobody';
const isEnginesTurn = (): boolean => side.value === present(game).turn;
const outcome = (): Outcome | null => outcomeOf(present(game), clock.flagged, side.value);
const mayMove = (): boolean => outcome() === null && !isEnginesTurn();

function setGame(next: Game): void {
  const isMove = next.length === game.length + 1 && next[game.length - 1] === present(game);
  const isOther = next[0] !== game[0];
  game = next;
  const position = present(game);
  clock.follow(game, !isAnalysis());
  board.show(position, outcome() === null && !isEnginesTurn());
  element('moves').textContent =
    game.length > 1 ? numberedSan(game[0], position.moves) : 'No moves yet: move a piece, or type a move such as e4.';
  element('moves').scrollTop = element('moves').scrollHeight;
  if (document.activeElement !== text) isEdited = false;
  if (!isEdited) text.value = position.fen;
  for (const id of ['problem', 'moveproblem']) element(id).textContent = '';
  element<HTMLButtonElement>('back').disabled = game.length < 2;
  element('whyheft').textContent = isAnalysis() ? 'Why this move?' : "Why Heft's move?";
  element<HTMLButtonElement>('whyheft').disabled = movesBack(game, side.value, true) === 0;
  element<HTMLButtonElement>('whymine').disabled = movesBack(game, side.value, false) === 0;
  if (game.length === 1 || isOther) {
    showLines([], position);
    clearScore();
  }
  clearWhy('After a move, ask why: Heft explains its score.');
  remember(game, choices);
  if (isMove) announce(game);
  showError(think());
}

// For screen readers; sighted users see the move on the board
function announce(played: Game): void {
  const before = played[played.length - 2];
  const who = isAnalysis() || before.turn !== side.value ? (before.turn === 'white' ? 'White' : 'Black') : 'Heft';
  element('announced').textContent = announced(who, before, present(played).moves.at(-1));
}

/** Evaluates the position and lets the engine move, analyse, or wait. */
async function think(): Promise<void> {
  const change = ++changes;
  const isCurrent = (): boolean => change === changes;
  const position = present(game);
  const isDue = outcome() === null && (isAnalysis() || isEnginesTurn());
  if (isDue) say(isAnalysis() ? 'Heft is analysing.' : 'Heft is thinking.');
  else say(outcome()?.words ?? 'Your move.');
  engine.stop();
  allowStop(false);
  const evaluation = await engine.evaluate({ fen: position.fen });
  if (!isCurrent()) return;
  showTerms(evaluation);
  if (position.end !== null) {
    showLines([], position);
    if (position.end === 'checkmate') showScore({ mate: 0 }, position);
    else showScore({ cp: 0 }, position);
  }
  if (!isDue) return;
  allowStop(true);
  const lines: SearchInfo[] = [];
  const show = (): void => {
    if (!isCurrent() || lines[0] === undefined) return;
    showLines(lines.filter(Boolean), position);
    showScore(lines[0].score, position);
  };
  const { bestMove } = await engine.search(isAnalysis() ? analysis() : moveRequest(), {
    onInfo: (info) => {
      // The line of a lower or upper bound has only a move or two
      if (info.bound !== 'exact') return;
      lines[info.multipv - 1] = info;
      requestAnimationFrame(show);
    },
  });
  show();
  if (!isCurrent()) return;
  allowStop(false);
  if (isAnalysis()) say('Stopped.');
  else if (bestMove !== null) setGame(afterMove(game, bestMove));
}

/** Explains an earlier move, compared with the best one if different. */
async function explain(back: number): Promise<void> {
  if (back === 0) return;
  const change = ++changes;
  engine.stop();
  allowStop(false);
  say('Heft is explaining.');
  const before = game[game.length - 1 - back];
  const played = game[game.length - back].moves.at(-1) as string;
  const why = await engine.explain({ fen: game[0].fen, moves: before.moves }, { move: played, movetime: EXPLAIN_MS });
  if (change !== changes) return;
  showWhy(why);
  board.point(marksOf(why, played));
  if (isAnalysis()) say('Stopped.');
  else if (outcome() === null && isEnginesTurn()) showError(think());
  else say(outcome()?.words ?? 'Your move.');
}
/** Search time of an explanation in ms. */
const EXPLAIN_MS = 700;

// The whole game is sent so that the engine counts repetitions
const asked = (): SearchRequest => ({ fen: game[0].fen, moves: present(game).moves });
const analysis = (): SearchRequest => ({ ...asked(), multiPv: LINES });
const moveRequest = (): SearchRequest => {
  const limits = clock.limits() ?? { movetime: Number(time.value) };
  return { ...asked(), ...limits, ...(level.value === '' ? { multiPv: LINES } : { elo: Number(level.value) }) };
};

function on(id: string, event: string, listener: (event: Event) => void): void {
  element(id).addEventListener(event, listener);
}

function turnBoard(side: 'white' | 'black'): void {
  board.setOrientation(side);
  element('bar').classList.toggle('turned', side === 'black');
  shadeScore();
}

function playTyped(): void {
  const words = typed.value.trim();
  if (words === '') return;
  if (!mayMove()) {
    element('moveproblem').textContent = outcome() === null ? "It is Heft's turn." : 'The game is over.';
    return;
  }
  try {
    setGame(afterMove(game, words));
    typed.value = '';
  } catch {
    element('moveproblem').textContent = `${words} is not a legal move here`;
  }
}

offerLevels(level);
recall(choices);
clock.set(time.value);
if (side.value === 'white') turnBoard('black');
on('new', 'click', () => {
  showError(engine.newGame());
  setGame(emptyGame());
});
on('back', 'click', () => {
  // Against the engine, takes back its move and the user's
  const back = !isAnalysis() && !isEnginesTurn() && game.length > 2 ? 2 : 1;
  setGame(game.slice(0, Math.max(1, game.length - back)));
});
on('flip', 'click', () => turnBoard(board.orientation() === 'white' ? 'black' : 'white'));
on('stop', 'click', () => engine.stop());
on('side', 'change', () => {
  if (!isAnalysis()) turnBoard(side.value === 'white' ? 'black' : 'white');
  setGame(game);
});
on('level', 'change', () => remember(game, choices));
on('time', 'change', () => {
  clock.set(time.value);
  setGame(game);
});
on('moveform', 'submit', (event) => {
  event.preventDefault();
  playTyped();
});
on('whyheft', 'click', () => showError(explain(movesBack(game, side.value, true))));
on('whymine', 'click', () => showError(explain(movesBack(game, side.value, false))));
on('pgn', 'click', () => {
  const names = { white: ['Heft', 'You'], black: ['You', 'Heft'], nobody: ['?', '?'] } as const;
  text.value = pgnOf(game, names[side.value as keyof typeof names], outcome(), clock.control);
  text.focus();
});
on('link', 'click', () => {
  text.value = location.href;
  // A page opened from disk may have no clipboard, but the link is in the field
  navigator.clipboard?.writeText(location.href).catch(() => {});
  element('announced').textContent = 'The link is in the text field.';
});
// Pasted text replaces the position in the field
on('text', 'focus', () => text.select());
on('text', 'input', () => {
  isEdited = true;
});
on('load', 'click', () => {
  try {
    const { game: loaded, problem } = parseGame(text.value);
    isEdited = false;
    setGame(loaded);
    element('problem').textContent = problem;
  } catch (error) {
    element('problem').textContent = (error as Error).message;
  }
});

function openLink(): void {
  let linked = game;
  let problem = '';
  try {
    linked = gameOfHash(location.hash);
  } catch (error) {
    problem = `The link contains no valid game: ${(error as Error).message}`;
  }
  setGame(linked);
  element('problem').textContent = problem;
}
// The browser does not reload the page for a link to another game
window.addEventListener('hashchange', openLink);
openLink();
