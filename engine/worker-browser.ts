// The search thread as a browser worker, with the kernel's modules in separate files.

import { searchInBrowser } from './browser-search.js';

async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: HTTP status ${response.status}`);
  return response.arrayBuffer();
}

searchInBrowser(() =>
  Promise.all(['search', 'table', 'trace'].map((name) => fetched(new URL(`./kernel/${name}.wasm`, import.meta.url)))),
);
