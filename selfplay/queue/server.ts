// Serves a queue on this machine. A test's build command is executed as typed, so adding a test means full access to the owner's account.
// Requests therefore need the queue's key, readable only by its owner, as a cookie that pages of other sites cannot send.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { UserError } from '../common/errors.js';
import { writeFileAtomic } from '../common/files.js';
import { eventText, HOST, isForThisMachine, isFromOwnPage, sendFile, Viewers } from '../web/server.js';
import type { QueueRunner } from './runner.js';
import type { QueueStore } from './store.js';
import { checkedForm } from './test.js';
import { POLICY, queuePage, testsView } from './view.js';

const MAX_BODY = 1 << 16;
const SEND_MS = 500;
const COOKIE = 'heft-queue';
/** Files of a finished run that the page links to. */
const FILES = new Map([
  ['report.html', 'text/html; charset=utf-8'],
  ['games.pgn', 'application/x-chess-pgn'],
]);

export class QueueServer {
  private readonly store: QueueStore;
  private readonly runner: QueueRunner;
  private readonly key: string;
  private readonly server: Server;
  private readonly viewers = new Viewers();
  private readonly timer: NodeJS.Timeout;
  private isNew = false;

  constructor(store: QueueStore, runner: QueueRunner) {
    this.store = store;
    this.runner = runner;
    this.key = keyOf(store.folder);
    this.server = createServer((request, response) => void this.answer(request, response));
    this.timer = setInterval(() => this.send(), SEND_MS);
  }

  /** Starts listening; throws a UserError if the port (0: any) is unavailable. */
  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error) =>
        reject(new UserError(`--port: cannot listen on port ${port}: ${error.message}`)),
      );
      this.server.listen(port, HOST, resolve);
    });
  }

  /** The address to open, with the key, which is then stored as a cookie. */
  get address(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}/?key=${this.key}`;
  }

  /** Sends the changed state to the pages. */
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
        'set-cookie': `${COOKIE}=${this.key}; HttpOnly; SameSite=Strict; Path=/`,
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
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY });
      response.end(queuePage(this.store));
    } else if (path === '/tests') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.store.tests));
    } else if (path === '/events') {
      this.viewers.add(response, this.part());
    } else if (name !== undefined && FILES.has(name) && this.store.tests.some((test) => test.id === Number(id))) {
      const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
      const headers = { 'content-type': FILES.get(name), 'content-security-policy': policy };
      sendFile(response, join(this.store.runOf(Number(id)), name), headers, () => reply(response, 404, 'not there'));
    } else {
      reply(response, 404, 'not there');
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
    const [given, own] = [Buffer.from(text), Buffer.from(this.key)];
    return given.length === own.length && timingSafeEqual(given, own);
  }
}

function reply(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function cookieOf({ headers }: IncomingMessage): string {
  const cookies = (headers.cookie ?? '').split(';').map((one) => one.trim());
  return cookies.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type'] !== 'application/json') throw new UserError('the body is JSON');
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY) throw new UserError('the body is too long');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError('the body is JSON');
  }
}

/** Returns the key of the queue in a folder, newly created if missing and readable only by the owner. */
function keyOf(folder: string): string {
  const file = join(folder, 'key');
  if (!existsSync(file)) {
    writeFileAtomic(file, randomBytes(18).toString('base64url'));
    chmodSync(file, 0o600);
  }
  return readFileSync(file, 'utf8').trim();
}
