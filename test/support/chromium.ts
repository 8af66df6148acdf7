// A headless Chromium, driven over the pipe of its DevTools protocol.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const { HEFT_CHROMIUM } = process.env;

/** The browser's program: HEFT_CHROMIUM (empty for no browser) or a usual path; undefined if there is none. */
export const CHROMIUM =
  HEFT_CHROMIUM === undefined
    ? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file))
    : HEFT_CHROMIUM || undefined;

// Without a network, the services of the browser itself would retry their connections all the time
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

type Parameters = Record<string, unknown>;
interface Reply {
  id?: number;
  method?: string;
  params?: {
    args?: { value?: unknown }[];
    exceptionDetails?: { text: string };
    entry?: { text: string };
    name?: string;
    loaderId?: string;
  };
  result?: Parameters & { result?: { value?: unknown }; exceptionDetails?: { exception?: { description?: string } } };
  error?: { message: string };
}

/**
 * In the page: the centre of an element that has not moved for two frames and is not covered, or null. `isHit` is set to whether the next
 * press of the mouse reaches it.
 */
const RESTING_PLACE = `async (selector) => {
  const found = () => document.querySelector(selector);
  const middle = () => {
    const { x, y, width, height } = found().getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const has = (target) => found()?.contains(target) ?? false;
  const frame = () => new Promise(requestAnimationFrame);
  found().scrollIntoView({ block: 'nearest' });
  const before = middle();
  for (let frames = 0; frames < 2; frames++) await frame();
  if (found() === null) return null;
  const after = middle();
  if (String(after) !== String(before) || !has(document.elementFromPoint(...after))) return null;
  globalThis.isHit = false;
  addEventListener('pointerdown', ({ target }) => { globalThis.isHit = has(target); }, { capture: true, once: true });
  return after;
}`;

/** A page in the browser. */
export class BrowserPage {
  /** In ms, for a busy machine. */
  static readonly patience = 60_000;

  /** The console output of the page, and errors of any kind. */
  readonly messages: string[] = [];
  private readonly profile = mkdtempSync(join(tmpdir(), 'heft-chromium-'));
  private readonly child: ChildProcess;
  private readonly answers = new Map<number, (reply: Reply) => void>();
  private session: string | undefined;
  private sent = 0;
  private onLoad = (_loader: string): void => {};

  private constructor() {
    const own = ['--remote-debugging-pipe', `--user-data-dir=${this.profile}`, 'about:blank'];
    this.child = spawn(CHROMIUM as string, [...FLAGS, ...own], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.child.once('error', ({ message }) => this.fail(message));
    this.child.once('exit', (code) => this.fail(`the browser ended (${code})`));
    let partial = '';
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const replies = (partial + chunk).split('\0');
      partial = replies.pop() ?? '';
      for (const reply of replies) this.hear(JSON.parse(reply));
    });
  }

  /** Opens a URL in a window of the given size in pixels. */
  static async open(url: string, width = 1280, height = 900): Promise<BrowserPage> {
    const page = new BrowserPage();
    // The initial window may not exist yet
    const { targetId } = await page.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await page.send('Target.attachToTarget', { targetId, flatten: true });
    page.session = sessionId as string;
    for (const domain of ['Page', 'Runtime', 'Log', 'Inspector']) await page.send(`${domain}.enable`);
    await page.send('Page.setLifecycleEventsEnabled', { enabled: true });
    await page.resize(width, height);
    await page.load('Page.navigate', { url });
    return page;
  }

  reload(): Promise<void> {
    return this.load('Page.reload');
  }

  private async load(method: string, params?: Parameters): Promise<void> {
    // Events of the previous page may still arrive
    const { frameTree } = await this.send('Page.getFrameTree');
    const { loaderId } = (frameTree as { frame: { loaderId: string } }).frame;
    const loaded = new Promise<void>((resolve) => {
      this.onLoad = (loader) => {
        if (loader !== loaderId) resolve();
      };
    });
    await this.send(method, params);
    await loaded;
  }

  /** Answers all requests with an error, because a browser or page that has ended sends no answers. */
  private fail(message: string): void {
    for (const [id, answer] of this.answers) answer({ id, error: { message } });
  }

  private hear({ id, method, params, ...reply }: Reply): void {
    if (method === 'Inspector.targetCrashed') this.fail('the page crashed');
    if (id !== undefined) this.answers.get(id)?.({ id, ...reply });
    if (method === 'Page.lifecycleEvent' && params?.name === 'load') this.onLoad(`${params.loaderId}`);
    if (method === 'Runtime.consoleAPICalled')
      this.messages.push(`${params?.args?.map(({ value }) => value).join(' ')}`);
    if (method === 'Runtime.exceptionThrown') this.messages.push(`${params?.exceptionDetails?.text}`);
    if (method === 'Log.entryAdded') this.messages.push(`${params?.entry?.text}`);
  }

  /** Sends a command of the protocol and returns its result; throws if it takes three times `patience`. */
  async send(method: string, params: Parameters = {}): Promise<NonNullable<Reply['result']>> {
    const id = ++this.sent;
    const { session: sessionId } = this;
    (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result = {}, error } = await new Promise<Reply>((resolve) => {
      this.answers.set(id, resolve);
      const limit = 3 * BrowserPage.patience;
      setTimeout(() => resolve({ id, error: { message: `no answer in ${limit} ms` } }), limit).unref();
    });
    this.answers.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Returns the value of an expression in the page, awaited if it is a promise. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'an exception');
    return result?.value as Value;
  }

  /** Waits until an expression is true in the page; throws after `patience`. */
  async until(expression: string): Promise<void> {
    const { patience } = BrowserPage;
    const deadline = Date.now() + patience;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > deadline) throw new Error(`not in ${patience} ms: ${expression}; ${this.messages.join(' | ')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Clicks the centre of the first element that matches the selector once it is at rest and not covered; throws after `patience`. */
  async click(selector: string): Promise<void> {
    const { patience } = BrowserPage;
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      const place = await this.evaluate<[number, number] | null>(`(${RESTING_PLACE})(${JSON.stringify(selector)})`);
      if (place !== null && (await this.press(...place))) return;
    }
    throw new Error(`not to be clicked in ${patience} ms: ${selector}; ${this.messages.join(' | ')}`);
  }

  /** Presses and releases the mouse; returns false, without a click, if the element has moved away. */
  private async press(x: number, y: number): Promise<boolean> {
    const mouse = (type: string, x: number, y: number): Promise<unknown> =>
      this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    await mouse('mousePressed', x, y);
    const isHit = await this.evaluate<boolean>('globalThis.isHit');
    if (isHit) await mouse('mouseReleased', x, y);
    else await mouse('mouseReleased', -1, -1);
    return isHit;
  }

  /**
   * Returns the limit for a stop in milliseconds: 100, plus five times the time to start an empty worker (the slowest of three). Fixed
   * limits fail if other tests leave a browser a tenth of the CPU.
   */
  async stopLimit(): Promise<number> {
    const started = await this.evaluate<number[]>(`(async () => {
      const url = URL.createObjectURL(new Blob(['postMessage(0)'], { type: 'text/javascript' }));
      const took = [];
      for (let i = 0; i < 3; i++) {
        const start = performance.now();
        const worker = new Worker(url);
        await new Promise((resolve) => { worker.onmessage = resolve; });
        took.push(performance.now() - start);
        worker.terminate();
      }
      return took;
    })()`);
    return 100 + 5 * Math.max(...started);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  }

  /** Writes a screenshot of the page to a PNG file. */
  async screenshot(file: string): Promise<void> {
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: true });
    writeFileSync(file, Buffer.from(data as string, 'base64'));
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
    // Its helper processes may still write; the folder of all tests is removed at the end
    try {
      rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    } catch {}
  }
}
