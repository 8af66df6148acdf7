// The queue as its owner uses it: the server process, its page in browsers, kills at any moment, and a full disk.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isRunning } from '../../../selfplay/common/folder-lock.js';
import type { Test } from '../../../selfplay/queue/test.js';
import { BrowserPage, CHROMIUM } from '../../support/chromium.js';
import { runProgram } from '../../support/program.js';
import { engineMakefile, testRepository } from '../../support/repository.js';
import { isLong, slowTest } from '../../support/slow.js';

const KILLS = isLong ? 40 : 8;
const MAIN = fileURLToPath(new URL('../../../dist/selfplay/queue/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-queue-'));
const repository = testRepository(join(scratch, 'engine'));
const here = repository.path;
beforeAll(() => {
  repository.commit({ Makefile: engineMakefile(1), '.gitignore': 'runs/\n' });
  repository.commit({ Makefile: engineMakefile(2, 'greedy=1') });
});
afterAll(() => rmSync(scratch, { recursive: true, maxRetries: 10 }));

interface Queue {
  process: ChildProcess;
  address: string;
  output: () => string;
  post: (action: string, body: object, headers?: Record<string, string>) => Promise<{ status: number; text: string }>;
  get: (path: string, headers?: Record<string, string>) => Promise<{ status: number; text: string; headers: Headers }>;
  tests: () => Promise<Test[]>;
}

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('exit', resolve));
  }
});

async function startQueue(folder: string, ...args: string[]): Promise<Queue> {
  return queueOf(spawn(process.execPath, [MAIN, '--port', '0', '--folder', folder, ...args], { cwd: here }));
}

async function queueOf(child: ChildProcess): Promise<Queue> {
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const found = (): RegExpExecArray | null => /^Queue: (http:\/\/127\.0\.0\.1:\d+\/)\?key=(\S+)$/m.exec(output);
  while (found() === null && child.exitCode === null && child.signalCode === null) await sleep(10);
  const [, address = '', key = ''] = found() ?? [];
  expect([address, output]).not.toEqual(['', output]);
  const cookie = `heft-queue-${new URL(address).port}=${key}`;
  return {
    process: child,
    address,
    output: () => output,
    post: async (action, body, headers = {}) => {
      const all = { 'content-type': 'application/json', cookie, ...headers };
      const answer = await fetch(address + action, { method: 'POST', headers: all, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    },
    get: async (path, headers = { cookie }) => {
      const answer = await fetch(address + path, { headers, redirect: 'manual' });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    tests: async () => (await fetch(`${address}tests`, { headers: { cookie } })).json() as Promise<Test[]>,
  };
}

const QUICK = { head: 'HEAD', base: 'HEAD~1', nodes: '5', elo1: '60', options: '--max-moves 80 --workers 1' };
/** An SPRT that runs for minutes without a decision. */
const LONG = { ...QUICK, elo1: '1', options: '--max-moves 10 --workers 1' };

async function until(queue: Queue, isSo: (tests: Test[]) => boolean, seconds = 60): Promise<Test[]> {
  for (let i = 0; i < 10 * seconds; i++) {
    const tests = await queue.tests();
    if (isSo(tests)) return tests;
    await sleep(100);
  }
  throw new Error(`not in ${seconds} s: ${JSON.stringify(await queue.tests())} ${queue.output()}`);
}

describe('the queue', () => {
  test('the queue adds, orders, pauses, stops and removes tests', async () => {
    const queue = await startQueue('runs/orders');
    expect(await queue.post('pause', {})).toEqual({ status: 200, text: 'done' });
    for (const name of ['a', 'b', 'c']) await queue.post('add', { ...LONG, name });
    const names = async (): Promise<string[]> => (await queue.tests()).map(({ form }) => form.name);
    await queue.post('up', { id: 3 });
    expect(await names()).toEqual(['a', 'c', 'b']);
    await queue.post('down', { id: 1 });
    await queue.post('down', { id: 2 });
    expect(await names()).toEqual(['c', 'a', 'b']);
    expect(await queue.post('up', { id: 9 })).toEqual({ status: 400, text: 'test 9 is not waiting' });
    await queue.post('stop', { id: 1 });
    await queue.post('remove', { id: 1 });
    expect(await names()).toEqual(['c', 'b']);
    await queue.post('continue', {});
    const [running] = await until(queue, ([first]) => first?.state === 'running');
    expect(running?.form.name).toBe('c');
    expect(await queue.post('remove', { id: 3 })).toEqual({ status: 400, text: 'test 3 is running; stop it first' });
    await queue.post('stop', { id: 3 });
    await until(queue, ([first, second]) => first?.state === 'stopped' && second?.state === 'running');
    expect(await queue.post('stop', { id: 3 })).toEqual({ status: 400, text: 'test 3 has ended' });
  }, 60_000);

  test('the queue pauses a test whose engines are still being built', async () => {
    const queue = await startQueue('runs/building');
    await queue.post('add', { ...LONG, build: 'sleep 3; make EXE={out}' });
    await until(queue, ([first]) => first?.state === 'running');
    expect(await queue.post('pause', {})).toEqual({ status: 200, text: 'done' });
    expect(existsSync(join(here, 'runs/building/1'))).toBe(false);
    const log = join(here, 'runs/building/1.log');
    await until(queue, () => readFileSync(log, 'utf8').includes('paused: games in progress'));
  }, 90_000);

  test('stopping a test also ends the build of its engine', async () => {
    const queue = await startQueue('runs/unbuilt');
    const pid = join(scratch, 'builder');
    await queue.post('add', { ...LONG, build: `echo $$ > ${pid}; sleep 60` });
    for (let i = 0; i < 300 && !existsSync(pid); i++) await sleep(100);
    await sleep(100);
    const builder = Number(readFileSync(pid, 'utf8'));
    expect(isRunning(builder)).toBe(true);
    await queue.post('stop', { id: 1 });
    for (let i = 0; i < 50 && isRunning(builder); i++) await sleep(100);
    const isLeft = isRunning(builder);
    if (isLeft) process.kill(builder);
    expect(isLeft).toBe(false);
  }, 60_000);

  test('a requeued test starts only after its stopped process has ended', async () => {
    const queue = await startQueue('runs/again');
    await queue.post('add', { ...LONG, build: 'make EXE={out}; echo "sleep 3" >> {out}; sed -i "s/^exec //" {out}' });
    const journal = join(here, 'runs/again/1/games.jsonl');
    await until(queue, () => existsSync(journal));
    const [{ pid } = {}] = await queue.tests();
    await queue.post('stop', { id: 1 });
    await queue.post('again', { id: 1 });
    await until(queue, ([first]) => first?.state !== 'queued' && first?.pid !== pid);
    const { size } = statSync(journal);
    const [next] = await until(queue, ([first]) => first?.state !== 'running' || statSync(journal).size > size);
    expect(next).toMatchObject({ state: 'running' });
  }, 60_000);

  test('a pause that a stopped test did not read is discarded when the test restarts', async () => {
    const queue = await startQueue('runs/unread');
    await queue.post('add', LONG);
    const journal = join(here, 'runs/unread/1/games.jsonl');
    await until(queue, () => existsSync(journal));
    const [{ pid = 0 } = {}] = await queue.tests();
    await queue.post('stop', { id: 1 });
    await until(queue, () => !isRunning(pid));
    const { size } = statSync(journal);
    writeFileSync(join(here, 'runs/unread/1/control'), 'pause\n');
    await queue.post('again', { id: 1 });
    await until(queue, () => statSync(journal).size > size);
  }, 90_000);

  test('the page links to the live page of a running test, even if its log is long', async () => {
    const queue = await startQueue('runs/linked');
    await queue.post('add', LONG);
    const [{ page } = {}] = await until(queue, ([first]) => first?.page !== undefined);
    appendFileSync(join(here, 'runs/linked/1.log'), 'a line\n'.repeat(10_000));
    const { text } = await queue.get('');
    expect(/href="([^"]*)">live/.exec(text)?.[1]).toBe(page);
  }, 60_000);

  test('the queue still answers after a request with an invalid path', async () => {
    const queue = await startQueue('runs/addresses');
    expect((await queue.get('/')).status).toBe(500);
    expect(await queue.tests()).toEqual([]);
  }, 60_000);

  test('the queue rejects requests without its key or from other origins', async () => {
    const queue = await startQueue('runs/guarded');
    const test1 = { ...LONG, name: 'x' };
    // Queues on other ports receive the cookie too, so its name contains the port
    const [, opened = ''] = /^Queue: (.*)$/m.exec(queue.output()) ?? [];
    const cookie = `heft-queue-${new URL(opened).port}`;
    const entered = await fetch(opened, { redirect: 'manual' });
    expect(entered.headers.get('set-cookie')).toMatch(new RegExp(`^${cookie}=\\S{24}; HttpOnly; SameSite=Strict`));
    for (const headers of [
      { cookie: '' },
      { cookie: `${cookie}=AAAAAAAAAAAAAAAAAAAAAAAA` },
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ])
      expect((await queue.post('add', test1, headers as unknown as Record<string, string>)).status).toBe(403);
    expect(await queue.post('add', test1, { 'content-type': 'text/plain' })).toEqual({
      status: 400,
      text: 'the content type must be application/json',
    });
    const charset = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(await queue.post('pause', {}, charset)).toEqual({ status: 200, text: 'done' });
    expect((await queue.post('add', { ...test1, name: 'y'.repeat(70_000) })).status).toBe(400);
    expect((await queue.post('__proto__', {})).status).toBe(400);
    for (const path of ['', 'tests', 'events', 'run/1/report.html'])
      expect((await queue.get(path, {})).status).toBe(403);
    expect((await queue.get('?key=wrong', {})).status).toBe(403);
    for (const path of ['run/../key', 'run/1/..%2fkey', 'key', 'run/1/key', 'queue.json'])
      expect((await queue.get(path)).status).toBe(404);
    const host = new URL(queue.address).port;
    const said = execFileSync(
      'curl',
      ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Host: evil.example:${host}`, queue.address],
      { encoding: 'utf8' },
    );
    expect(said).toBe('403');
    expect(await queue.tests()).toEqual([]);
    expect(statSync(join(here, 'runs/guarded/key')).mode & 0o077).toBe(0);
    const { headers } = await queue.get('');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/);
    const second = await runProgram(MAIN, ['--port', '0', '--folder', 'runs/guarded'], here);
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: runs\/guarded is in use by process \d+;/),
    ]);
    const taken = await runProgram(MAIN, ['--port', host, '--folder', 'runs/elsewhere'], here);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringMatching(new RegExp(`^error: .*${host}`))]);
    mkdirSync(join(here, 'runs/unreadable/key'), { recursive: true });
    mkdirSync(join(here, 'runs/unlocked'));
    writeFileSync(join(here, 'runs/unlocked/key'), '');
    const unlocked = await runProgram(MAIN, ['--port', '0', '--folder', 'runs/unlocked'], here);
    expect([unlocked.code, unlocked.stderr]).toEqual([1, expect.stringContaining('unlocked/key is empty; delete it')]);
    const unreadable = await runProgram(MAIN, ['--port', '0', '--folder', 'runs/unreadable'], here);
    expect([unreadable.code, unreadable.stderr]).toEqual([1, expect.stringMatching(/^error: cannot use .*key: /)]);
  }, 60_000);

  test('paths of a test added in another folder are relative to that folder', async () => {
    const folder = join(scratch, 'elsewhere/queue');
    mkdirSync(join(scratch, 'books'));
    const words = ['--folder', folder, '--openings', 'book.epd', '--git', '../engine'];
    expect((await runProgram(MAIN, ['add', ...words], join(scratch, 'books'))).code).toBe(0);
    expect((await runProgram(MAIN, ['add', '--folder', folder, '--git', 'https://x/y'], scratch)).code).toBe(0);
    const forms = readdirSync(join(folder, 'inbox'))
      .sort()
      .map((name) => readFileSync(join(folder, 'inbox', name), 'utf8'));
    expect(forms.map((text) => JSON.parse(text))).toMatchObject([
      { openings: join(scratch, 'books/book.epd'), git: here },
      { openings: '', git: 'https://x/y' },
    ]);
  });

  test('the queue plays added tests, calls the webhook and reports the reason for a failure', async () => {
    const heard: Record<string, unknown>[] = [];
    const receiver = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text) => heard.push(JSON.parse(text)));
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    const words = Object.entries({ ...QUICK, name: 'left' }).map(([key, value]) => `--${key}=${value}`);
    expect(await runProgram(MAIN, ['add', '--folder', 'runs/left', ...words], here)).toMatchObject({
      code: 0,
      stderr: '',
    });
    await runProgram(MAIN, ['add', '--folder', 'runs/left', '--head=nonsense', '--name=bad'], here);
    const wrong = await runProgram(MAIN, ['add', '--folder', 'runs/left', '--tc=slow'], here);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: Clock \(--tc\) takes a time control/),
    ]);
    const queue = await startQueue(
      'runs/left',
      '--webhook',
      `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    );
    const tests = await until(
      queue,
      (all) => all.length === 2 && all.every(({ state }) => state !== 'queued' && state !== 'running'),
    );
    expect(tests.map(({ state, verdict }) => [state, verdict])).toEqual([
      ['finished', 'H1'],
      ['failed', undefined],
    ]);
    expect(tests[1]?.problem).toMatch(/^rev=nonsense: no such revision in /);
    for (let i = 0; heard.length < 2 && i < 50; i++) await sleep(100);
    expect(heard).toEqual([
      expect.objectContaining({ text: 'left: passed', verdict: 'H1', state: 'finished' }),
      expect.objectContaining({ text: 'bad: failed', state: 'failed' }),
    ]);
    expect((await queue.get('run/1/report.html')).text).toContain('<!doctype html>');
    expect((await queue.get('run/1/games.pgn')).text).toMatch(/^\[Event "/);
    receiver.close();
  }, 90_000);

  slowTest(
    'the queue loses no tests when it is killed repeatedly, and their games continue',
    async () => {
      const folder = 'runs/killed';
      const names: string[] = [];
      let games = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const queue = await startQueue(folder);
        if (kill < KILLS / 3) {
          const name = `test ${kill}`;
          if ((await queue.post('add', { ...LONG, name })).status === 200) names.push(name);
        }
        const before = await queue.tests();
        expect(before.map(({ form }) => form.name)).toEqual(names);
        expect(before.filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(1);
        await sleep((kill * 137 * (40 / KILLS)) % 1600);
        const running = (await queue.tests()).find(({ state }) => state === 'running');
        queue.process.kill('SIGKILL');
        // Every fourth time the match is killed as well
        if (kill % 4 === 3 && running?.pid !== undefined) {
          try {
            process.kill(running.pid, 'SIGKILL');
          } catch {
            // It had not started, or was already killed
          }
        }
        await new Promise((resolve) =>
          queue.process.exitCode !== null || queue.process.signalCode !== null
            ? resolve(null)
            : queue.process.once('exit', resolve),
        );
        const journal = join(here, folder, '1/games.jsonl');
        const now = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0;
        expect(now).toBeGreaterThanOrEqual(games - 1);
        games = now;
      }
      expect(games).toBeGreaterThan(isLong ? 10 : 0);
      const journal = join(here, folder, '1/games.jsonl');
      const { size } = statSync(journal);
      const queue = await startQueue(folder);
      const tests = await until(queue, () => statSync(journal).size > size);
      expect(tests[0]?.state).toBe('running');
      expect(tests.map(({ form }) => form.name)).toEqual(names);
      expect(new Set(tests.map(({ id }) => id)).size).toBe(names.length);
    },
    300_000,
  );

  slowTest(
    'the queue reports a full disk and keeps its tests',
    async () => {
      const folder = 'runs/full';
      const first = await startQueue(folder);
      await first.post('pause', {});
      await first.post('add', { ...LONG, name: 'kept' });
      const done = new Promise((resolve) => first.process.once('exit', resolve));
      first.process.kill('SIGINT');
      await done;
      // Limits the size of files to four kilobytes
      const command = `ulimit -f 4; exec "${process.execPath}" "${MAIN}" --port 0 --folder ${folder}`;
      const queue = await queueOf(spawn('bash', ['-c', command], { cwd: here }));
      let refused = { status: 200, text: '' };
      let added = 1;
      for (; refused.status === 200 && added < 40; added++)
        refused = await queue.post('add', { ...LONG, name: 'x'.repeat(300) });
      expect([refused.status, refused.text]).toEqual([
        507,
        expect.stringMatching(/^cannot write .*queue\.json: file too large/),
      ]);
      expect(await queue.tests()).toHaveLength(added - 1);
      const saved = JSON.parse(readFileSync(join(here, folder, 'queue.json'), 'utf8'));
      expect(saved.tests).toEqual(await queue.tests());
      expect((await queue.post('remove', { id: 1 })).status).not.toBe(500);
    },
    60_000,
  );
});

describe.skipIf(CHROMIUM === undefined)('the page of the queue', () => {
  slowTest(
    'the page shows the same tests in two browsers, accepts a test from each, and escapes names',
    async () => {
      const queue = await startQueue('runs/pages');
      await queue.post('pause', {});
      const name = `<img src=x onerror="document.title='pwned'"><script>alert(1)</script>&amp;"'`;
      await queue.post('add', { ...LONG, name });
      const key = readFileSync(join(here, 'runs/pages/key'), 'utf8');
      const [one, two] = [
        await BrowserPage.open(`${queue.address}?key=${key}`),
        await BrowserPage.open(`${queue.address}?key=${key}`, 390, 844),
      ];
      const rows = 'document.querySelectorAll("tbody tr").length';
      for (const page of [one, two]) {
        await page.until(`${rows} === 1`);
        expect(await page.evaluate('location.search')).toBe('');
        expect(await page.evaluate('document.querySelector("tbody td:nth-child(2)").firstChild.textContent')).toBe(
          name,
        );
        expect(await page.evaluate('document.querySelectorAll("tbody img, tbody script").length')).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      }
      for (const [page, text] of [
        [one, 'from one'],
        [two, 'from two'],
      ] as const) {
        await page.evaluate(
          `(() => { document.querySelector('input[name=name]').value = '${text}'; document.querySelector('input[name=nodes]').value = '5'; document.querySelector('form').requestSubmit(); })()`,
        );
      }
      for (const page of [one, two]) await page.until(`${rows} === 3`);
      await one.click('tr:nth-child(3) button[data-act=up]');
      for (const page of [one, two])
        await page.until(`document.querySelector("tr:nth-child(2) td").textContent === '3'`);
      await two.evaluate(
        `(() => { document.querySelector('input[name=tc]').value = 'soon'; document.querySelector('input[name=nodes]').value = ''; document.querySelector('form').requestSubmit(); })()`,
      );
      await two.until(`document.getElementById('problem').textContent.startsWith('Clock (--tc) takes a time control')`);
      expect(one.messages).toEqual([]);
      for (const page of [one, two]) await page.close();
    },
    90_000,
  );
});
