// A headless Chromium, driven over the pipe of its DevTools protocol.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** The browser's program: that of HEFT_CHROMIUM, or where distributions have it; undefined where there is none. */
export const CHROMIUM = [process.env['HEFT_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (file) => file !== undefined && existsSync(file),
);

type Parameters = Record<string, unknown>;
interface Reply {
  id?: number;
  method?: string;
  params?: { args?: { value?: unknown }[]; exceptionDetails?: { text: string }; entry?: { text: string } };
  result?: Parameters & { result?: { value?: unknown }; exceptionDetails?: { exception?: { description?: string } } };
  error?: { message: string };
}

/** A page in the browser. */
export class BrowserPage {
  /** What the page wrote to its console, and errors of any kind. */
  readonly messages: string[] = [];
  private readonly profile = mkdtempSync(join(tmpdir(), 'heft-chromium-'));
  private readonly child: ChildProcess;
  private readonly answers = new Map<number, (reply: Reply) => void>();
  private session: string | undefined;
  private sent = 0;

  private constructor() {
    const flags = ['--headless=new', '--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${this.profile}`];
    this.child = spawn(CHROMIUM as string, [...flags, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    let partial = '';
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const replies = (partial + chunk).split('\0');
      partial = replies.pop() ?? '';
      for (const reply of replies) this.hear(JSON.parse(reply));
    });
  }

  /** Opens an address at a size in pixels. */
  static async open(url: string, width = 1280, height = 900): Promise<BrowserPage> {
    const page = new BrowserPage();
    const { targetInfos } = (await page.send('Target.getTargets')) as {
      targetInfos: { type: string; targetId: string }[];
    };
    const { targetId } = targetInfos.find(({ type }) => type === 'page') as { targetId: string };
    const { sessionId } = await page.send('Target.attachToTarget', { targetId, flatten: true });
    page.session = sessionId as string;
    for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`);
    await page.resize(width, height);
    await page.send('Page.navigate', { url });
    await page.until(`location.href !== 'about:blank' && document.readyState === 'complete'`);
    return page;
  }

  private hear({ id, method, params, ...reply }: Reply): void {
    if (id !== undefined) this.answers.get(id)?.({ id, ...reply });
    if (method === 'Runtime.consoleAPICalled')
      this.messages.push(`${params?.args?.map(({ value }) => value).join(' ')}`);
    if (method === 'Runtime.exceptionThrown') this.messages.push(`${params?.exceptionDetails?.text}`);
    if (method === 'Log.entryAdded') this.messages.push(`${params?.entry?.text}`);
  }

  /** Sends a command of the protocol and returns its result. */
  async send(method: string, params: Parameters = {}): Promise<NonNullable<Reply['result']>> {
    const id = ++this.sent;
    const { session: sessionId } = this;
    (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result = {}, error } = await new Promise<Reply>((resolve) => this.answers.set(id, resolve));
    this.answers.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Returns the value of an expression in the page, awaited. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'an exception');
    return result?.value as Value;
  }

  /** Waits until an expression holds in the page; throws when it does not. */
  async until(expression: string, patience = 30_000): Promise<void> {
    const deadline = Date.now() + patience;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > deadline) throw new Error(`not in ${patience} ms: ${expression}; ${this.messages.join(' | ')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Clicks into the middle of the first element that the selector finds. */
  async click(selector: string): Promise<void> {
    const [x, y] = await this.evaluate<[number, number]>(
      `(() => { const element = document.querySelector(${JSON.stringify(selector)}); element.scrollIntoView({ block: 'nearest' });
        const { x, y, width, height } = element.getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()`,
    );
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  }

  /** Writes what the page looks like into a PNG file. */
  async screenshot(file: string): Promise<void> {
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: true });
    writeFileSync(file, Buffer.from(data as string, 'base64'));
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
    // Its helpers may still write; the folder of all tests is removed at their end
    try {
      rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    } catch {}
  }
}
