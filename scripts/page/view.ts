// The engine's output on the page: its state, the score, the best lines and the table of terms.

import type { Evaluation, Position, Score, SearchInfo } from '../../engine/library/types.js';
import { numberedSan } from './game.js';

/** Returns the element with the id. */
export function element<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found as Type;
}

/** Returns a new element with the properties and content. */
export function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...content);
  return node;
}

/** Shows the state of the game or of the engine. */
export function say(words: string): void {
  element('status').textContent = words;
}

/** Enables or disables the stop button. */
export function allowStop(canStop: boolean): void {
  element<HTMLButtonElement>('stop').disabled = !canStop;
}

/** Shows the error if the engine's work fails. */
export function showError(work: Promise<void>): void {
  work.catch((error: Error) => {
    allowStop(false);
    say(`The engine has failed: ${error.message}; reload the page.`);
  });
}

const fromWhite = (score: Score, position: Position): Score => {
  const sign = position.turn === 'white' ? 1 : -1;
  return 'mate' in score ? { mate: sign * score.mate } : { cp: sign * score.cp };
};

const signed = (text: string, value: number): string => (value < 0 ? `−${text}` : `+${text}`);

function formatScore(score: Score): string {
  if ('mate' in score) return signed(`M${Math.abs(score.mate)}`, score.mate);
  return signed((Math.abs(score.cp) / 100).toFixed(2), score.cp);
}

/** Centipawns at which White's part of the bar is about three quarters. */
const SCALE = 250;

/** Shows a score for the side to move as White's part of a bar. */
export function showScore(score: Score, position: Position): void {
  const white = fromWhite(score, position);
  const isWhiteMated =
    'mate' in score && score.mate === 0 ? position.turn === 'white' : 'mate' in white && white.mate < 0;
  const share = 'mate' in white ? (isWhiteMated ? 0 : 100) : 100 / (1 + Math.exp(-white.cp / SCALE));
  element('share').style.height = `${share}%`;
  element('bar').ariaLabel = `White's chances: ${share.toFixed(0)} %`;
  element('score').textContent =
    'mate' in white ? `M${Math.abs(white.mate)}` : (Math.round(white.cp / 10) / 10 || 0).toFixed(1);
  shadeScore();
}

/** Clears the score. */
export function clearScore(): void {
  element('share').style.height = '';
  element('bar').ariaLabel = "White's chances";
  element('score').textContent = '';
}

/** Sets the colour of the number at the lower end of the bar so that it is legible on the bar. */
export function shadeScore(): void {
  const share = Number.parseFloat(element('share').style.height);
  const isTurned = element('bar').classList.contains('turned');
  element('score').classList.toggle('behind', share < (isTurned ? 92 : 8));
}

/** Maximum number of displayed moves of a line. */
const SHOWN = 12;

/** Shows the best lines of a search. */
export function showLines(lines: readonly SearchInfo[], position: Position): void {
  const rows = lines.map(({ depth, score, pv, nodes, nps }) => {
    const value = made('b', {}, formatScore(fromWhite(score, position)));
    const title = `depth ${depth}, ${nodes} nodes, ${nps} per second`;
    return made('li', { title }, value, numberedSan(position, pv.slice(0, SHOWN)));
  });
  if (rows.length === 0) rows.push(made('li', { className: 'note' }, 'The best lines appear here while Heft thinks.'));
  element('lines').replaceChildren(...rows);
}

/** Shows an evaluation term by term. */
export function showTerms({ terms, score }: Evaluation): void {
  const row = (name: string, cells: readonly (number | string)[], className = ''): HTMLTableRowElement =>
    made('tr', { className }, ...[name, ...cells].map((text) => made('td', {}, `${text}`.replace(/^-/, '−'))));
  // kingShelter becomes king shelter
  const plain = (name: string): string =>
    name === 'psqt' ? 'piece-square tables' : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const total = row('evaluation', ['', '', score], 'total');
  const rows = terms
    .filter(({ mg, eg }) => mg !== 0 || eg !== 0)
    .map(({ name, mg, eg, tapered }) => row(plain(name), [mg, eg, tapered]));
  element('terms').replaceChildren(...rows, total);
}
