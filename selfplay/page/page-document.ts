// The live page as one self-contained document, which opens without server or network. Its script joins browser/'s compiled
// modules in one scope in order of their imports; a bundler would do the same, since no names clash.

import { readFileSync } from 'node:fs';
import { projectFile } from '../common/paths.js';

/** Each after those it imports. */
const MODULES = [
  ...['elements', 'formats', 'line-chart', 'charts', 'tables', 'tiles', 'run'],
  ...['board-parts', 'boards', 'main'],
];

/** Returns the document; with a state in it, it shows that and asks no server. */
export function pageDocument(state?: { run: object; boards: object }): string {
  const part = (name: string): string => readFileSync(projectFile(`selfplay/page/${name}`), 'utf8');
  const json = state === undefined ? 'null' : JSON.stringify(state).replaceAll('<', '\\u003c');
  return part('page.html')
    .replace('/* page.css */', () => part('page.css'))
    .replace('/* script */', () => MODULES.map(moduleText).join('\n'))
    .replace('/* state */', () => `const SAVED = ${json};`);
}

function moduleText(name: string): string {
  const compiled = readFileSync(projectFile(`dist/selfplay/page/browser/${name}.js`), 'utf8');
  return compiled.replace(/^import .*\n/gm, '').replace(/^export /gm, '');
}
