// npm run page -- [FILE [ADDRESS]]: builds the page for playing and analysing in a browser. It is one self-contained file that works
// offline, whether it is opened from disk or served by a web server.

import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentPolicy, entities, policyElement } from '../dist/selfplay/web/html.js';
import { REPORT_STYLE } from '../dist/selfplay/web/style.js';
import { inlined, ROOT } from './bundle.mjs';
import { KERNEL_PACKAGES, notices } from './notices.mjs';
import { runScript } from './script.mjs';

const CHESSBOARD = join(ROOT, 'node_modules/cm-chessboard/assets');
const source = (name) => readFileSync(join(ROOT, 'scripts/page', name), 'utf8');
const asset = (name) => readFileSync(join(CHESSBOARD, name), 'utf8');

/** Square markers. cm-chessboard fetches pictures only if the page does not contain the elements that page() adds. */
const MARKERS = `<svg xmlns="http://www.w3.org/2000/svg"><g id="markerDot"><circle cx="20" cy="20" r="6" fill="#000" fill-opacity="0.25"/></g>
<g id="markerRing"><rect x="2" y="2" width="36" height="36" rx="8" fill="none" stroke="#000" stroke-opacity="0.3" stroke-width="4"/></g>
<g id="markerNamed"><rect x="2" y="2" width="36" height="36" rx="8" fill="none" stroke="#157a3c" stroke-opacity="0.8" stroke-width="3"/></g>
<g id="markerSquare"><rect width="40" height="40" fill="#d8b400" fill-opacity="0.35"/></g></svg>`;
const sprite = (id, svg) =>
  `<div id="${id}" style="position:absolute;transform:scale(0)" aria-hidden="true">${svg}</div>`;

/** Preview picture of the page, and its size in pixels. */
const PICTURE = { source: join(ROOT, 'docs/play.png'), name: 'heft.png', width: 1280, height: 900 };

/** Returns the preview tags of a page at this URL; without a URL there is no picture. */
function addressTags(address) {
  if (address === undefined) return '<meta name="twitter:card" content="summary">';
  const at = (name) => entities(new URL(name, address).href);
  const tags = {
    'og:url': at('.'),
    'og:image': at(PICTURE.name),
    'og:image:width': PICTURE.width,
    'og:image:height': PICTURE.height,
    'og:image:alt': 'A chess board beside the best lines and the evaluation, term by term',
  };
  return [
    `<link rel="canonical" href="${at('.')}">`,
    ...Object.entries(tags).map(([name, value]) => `<meta property="${name}" content="${value}">`),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n');
}

async function page(address) {
  const script = await inlined('scripts/page/page.ts', 'esm');
  const style = [
    REPORT_STYLE,
    asset('chessboard.css'),
    asset('extensions/promotion-dialog/promotion-dialog.css'),
    asset('extensions/arrows/arrows.css'),
  ];
  const [pieces, arrows] = ['pieces/standard.svg', 'extensions/arrows/arrows.svg'].map((name) =>
    asset(name).replace(/<\?xml[^>]*>/, ''),
  );
  const code = script.replaceAll('</script', '<\\/script');
  const policy = contentPolicy([code], 'worker-src blob:').replace('script-src', "script-src 'wasm-unsafe-eval' blob:");
  const texts = entities(notices(['cm-chessboard', ...KERNEL_PACKAGES]));
  // The replacements are functions, so dollar signs in the code are literal
  return source('index.html')
    .replace(/<meta charset="utf-8">/, (charset) => `${charset}\n${policyElement(policy)}`)
    .replace('<!-- NOTICES -->', () => texts)
    .replace('<!-- ADDRESS -->', () => addressTags(address))
    .replace('/* STYLE */', () => style.join('\n').replace(/\/\*#.*?\*\//g, ''))
    .replace(
      '<main>',
      () =>
        `${sprite('cm-chessboard-sprite', pieces)}${sprite('cm-chessboard-markers', MARKERS)}${sprite('cm-chessboard-arrows', arrows)}<main>`,
    )
    .replace('<script>/* SCRIPT */', () => `<script type="module">${code}`);
}

const USAGE = `npm run page -- [FILE [ADDRESS]]

Writes the page to FILE (default runs/play.html), which works offline. ADDRESS (https://…/), its future URL, adds a picture to link previews.`;

function checkAddress(address) {
  if (address !== undefined && !/^https?:\/\/\S+\/$/.test(address))
    throw new Error(`ADDRESS: expected https://…/ with a trailing slash, not ${address}`);
}

await runScript('page', USAGE, async (file = 'runs/play.html', address, ...more) => {
  if (more.length > 0) throw new Error('expected at most FILE and ADDRESS');
  checkAddress(address);
  const isOwn = () => statSync(file).isFile() && readFileSync(file, 'utf8').includes('<title>Play Heft</title>');
  if (existsSync(file) && !isOwn()) throw new Error(`${file} was not written by this command; choose another name`);
  const picture = join(dirname(file), PICTURE.name);
  if (address !== undefined && existsSync(picture) && !readFileSync(picture).equals(readFileSync(PICTURE.source)))
    throw new Error(`${picture} was not written by this command; choose another folder`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await page(address));
  if (address !== undefined) copyFileSync(PICTURE.source, picture);
  process.stdout.write(`${file}: open it in a browser, or put it on any web server\n`);
});
