// The panel that explains a move in sentences and breaks its score down into parts.

import type { Explanation, Why } from '../../engine/library/types.js';
import type { Marks } from './board.js';
import { element, made } from './view.js';

/** Minimum size in centipawns of a part whose squares are marked. */
const SHOWN_CP = 20;

const pawns = (cp: number): string => `${cp < 0 ? '−' : cp > 0 ? '+' : ''}${(Math.abs(cp) / 100).toFixed(2)}`;

const cells = (kind: 'th' | 'td', texts: readonly string[], className = ''): HTMLTableRowElement =>
  made(
    'tr',
    { className },
    ...texts.map((text, i) => made(i === 0 ? 'th' : kind, { scope: i === 0 && kind === 'td' ? 'row' : 'col' }, text)),
  );

const cpOf = ({ reasons }: Explanation, idea: string): number =>
  reasons.find((reason) => reason.idea === idea)?.cp ?? 0;

/** Shows the explanation; the parts of a second move are shown beside the first's. */
export function showWhy({ move, against, sentences }: Why): void {
  element('why').replaceChildren(
    ...sentences.map((text) => made('p', { className: text.startsWith('After ') ? 'opening' : '' }, text)),
  );
  const all = against === null ? [move] : [move, against];
  const titles = new Map(all.flatMap(({ reasons }) => reasons.map(({ idea, title }) => [idea, title] as const)));
  const table = element('parts');
  table.replaceChildren();
  if (titles.size === 0 || all.some(({ score }) => 'mate' in score)) return;
  const head = made('thead', {}, cells('th', ['Part of the score', ...all.map(({ san }) => san[0])]));
  const body = made('tbody', {});
  for (const [idea, title] of titles) {
    if (all.every((explanation) => cpOf(explanation, idea) === 0)) continue;
    body.append(cells('td', [title, ...all.map((explanation) => pawns(cpOf(explanation, idea)))]));
  }
  body.append(cells('td', ['Search', ...all.map(({ search }) => pawns(search))]));
  body.append(cells('td', ['Score', ...all.map(({ evaluation, search }) => pawns(evaluation + search))], 'total'));
  table.append(head, body);
}

/**
 * Returns the marks for the explained move `played`, in UCI notation. Squares refer to the line's end and are marked only for short lines.
 */
export function marksOf({ move: { line, reasons }, against }: Why, played: string): Marks {
  const shown = line.length > 2 ? [] : reasons.filter(({ cp }) => Math.abs(cp) >= SHOWN_CP);
  const squares = [...new Set(shown.flatMap((reason) => reason.squares))];
  return { move: played, ...(against === null ? {} : { better: against.line[0] }), squares };
}

/** Clears the panel and shows a message in it. */
export function clearWhy(words: string): void {
  element('why').replaceChildren(made('p', { className: 'note' }, words));
  element('parts').replaceChildren();
}
