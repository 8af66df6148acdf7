// The page as one document that needs nothing else, so that it can be left in a folder and opened without server or network.
// Its script is put together from browser/'s compiled modules: in one scope, in order, they need no imports. A bundler would
// do no more, since all names are the page's own and none is renamed.

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
