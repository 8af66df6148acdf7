// The panel that explains a move: sentences, parts of the score, and board marks.

import type { Explanation, Why } from '../../engine/library/types.js';
import { element } from './view.js';

const pawns = (cp: number): string => `${cp < 0 ? '−' : cp > 0 ? '+' : ''}${(Math.abs(cp) / 100).toFixed(2)}`;

function cells(kind: 'th' | 'td', texts: readonly string[]): HTMLTableRowElement {
  const row = document.createElement('tr');
  for (const [i, text] of texts.entries()) {
    const cell = document.createElement(i === 0 ? 'th' : kind);
    cell.scope = i === 0 && kind === 'td' ? 'row' : 'col';
    cell.textContent = text;
    row.append(cell);
  }
  return row;
}

const cpOf = ({ reasons }: Explanation, idea: string): number =>
  reasons.find((reason) => reason.idea === idea)?.cp ?? 0;

/** Shows the explanation; the parts of a second move are shown beside the first's. */
export function showWhy({ move, against, sentences }: Why): void {
  element('why').replaceChildren(
    ...sentences.map((text) => {
      const line = document.createElement('p');
      line.textContent = text;
      line.classList.toggle('opening', text.startsWith('After '));
      return line;
    }),
  );
  const all = against === null ? [move] : [move, against];
  const titles = new Map(all.flatMap(({ reasons }) => reasons.map(({ idea, title }) => [idea, title] as const)));
  const table = element('parts');
  table.replaceChildren();
  if (titles.size === 0 || all.some(({ score }) => 'mate' in score)) return;
  const head = document.createElement('thead');
  head.append(cells('th', ['Part of the score', ...all.map(({ san }) => san[0])]));
  const body = document.createElement('tbody');
  for (const [idea, title] of titles) {
    if (all.every((explanation) => cpOf(explanation, idea) === 0)) continue;
    body.append(cells('td', [title, ...all.map((explanation) => pawns(cpOf(explanation, idea)))]));
  }
  body.append(cells('td', ['What the search adds', ...all.map(({ search }) => pawns(search))]));
  const total = cells('td', ['Score', ...all.map(({ evaluation, search }) => pawns(evaluation + search))]);
  total.className = 'total';
  body.append(total);
  table.append(head, body);
}

/** Clears the panel, or shows a message instead. */
export function clearWhy(words: string): void {
  const line = document.createElement('p');
  line.className = 'note';
  line.textContent = words;
  element('why').replaceChildren(line);
  element('parts').replaceChildren();
}
