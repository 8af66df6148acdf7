// The Content-Security-Policy of pages: what a page may load and run. Everything that the pages show comes from games and engines; a policy
// holds where an escape should fail.

import { createHash } from 'node:crypto';

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
export const scriptsIn = (parts: readonly string[]): string[] =>
  parts.flatMap((part) => Array.from(part.matchAll(/<script>(.*?)<\/script>/gs), ([, text]) => text));
