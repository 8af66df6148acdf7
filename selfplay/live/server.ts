// Serves the live page on this machine: the document, a stream of server-sent events with the changed parts of the page, and finished
// games. The parts are drawn at most a few times per second, and only while a page is connected.

import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { UserError } from '../common/errors.js';
import { writeFileAtomic } from '../common/files.js';
import type { SeriesEvent } from '../series/events.js';
import { GAMES } from '../series/files.js';
import { eventText, isForThisMachine, listenHere, sendFile, Viewers } from '../web/server.js';
import { LIVE_PARTS, LIVE_POLICY, pageDocument } from './document.js';
import { replayOf } from './replay.js';
import { PageState, type RunDescription } from './state.js';

/** Drawing intervals in ms of the boards, and of the rest, whose charts take tens of milliseconds to draw. */
const BOARDS_MS = 200;
const RUN_MS = 1000;
/** Maximum wait in ms for pages to receive the last updates. */
const PATIENCE_MS = 1000;

export class PageServer {
  private readonly state: PageState;
  private readonly server: Server;
  private readonly viewers = new Viewers();
  private readonly timers: NodeJS.Timeout[];
  private isRunNew = true;
  /** Set by listen(). */
  address = '';

  constructor(description: RunDescription) {
    this.state = new PageState(description);
    this.server = createServer((request, response) => this.answer(request, response));
    // An open page must not keep the process running
    this.server.unref().on('connection', (socket) => socket.unref());
    this.timers = [
      setInterval(() => this.send('boards'), BOARDS_MS).unref(),
      setInterval(() => this.sendRun(), RUN_MS).unref(),
    ];
  }

  /** Starts listening on the port (0: any). Throws a UserError if it is unavailable, unless `orAny` allows another port. */
  async listen(port: number, orAny = false): Promise<void> {
    try {
      this.address = await listenHere(this.server, port);
    } catch (error) {
      if (!orAny) throw new UserError(`--page: cannot listen on port ${port}: ${(error as Error).message}`);
      this.address = await listenHere(this.server, 0);
    }
  }

  take(event: SeriesEvent): void {
    this.state.take(event);
    if (event.type !== 'move') this.isRunNew = true;
  }

  /** Sends the end of the run, closes the streams and stops listening. Writes the page as `report.html` to the run's folder. */
  async close(end: string): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.state.end = end;
    const last = `${this.parts('title', 'run', 'boards', 'replays')}event: end\ndata:\n\n`;
    this.viewers.end(last);
    const patience = setTimeout(() => this.server.closeAllConnections(), PATIENCE_MS);
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeIdleConnections();
    });
    clearTimeout(patience);
    const { folder } = this.state.description;
    if (existsSync(folder)) writeFileAtomic(join(folder, 'report.html'), pageDocument(this.state, false));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    if (!isForThisMachine(request)) return void response.writeHead(403).end();
    if (request.method !== 'GET') return void response.writeHead(405).end();
    response.setHeader('cache-control', 'no-store');
    if (request.url === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': LIVE_POLICY });
      response.end(pageDocument(this.state, true));
    } else if (request.url === '/events') {
      this.viewers.add(response, this.parts('title', 'run', 'boards'));
    } else if (request.url === '/games.pgn') {
      const games = join(this.state.description.folder, GAMES);
      const headers = { 'content-type': 'application/x-chess-pgn' };
      sendFile(response, games, headers, () => response.writeHead(404).end());
    } else {
      const counted = this.state.recent.find(({ index }) => request.url === `/game/${index + 1}`);
      if (counted === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replayOf(counted)));
    }
  }

  private sendRun(): void {
    if (this.isRunNew && this.send('title', 'run')) this.isRunNew = false;
  }

  private send(...names: (keyof typeof LIVE_PARTS)[]): boolean {
    return this.viewers.send(() => this.parts(...names));
  }

  private parts(...names: (keyof typeof LIVE_PARTS)[]): string {
    return names.map((name) => eventText(name, LIVE_PARTS[name](this.state))).join('');
  }
}
