// Serves the queue on this machine. The build command of a test is executed as typed, so anyone who can add a test has full access to the
// owner's account. Requests therefore need the key of the queue. Only the queue's owner can read the key, which the browser sends as a
// cookie that pages of other sites cannot send.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
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

/** The server of a queue. */
export class QueueServer {
  private readonly ownKey: string;
  private readonly viewers = new Viewers();
  private readonly server: Server;
  private readonly timer: NodeJS.Timeout;
  private isNew = false;

  constructor(
    private readonly store: QueueStore,
    private readonly runner: QueueRunner,
  ) {
    this.ownKey = keyOf(store.folder);
    this.server = createServer((request, response) => {
      // A faulty request, such as one with an invalid address or an unfinished body, must not end the queue
      this.answer(request, response).catch((error: Error) => reply(response, 500, error.message));
    });
    this.timer = setInterval(() => this.send(), SEND_MS);
  }

  /**
   * Starts listening. Returns the address to open; it contains the key, which the browser then stores as a cookie. Throws a UserError if
   * the port (0: any) is unavailable.
   */
  async listen(port: number): Promise<string> {
    const address = await listenHere(this.server, port).catch((error: Error) => {
      throw new UserError(`--port: cannot listen on port ${port}: ${error.message}`);
    });
    return `${address}?key=${this.ownKey}`;
  }

  /** Schedules sending the changed state to the pages. */
  refresh(): void {
    this.isNew = true;
  }

  close(): void {
    clearInterval(this.timer);
    this.viewers.end();
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${HOST}`);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('x-content-type-options', 'nosniff');
    if (!isForThisMachine(request) || !isFromOwnPage(request))
      return reply(response, 403, 'request from another origin');
    const key = url.searchParams.get('key');
    if (key !== null && request.method === 'GET' && url.pathname === '/') {
      if (!this.isKey(key)) return reply(response, 403, 'wrong key for this queue');
      response.writeHead(303, {
        location: '/',
        'set-cookie': `${cookieName(request)}=${this.ownKey}; HttpOnly; SameSite=Strict; Path=/`,
      });
      return void response.end();
    }
    if (!this.isKey(cookieOf(request)))
      return reply(response, 403, 'open the address that the queue printed when it started; it contains the key');
    if (request.method === 'GET') return this.get(url.pathname, response);
    if (request.method !== 'POST') return reply(response, 405, 'GET and POST only');
    try {
      this.act(url.pathname.slice(1), await bodyOf(request));
      reply(response, 200, 'done');
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      reply(response, error.message.startsWith('cannot write') ? 507 : 400, error.message);
    }
    this.refresh();
  }

  private act(action: string, body: unknown): void {
    const { id = 0 } = (body ?? {}) as { id?: number };
    const actions: Record<string, () => void> = {
      add: () => void this.store.add(checkedForm(body)),
      up: () => this.store.move(id, -1),
      down: () => this.store.move(id, 1),
      stop: () => this.runner.stop(id),
      again: () => this.store.again(id),
      remove: () => this.store.remove(id),
      pause: () => this.runner.pause(true),
      continue: () => this.runner.pause(false),
    };
    if (!Object.hasOwn(actions, action)) throw new UserError(`unknown action ${action.slice(0, 40)}`);
    actions[action]();
  }

  private get(path: string, response: ServerResponse): void {
    const [, id, name] = /^\/run\/(\d+)\/([a-z.]+)$/.exec(path) ?? [];
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': QUEUE_POLICY });
      response.end(queuePage(this.store));
    } else if (path === '/tests') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.store.tests));
    } else if (path === '/events') {
      this.viewers.add(response, this.part());
    } else if (name !== undefined && FILES.has(name) && this.store.tests.some((test) => test.id === Number(id))) {
      const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
      const headers = { 'content-type': FILES.get(name), 'content-security-policy': policy };
      sendFile(response, join(this.store.runOf(Number(id)), name), headers, () => reply(response, 404, 'not found'));
    } else {
      reply(response, 404, 'not found');
    }
  }

  private send(): void {
    if (!this.isNew) return;
    this.isNew = false;
    this.viewers.send(() => this.part());
  }

  private part(): string {
    return eventText('tests', testsView(this.store));
  }

  private isKey(text: string): boolean {
    const [given, own] = [Buffer.from(text), Buffer.from(this.ownKey)];
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
