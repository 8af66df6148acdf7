// The frame of every report: one file that needs nothing else, in light and dark.

import { entities as escapeHtml } from './html.js';
import { REPORT_STYLE } from './report-style.js';

/** Returns the text of an HTML file; title and summary (none if empty) are text, the body is HTML. */
export function reportPage(title: string, summary: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${summary === '' ? '' : `<p class="summary">${escapeHtml(summary)}</p>`}
${body}
</main>
</body>
</html>
`;
}
