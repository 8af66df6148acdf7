// Shared parts of page servers: event streams, files, and access control for local servers.

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Maximum unsent bytes per page. A page with more (a sleeping tab) is skipped until it has read them. */
const MAX_UNSENT = 1 << 20;

/** Returns a server-sent event. */
export const eventText = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The connected pages of an event stream. */
export class Viewers {
  private readonly all = new Set<ServerResponse>();

  /** Adds a requesting page, and sends it an initial text. */
  add(response: ServerResponse, first: string): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'close' });
    response.write(first);
    this.all.add(response);
    response.on('close', () => this.all.delete(response));
  }

  /** Sends the text to all reading pages; returns whether there are any. */
  send(text: () => string): boolean {
    const ready = [...this.all].filter((viewer) => viewer.writableLength < MAX_UNSENT);
    const sent = ready.length > 0 ? text() : '';
    for (const viewer of ready) viewer.write(sent);
    return ready.length > 0;
  }

  /** Ends the streams with a last text. */
  end(last?: string): void {
    for (const viewer of this.all) viewer.end(last);
  }
}

/** Responds with a file, or through `refuse` if it cannot be opened. */
export function sendFile(
  response: ServerResponse,
  path: string,
  headers: OutgoingHttpHeaders,
  refuse: () => void,
): void {
  const file = createReadStream(path);
  file.once('error', refuse).once('open', () => {
    file.off('error', refuse);
    response.writeHead(200, headers);
    // Also closes the file if the browser disconnects
    pipeline(file, response, () => undefined);
  });
}

// Access control for a local server. Pages of other sites can send requests to it, and their domain names can resolve to its address.

export const HOST = '127.0.0.1';

/** Listens on a port of this machine, 0 for any, and returns the address; rejects if the port is not available. */
export async function listenHere(server: Server, port: number): Promise<string> {
  await once(server.listen(port, HOST), 'listening');
  return `http://${HOST}:${(server.address() as AddressInfo).port}/`;
}

/** Returns whether the Host header of the request names this machine. */
export function isForThisMachine({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return name === HOST || name === 'localhost';
}

/** Returns whether the request is from a page of this server or from no page. Without an Origin header, other local pages are allowed. */
export function isFromOwnPage({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined
    ? headers['sec-fetch-site'] !== 'cross-site'
    : headers.origin === `http://${headers.host}`;
}
