// `heft-tools queue`: plays tests of an engine one after another, and serves a page on this machine. `queue add` adds a test from the
// command line.

import { resolve } from 'node:path';
import { command, runCommands } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { isFolder, makeFolder } from '../common/files.js';
import { lockFolder } from '../common/folder-lock.js';
import { type SettingsOf, text, whole } from '../common/options.js';
import { interruptSignal } from '../common/program.js';
import { QueueRunner } from './runner.js';
import { QueueServer } from './server.js';
import { leaveTest, QueueStore } from './store.js';
import { checkedForm, FIELDS, type Test, type TestForm, testOutcome } from './test.js';

const FOLDER = { folder: text('folder of the queue and of its runs', { default: 'runs/queue' }) };

const SERVE_OPTIONS = {
  ...FOLDER,
  port: whole('port of the page on 127.0.0.1; 0 for any', { max: 65_535, default: 8021 }),
  webhook: text('URL that receives a JSON message at the end of each test'),
};

const ADD_OPTIONS = {
  ...FOLDER,
  ...(Object.fromEntries(
    Object.entries(FIELDS).map(([key, { default: value, help }]) => [
      key,
      text(help, { ...(value !== '' && { defaultText: value }) }),
    ]),
  ) as Record<keyof TestForm, ReturnType<typeof text>>),
};

/** Maximum wait in ms for the receiver of --webhook. */
const PATIENCE_MS = 10_000;

await runCommands('queue', '[options] | add --head REV --base REV [options]', [
  command('$0', 'play the tests of a queue and serve its page', SERVE_OPTIONS, serve),
  command('add', 'add a test to the queue', ADD_OPTIONS, add),
]);

async function serve({ folder: given, port, webhook }: SettingsOf<typeof SERVE_OPTIONS>): Promise<void> {
  // The path identifies a match that has outlived a crashed queue
  const folder = resolve(given);
  if (webhook !== undefined && !/^https?:\/\//.test(webhook))
    throw new UserError('--webhook takes a URL that begins with http:// or https://', 2);
  makeFolder(folder);
  const unlock = lockFolder(given);
  const signal = interruptSignal();
  const warn = (message: string): void => void process.stderr.write(`warning: ${message}\n`);
  try {
    const store = new QueueStore(folder);
    let server: QueueServer | undefined;
    const runner = new QueueRunner(store, {
      onChange: () => server?.refresh(),
      onEnd: (test) => {
        console.log(describe(test));
        if (webhook !== undefined) void announce(webhook, test, warn);
      },
      onWarning: warn,
    });
    try {
      server = new QueueServer(store, runner);
      console.log(`Queue: ${await server.listen(port)}`);
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } finally {
      server?.close();
      await runner.close();
    }
  } finally {
    unlock();
  }
}

// Paths become absolute, because the queue may run in another folder
function add({ folder, git = '', openings = '', ...fields }: SettingsOf<typeof ADD_OPTIONS>): void {
  const paths = { git: isFolder(git) ? resolve(git) : git, openings: openings.trim() && resolve(openings) };
  leaveTest(folder, checkedForm({ ...fields, ...paths }));
  console.log(`added to the queue in ${folder}`);
}

function titleOf({ name, head, base }: TestForm): string {
  return name === '' ? `${head} against ${base}` : name;
}

function describe(test: Test): string {
  const { id, form, elo = 0, eloError = 0, problem } = test;
  return `test ${id}, ${titleOf(form)}: ${testOutcome(test)}, ${problem ?? `${elo.toFixed(1)} +/- ${eloError.toFixed(1)} Elo`}`;
}

/** Posts the result of a test to the URL as JSON. An unreachable receiver does not stop the queue. */
async function announce(address: string, test: Test, warn: (message: string) => void): Promise<void> {
  const { id, form, state, verdict = null, elo, eloError, llr, gamesPlayed, penta, problem } = test;
  const { name, head, base } = form;
  const text = `${titleOf(form)}: ${testOutcome(test)}`;
  const figures = { verdict, elo, eloError, llr, games: gamesPlayed, penta };
  // Chat programs display `text` or `content`
  const message = { text, content: text, id, name, head, base, state, ...figures, problem };
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    });
    if (!answer.ok) warn(`--webhook: the receiver returned HTTP status ${answer.status}`);
  } catch (error) {
    warn(`--webhook: ${(error as Error).message}`);
  }
}
