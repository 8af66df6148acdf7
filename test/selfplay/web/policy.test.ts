import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { reportPage } from '../../../selfplay/web/html.js';

const policyOf = (page: string): string =>
  /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1] ?? 'none';

test('a saved page without scripts permits no scripts and no external resources', () => {
  expect(policyOf(reportPage('t', 's', ['<p>text</p>']))).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'",
  );
});

test('a saved page permits only its own scripts, by their hashes', () => {
  const script = 'const x = 1 < 2;\nshow(x);';
  const hash = createHash('sha256').update(script).digest('base64');
  const page = reportPage('t', '', ['<script type="application/json">{}</script>', `<script>${script}</script>`]);
  expect(policyOf(page)).toContain(`; script-src 'sha256-${hash}'`);
  expect(policyOf(page).match(/sha256-/g)).toHaveLength(1);
});
