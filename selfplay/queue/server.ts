// Serves the queue on this machine. The build command of a test is executed as typed, so anyone who can add a test has full access to the
// owner's account. Requests therefore need the key of the queue. Only the queue's owner can read the key, which the browser sends as a
// cookie that pages of other sites cannot send.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { attempt, UserError } from '../common/errors.js';
import { eventText, HOST, isForThisMachine, isFromOwnPage, listenHere, sendFile, Viewers } from '../web/server.js';
import type { QueueRunner } from './runner.js';
import type { QueueStore } from './store.js';
import { checkedForm } from './test.js';
import { QUEUE_POLICY, queuePage, testsView } from './view.js';

const MAX_BODY = 1 << 16;
const SEND_MS = 500;
/** Returns the cookie's name. It contains the port, because queues on other ports of this machine receive the same cookies. */
const cookieName = ({ socket }: IncomingMessage): string => `heft-queue-${socket.localPort}`;
/** Files of a finished run that the page links to, with their content types. */
const FILES = new Map([
  ['report.html', 'text/html; charset=utf-8'],
  ['games.pgn', 'application/x-chess-pgn'],
]);

/** Creates the server of a queue. */
export function queueServer(store: QueueStore, runner: QueueRunner) {
  const ownKey = keyOf(store.folder);
  const viewers = new Viewers();
  const server = createServer((request, response) => {
    // A faulty request, such as one with an invalid address or an unfinished body, must not end the queue
    answer(request, response).catch((error: Error) => reply(response, 500, error.message));
  });
  const timer = setInterval(send, SEND_MS);
  let isNew = false;
  return { listen, refresh, close };

  /**
   * Starts listening. Returns the address to open; it contains the key, which the browser then stores as a cookie. Throws a UserError if
   * the port (0: any) is unavailable.
   */
  async function listen(port: number): Promise<string> {
    const address = await listenHere(server, port).catch((error: Error) => {
      throw new UserError(`--port: cannot listen on port ${port}: ${error.message}`);
    });
    return `${address}?key=${ownKey}`;
  }

  /** Schedules sending the changed state to the pages. */
  function refresh(): void {
    isNew = true;
  }

  function close(): void {
    clearInterval(timer);
    viewers.end();
    server.close();
    server.closeAllConnections();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${HOST}`);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('x-content-type-options', 'nosniff');
    if (!isForThisMachine(request) || !isFromOwnPage(request))
      return reply(response, 403, 'request from another origin');
    const key = url.searchParams.get('key');
    if (key !== null && request.method === 'GET' && url.pathname === '/') {
      if (!isKey(key)) return reply(response, 403, 'wrong key for this queue');
      response.writeHead(303, {
        location: '/',
        'set-cookie': `${cookieName(request)}=${ownKey}; HttpOnly; SameSite=Strict; Path=/`,
      });
      return void response.end();
    }
    if (!isKey(cookieOf(request)))
      return reply(response, 403, 'open the address that the queue printed when it started; it contains the key');
    if (request.method === 'GET') return get(url.pathname, response);
    if (request.method !== 'POST') return reply(response, 405, 'GET and POST only');
    try {
      act(url.pathname.slice(1), await bodyOf(request));
      reply(response, 200, 'done');
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      reply(response, error.message.startsWith('cannot write') ? 507 : 400, error.message);
    }
    refresh();
  }

  function act(action: string, body: unknown): void {
    const { id = 0 } = (body ?? {}) as { id?: number };
    const actions: Record<string, () => void> = {
      add: () => void store.add(checkedForm(body)),
      up: () => store.move(id, -1),
      down: () => store.move(id, 1),
      stop: () => runner.stop(id),
      again: () => store.again(id),
      remove: () => store.remove(id),
      pause: () => runner.pause(true),
      continue: () => runner.pause(false),
    };
    if (!Object.hasOwn(actions, action)) throw new UserError(`unknown action ${action.slice(0, 40)}`);
    actions[action]();
  }

  function get(path: string, response: ServerResponse): void {
    const [, id, name] = /^\/run\/(\d+)\/([a-z.]+)$/.exec(path) ?? [];
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': QUEUE_POLICY });
      response.end(queuePage(store));
    } else if (path === '/tests') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(store.tests));
    } else if (path === '/events') {
      viewers.add(response, part());
    } else if (name !== undefined && FILES.has(name) && store.tests.some((test) => test.id === Number(id))) {
      const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
      const headers = { 'content-type': FILES.get(name), 'content-security-policy': policy };
      sendFile(response, join(store.runOf(Number(id)), name), headers, () => reply(response, 404, 'not found'));
    } else {
      reply(response, 404, 'not found');
    }
  }

  function send(): void {
    if (!isNew) return;
    isNew = false;
    viewers.send(part);
  }

  function part(): string {
    return eventText('tests', testsView(store));
  }

  function isKey(text: string): boolean {
    const [given, own] = [Buffer.from(text), Buffer.from(ownKey)];
    return given.length === own.length && timingSafeEqual(given, own);
  }
}

function reply(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function cookieOf(request: IncomingMessage): string {
  const cookies = (request.headers.cookie ?? '').split(';').map((one) => one.trim().split('='));
  return cookies.find(([name]) => name === cookieName(request))?.[1] ?? '';
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';')[0].trim().toLowerCase();
  if (type !== 'application/json') throw new UserError('the content type must be application/json');
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY) throw new UserError('the body is too long');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError('the body must be JSON');
  }
}

/** Returns the key of the queue in a folder. A missing key is created, readable only by the owner; an empty one is rejected. */
function keyOf(folder: string): string {
  const file = join(folder, 'key');
  const key = attempt(`cannot use ${file}`, () => {
    if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600, flag: 'wx' });
    return readFileSync(file, 'utf8').trim();
  });
  // A request without a cookie has an empty key
  if (key === '') throw new UserError(`${file} is empty; delete it, and the queue will create a new key`);
  return key;
}
