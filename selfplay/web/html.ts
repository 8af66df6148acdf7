// The HTML shell of reports (each report is one self-contained file) and the parts of pages: sections, tiles, lists, tables, figures.

import { createHash } from 'node:crypto';
import { LIGHT_COLORS, REPORT_STYLE } from './style.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns the text escaped for HTML. */
export const entities = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);

/**
 * Returns the text of an HTML file; title and summary (may be empty) are text, the body is HTML, and `style` extends the common one. By
 * default the policy allows the scripts in the body.
 */
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
${policyElement(policy ?? contentPolicy(scriptsIn(body)))}
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

/** Returns a section with a heading, both given as HTML; '' for an empty body. */
export const section = (title: string, ...body: string[]): string =>
  body.every((part) => part === '') ? '' : `<section><h2>${title}</h2>\n${body.join('\n')}\n</section>`;

/** Returns a section that is collapsed until opened; '' for an empty body. */
export function fold(title: string, ...body: string[]): string {
  if (body.every((part) => part === '')) return '';
  return `<details class="fold" id="${idOf(title)}"><summary>${title}</summary>\n${body.join('\n')}\n</details>`;
}

/** Returns links to the collapsed sections among these parts. */
export function contents(parts: readonly string[]): string {
  const titles = parts.flatMap(
    (part) => /^<details class="fold" id="[^"]*"><summary>(.*?)<\/summary>/.exec(part)?.[1] ?? [],
  );
  return `<nav>${titles.map((title) => `<a href="#${idOf(title)}">${title}</a>`).join(' ')}</nav>`;
}

const idOf = (title: string): string => title.toLowerCase().replace(/\W+/g, '-');

/** Returns an explanatory note, given as text. */
export const note = (text: string): string => `<p class="note">${entities(text)}</p>`;

/** Returns the key figures with their names. */
export function tiles(facts: readonly (readonly [value: string, name: string])[]): string {
  const boxes = facts.map(([value, name]) => `<div><b>${entities(value)}</b><span>${entities(name)}</span></div>`);
  return `<div class="tiles">${boxes.join('')}</div>`;
}

/** Returns sentences as a list. */
export const htmlList = (sentences: readonly string[]): string =>
  `<ul class="advice">${sentences.map((text) => `<li>${entities(text)}</li>`).join('')}</ul>`;

/** A cell of a table: text, text with a class of the style, or HTML. */
export type Cell = string | { text: string; mark: string } | { html: string };

/** Returns a table with a row of headings. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
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

/** Returns a list of names and values, with objects as JSON and without null and undefined values. */
export function definitions(values: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const items = known.map(([name, value]) => `<dt>${entities(name)}</dt><dd>${entities(text(value))}</dd>`);
  return `<dl>${items.join('')}</dl>`;
}

/** Returns a chart (HTML) with a caption (text); output of chart() gets a link to save it, which doubles its size. */
export const figure = (chart: string, caption = '', canBeSaved = true): string =>
  `<figure>${chart}<figcaption>${entities(caption)}${canBeSaved ? saved(chart) : ''}</figcaption></figure>`;

/** Returns a link to the chart as a standalone file, in the colours and background of light mode; '' for other content. */
function saved(chart: string): string {
  const label = /^<svg [^>]*aria-label="([^"]*)"[^>]*xmlns=/.exec(chart)?.[1];
  if (label === undefined) return '';
  const alone = chart
    .replace(/^<svg ([^>]*)>/, '<svg font-family="sans-serif" $1><rect width="100%" height="100%" fill="var(--page)"/>')
    .replace(/var\((--\w+)\)/g, (_, color: string) => LIGHT_COLORS[color]);
  const data = alone.replace(/[%#<"&]/g, encodeURIComponent);
  return ` <a download="${idOf(label)}.svg" href="data:image/svg+xml,${data}">SVG</a>`;
}

/** Returns figures side by side, wrapped as needed. */
export const figures = (charts: readonly string[]): string =>
  charts.length === 0 ? '' : `<div class="curves">${charts.join('\n')}</div>`;

// The Content-Security-Policy of pages. The pages show text from games and engines, and the policy is a second line of defence if escaping
// fails.

/** Returns a policy that allows only inline styles, embedded images and scripts with these texts; `more` are further directives. */
export function contentPolicy(scripts: readonly string[], ...more: string[]): string {
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const script = hashes.length === 0 ? [] : [`script-src ${hashes.join(' ')}`];
  const common = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'";
  return [common, ...script, ...more].join('; ');
}

/** Returns the policy as an element of the page's head. */
export const policyElement = (policy: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll('"', '&quot;')}">`;

/** Returns the texts of the scripts in parts of a page. */
const scriptsIn = (parts: readonly string[]): string[] =>
  parts.flatMap((part) => Array.from(part.matchAll(/<script>(.*?)<\/script>/gs), ([, text]) => text));
