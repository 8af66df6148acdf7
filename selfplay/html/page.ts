// The page of every report, one file that needs nothing else, and the parts that pages consist of: sections, tiles, lists, tables, figures.

import { createHash } from 'node:crypto';
import { LIGHT_COLORS, REPORT_STYLE } from './style.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns the text with the characters that HTML gives a meaning written as entities. */
export const entities = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);

/** Returns the text of an HTML file; title and summary (none if empty) are text, the body is HTML; `style` adds to that of all reports. The policy allows the scripts in the body, unless another one is given. */
export function reportPage(
  title: string,
  summary: string,
  body: readonly string[],
  style = '',
  policy?: string,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policyElement(policy ?? contentPolicy({ scripts: scriptsIn(body) }))}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${entities(title)}</title>
<style>${REPORT_STYLE}${style}</style>
</head>
<body>
<main>
<h1>${entities(title)}</h1>
${summary === '' ? '' : `<p class="summary">${entities(summary)}</p>`}
${body.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

/** Returns a section with a heading; '' for an empty body. */
export const section = (title: string, ...body: string[]): string =>
  body.every((part) => part === '') ? '' : `<section><h2>${title}</h2>\n${body.join('\n')}\n</section>`;

/** Returns a section that is folded until it is opened, or reached from the contents; '' for an empty body. */
export function fold(title: string, ...body: string[]): string {
  if (body.every((part) => part === '')) return '';
  return `<details class="fold" id="${idOf(title)}"><summary>${title}</summary>\n${body.join('\n')}\n</details>`;
}

/** Returns links to the folded sections among these parts. */
export function contents(parts: readonly string[]): string {
  const titles = parts.flatMap(
    (part) => /^<details class="fold" id="[^"]*"><summary>(.*?)<\/summary>/.exec(part)?.[1] ?? [],
  );
  return `<nav>${titles.map((title) => `<a href="#${idOf(title)}">${title}</a>`).join(' ')}</nav>`;
}

const idOf = (title: string): string => title.toLowerCase().replace(/\W+/g, '-');

/** Returns a quiet line of explanation, given as text. */
export const note = (text: string): string => `<p class="note">${entities(text)}</p>`;

/** Returns the figures that one looks for first, each with its name. */
export function tiles(facts: readonly (readonly [value: string, name: string])[]): string {
  const boxes = facts.map(([value, name]) => `<div><b>${entities(value)}</b><span>${entities(name)}</span></div>`);
  return `<div class="tiles">${boxes.join('')}</div>`;
}

/** Returns sentences as a list. */
export const list = (sentences: readonly string[]): string =>
  `<ul class="advice">${sentences.map((text) => `<li>${entities(text)}</li>`).join('')}</ul>`;

/** A cell of a table: text, text with a class of the style, or HTML. */
export type Cell = string | { text: string; mark: string } | { html: string };

/** Returns a table with a row of headings. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell): string =>
    typeof value === 'string'
      ? `<td>${entities(value)}</td>`
      : 'html' in value
        ? `<td>${value.html}</td>`
        : `<td class="${value.mark}">${entities(value.text)}</td>`;
  const head = heads.map((text) => `<th scope="col">${entities(text)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Returns names with their values; objects are shown as JSON. */
export function definitions(values: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const items = known.map(([name, value]) => `<dt>${entities(name)}</dt><dd>${entities(text(value))}</dd>`);
  return `<dl>${items.join('')}</dl>`;
}

/** Returns a chart, as HTML, with a caption, as text; what chart() drew can be saved, which doubles its size. */
export const figure = (chart: string, caption = '', canBeSaved = true): string =>
  `<figure>${chart}<figcaption>${entities(caption)}${canBeSaved ? saved(chart) : ''}</figcaption></figure>`;

/** A link that holds the chart as a file of its own: in the colours for light screens, on their ground, without variables. */
function saved(chart: string): string {
  const label = /^<svg [^>]*aria-label="([^"]*)"[^>]*xmlns=/.exec(chart)?.[1];
  if (label === undefined) return '';
  const alone = chart
    .replace(/^<svg ([^>]*)>/, '<svg font-family="sans-serif" $1><rect width="100%" height="100%" fill="var(--page)"/>')
    .replace(/var\((--\w+)\)/g, (_, color: string) => LIGHT_COLORS[color]);
  const data = alone.replace(/[%#<"&]/g, encodeURIComponent);
  return ` <a download="${idOf(label)}.svg" href="data:image/svg+xml,${data}">SVG</a>`;
}

/** Returns figures side by side, as many as fit. */
export const figures = (charts: readonly string[]): string =>
  charts.length === 0 ? '' : `<div class="curves">${charts.join('\n')}</div>`;

/** Returns the count with its thousands apart. */
export const count = (value: number): string => value.toLocaleString('en-US');

// The Content-Security-Policy of pages: what a page may load and run. Everything that the pages show comes from games and engines; a policy
// holds where an escape should fail.

/** A part of a page that runs: its text, or another source in the policy's own words. */
export interface Sources {
  scripts?: readonly string[];
  more?: readonly string[];
}

/** Returns a policy that allows inline styles, images within the page and these scripts, and nothing else. */
export function contentPolicy({ scripts = [], more = [] }: Sources): string {
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const script = hashes.length === 0 ? [] : [`script-src ${hashes.join(' ')}`];
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    ...script,
    ...more,
  ].join('; ');
}

/** Returns the policy as an element of the page's head. */
export const policyElement = (policy: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll('"', '&quot;')}">`;

/** Returns the texts of the scripts in parts of a page. */
const scriptsIn = (parts: readonly string[]): string[] =>
  parts.flatMap((part) => Array.from(part.matchAll(/<script>(.*?)<\/script>/gs), ([, text]) => text));

// A chess position as SVG: the pieces are outlines, because not every system has a font with chess symbols

/** Outlines on a square of 45 units, drawn alike for both colours. */
export const OUTLINES: Readonly<Record<string, string>> = {
  p: 'M22.5 10a5 5 0 0 0-3.6 8.5c-2.4 1.3-4 3.5-4 6 0 2 1 3.8 2.5 5C13.5 31.5 12 34.5 12 38h21c0-3.5-1.5-6.5-5.4-8.5 1.5-1.2 2.5-3 2.5-5 0-2.5-1.6-4.7-4-6A5 5 0 0 0 22.5 10z',
  n: 'M14 38c0-7 6-10 6-15-2 1.5-4 1.5-6 3.5-2 2-5.5 1-5.5-1.5C9 20 13 16 14 11l2-4 3 3c9-.5 15 6 15 16v12z',
  b: 'M22.5 6a2.5 2.5 0 0 0-1.6 4.4C16 13.5 13 18 13 22.5c0 3 1.5 5.5 4 7.5l-1 3.5c-3 .5-5.5 1.5-7 4.5h27c-1.5-3-4-4-7-4.5L28 30c2.5-2 4-4.5 4-7.5 0-4.5-3-9-7.9-12.1A2.5 2.5 0 0 0 22.5 6z',
  r: 'M11 38v-4h3l1.5-15L12 16V8h5v3h3V8h5v3h3V8h5v8l-3.5 3L31 34h3v4z',
  q: 'M10 38v-3.5l3-3L8 15.5l6.5 7L16 10l4.8 11.5L22.5 8l1.7 13.5L29 10l1.5 12.5 6.5-7-5 16 3 3V38z',
  k: 'M21 5h3v3.5h3.5v3H24v4c2-2.5 5-4 8-4 4 0 6.5 3 6.5 7 0 5-4.5 8.5-6.5 13V38H13v-6.5c-2-4.5-6.5-8-6.5-13 0-4 2.5-7 6.5-7 3 0 6 1.5 8 4v-4h-3.5v-3H21z',
};

/** Returns the position of a FEN, White below, with some pieces marked; `square` is 0 for a1. */
export function diagram(fen: string, isMarked: (letter: string, square: number) => boolean): string {
  const parts: string[] = [];
  for (const [index, rank] of fen.split(' ', 1)[0].split('/').entries()) {
    const letters = [...rank.replace(/\d/g, (digit) => ' '.repeat(Number(digit)))];
    for (const [file, letter] of letters.entries()) {
      const isLight = (index + file) % 2 === 0;
      const fill = isMarked(letter, 8 * (7 - index) + file) ? 'mark' : isLight ? 'light' : 'dark';
      const place = `translate(${45 * file} ${45 * index})`;
      parts.push(`<rect transform="${place}" width="45" height="45" fill="var(--${fill})"/>`);
      if (letter === ' ') continue;
      const colors = letter < 'a' ? 'fill="#fff" stroke="#222"' : 'fill="#222" stroke="#f4f4f4"';
      const line = 'stroke-width="1.6" stroke-linejoin="round"';
      parts.push(`<path d="${OUTLINES[letter.toLowerCase()]}" transform="${place}" ${colors} ${line}/>`);
    }
  }
  const label = entities(fen);
  return `<svg role="img" aria-label="${label}" viewBox="0 0 360 360" class="diagram"><title>${label}</title>${parts.join('')}</svg>`;
}
