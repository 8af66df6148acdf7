// Serves a folder locally, with the headers for shared memory and for loading from other origins.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
  html: 'text/html',
};
const HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Returns the origin of a server for the folder's files, with an empty page.html, and a function that closes it. */
export async function servedFolder(folder: string): Promise<{ origin: string; close: () => void }> {
  const server = createServer(({ url = '/' }, response) => {
    const path = normalize(new URL(`http://localhost${url}`).pathname);
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    try {
      const body = path === '/page.html' ? '<!doctype html><title>page</title>' : readFileSync(join(folder, path));
      response.writeHead(200, { ...HEADERS, 'content-type': type }).end(body);
    } catch {
      response.writeHead(404, HEADERS).end('not found');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
