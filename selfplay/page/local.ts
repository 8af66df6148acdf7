// Who may talk to a server on this machine. Pages of other sites can send requests to it, and a name of theirs can point at its address.

import type { IncomingMessage } from 'node:http';

export const HOST = '127.0.0.1';

/** Whether a request was sent to this machine by its own name. */
export function isForThisMachine({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return name === HOST || name === 'localhost';
}

/** Whether a request comes from a page of this server, or from none. */
export function isFromOwnPage({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined
    ? headers['sec-fetch-site'] !== 'cross-site'
    : headers.origin === `http://${headers.host}`;
}
