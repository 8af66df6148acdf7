// FILM_SCRIPT steps through or plays the frames of the film and the moves of their games. FILM_STYLE is the style sheet of the film.

import { BOARD_SCRIPT } from '../../selfplay/web/board.js';
import { SIGNS } from '../report/boards.js';

/** A frame in the form that the script reads: figures and values as HTML, tables from a1, and the game. */
export interface ShownFrame {
  name: string;
  facts: string;
  values: string;
  boards: number[][];
  game: { title: string; boards: string[]; moves: string[] } | null;
}

/** Data embedded in the page. `scales` has one colour scale per piece for all frames, in centipawns. */
export interface ShownFilm {
  frames: ShownFrame[];
  scales: number[];
}

export const FILM_SCRIPT = `${BOARD_SCRIPT}
const SIGNS = ${JSON.stringify(SIGNS)};
const el = (id) => document.getElementById(id);
const { frames, scales } = JSON.parse(el('film').textContent);
const cells = [...document.querySelectorAll('.maps .board')].map((board) => [...board.querySelectorAll('b')]);
const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
const last = frames.length - 1;
const within = (value, end) => Math.max(0, Math.min(end, value));
let at = 0, ply = 0, playing = '', timer = 0;
const end = () => (frames[at].game?.boards.length ?? 1) - 1;

function show(frame, move = 0) {
  at = within(frame, last);
  const { name, facts, values, boards, game } = frames[at];
  el('name').textContent = name;
  el('frame').value = at;
  el('facts').innerHTML = facts;
  el('values').innerHTML = values;
  boards.forEach((board, i) => cells[i].forEach((cell, place) => {
    // Rank 8 is at the top
    const value = board[place ^ 56];
    const strength = Math.min(1, Math.abs(value) / scales[i >> 1]) * 0.8;
    cell.textContent = value;
    cell.style.backgroundColor = 'rgba(' + SIGNS[value < 0 ? 1 : 0] + ',' + strength.toFixed(2) + ')';
  }));
  for (const future of document.querySelectorAll('.future')) {
    future.style.transform = 'scaleX(' + (at === last ? 0 : 1 - (at + 1) / future.dataset.places) + ')';
  }
  el('title').textContent = game ? game.title : 'No game to show. The start weights first play in generation 1.';
  el('ply').max = end();
  turn(move);
}

function turn(move) {
  const { game } = frames[at];
  ply = within(move, end());
  el('ply').value = ply;
  el('board').innerHTML = game ? drawn(game.boards[ply], game.boards[ply - 1]) : drawn('8/8/8/8/8/8/8/8');
  el('move').textContent = game ? game.moves[ply] : '';
}

function play(what) {
  playing = playing === what ? '' : what;
  if (playing === 'film' && at === last) show(0);
  if (playing === 'game' && ply === end()) turn(0);
  for (const button of document.querySelectorAll('[data-play]')) {
    button.textContent = button.dataset.play === playing ? 'Pause' : 'Play';
  }
  tick();
}
const stop = () => { if (playing) play(playing); };

// In the film, a game takes six seconds, or longer if it has over 200 plies. With reduced motion, only the generations are shown
function tick() {
  clearTimeout(timer);
  if (!playing) return;
  const moves = ply < end() && !(isStill && playing === 'film');
  const pause = playing === 'game' ? (isStill ? 1500 : 600) : isStill ? 4000 : moves ? Math.max(30, 6000 / end()) : 2000;
  timer = setTimeout(() => {
    if (moves) turn(ply + 1);
    else if (playing === 'film' && at < last) show(at + 1);
    else return stop();
    tick();
  }, pause);
}

function step(what, by) {
  stop();
  if (what === 'film') show(at + by);
  else turn(ply + by);
}

document.addEventListener('click', ({ target }) => {
  const { film, game, play: what } = target.dataset;
  if (film !== undefined) step('film', Number(film));
  if (game !== undefined) step('game', Number(game));
  if (what !== undefined) play(what);
});
document.addEventListener('input', ({ target }) => {
  stop();
  if (target.id === 'frame') show(Number(target.value));
  else turn(Number(target.value));
});
document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || target.tagName === 'INPUT') return;
  const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  if (by !== 0) step(target.closest('#game') ? 'game' : 'film', by);
  else if (key === ' ' && target.tagName !== 'BUTTON') play('film');
  else return;
  event.preventDefault();
});
// #3.40 opens generation 3 and its game after 40 plies
const [frame, move] = location.hash.slice(1).split('.');
show(frame === '' ? last : Number(frame) || 0, Number(move) || 0);
`;

export const FILM_STYLE = `
.bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.bar input { flex: 1 1 140px; min-width: 100px; accent-color: var(--train); }
.bar button { min-width: 40px; padding: 4px 10px; }
.bar [data-play] { min-width: 74px; font-weight: 600; }
#controls { position: sticky; top: 0; z-index: 1; padding: 10px 0; background: var(--page); }
#name { flex: 1 0 100%; font-size: 17px; font-weight: 600; }
.maps { display: grid; grid-template-columns: repeat(6, 1fr); gap: 16px; margin-top: 20px; }
.maps h3 { margin: 0; }
.maps h3::first-letter { text-transform: uppercase; }
.maps small { display: block; }
.maps .board { container-type: inline-size; }
.maps .board b { font-size: 4.2cqw; }
.scenes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 28px; margin-top: 28px; align-items: start; }
.scenes table { width: 100%; }
.key::before { content: '■ '; color: var(--line); }
.future { opacity: 0.85; transform-box: fill-box; transform-origin: right; }
#game p { margin: 6px 0; }
@media (prefers-reduced-motion: no-preference) {
  .maps .board b { transition: background-color 0.6s; }
  .future { transition: transform 0.6s; }
}
@media (max-width: 1000px) { .maps { grid-template-columns: repeat(3, 1fr); } }
@media (max-width: 560px) {
  #facts .tiles { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
  #facts .tiles div { padding: 6px 12px; }
  .maps .board b { font-size: 5cqw; letter-spacing: -0.04em; }
  .maps { grid-template-columns: 1fr; }
  .maps .both { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
}
`;
