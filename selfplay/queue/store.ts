// QueueStore: the tests of a queue, stored on disk. Every change is written atomically before it takes effect.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../common/errors.js';
import { makeFolder, writeFileAtomic } from '../common/files.js';
import { isObject } from '../common/run-files.js';
import { checkedForm, FIELDS, isOver, type Test, type TestForm } from './test.js';

interface Saved {
  next: number;
  paused: boolean;
  /** All tests in order, whether running, waiting or ended. */
  tests: Test[];
}

const QUEUE = 'queue.json';
/** Folder into which `queue add` writes tests for the queue's server. */
const INBOX = 'inbox';

export class QueueStore {
  private saved: Saved;
  private readonly file: string;

  /** Opens the queue of a folder; throws a UserError if it cannot be read. */
  constructor(readonly folder: string) {
    this.file = join(folder, QUEUE);
    makeFolder(join(folder, INBOX));
    this.saved = existsSync(this.file) ? readSaved(this.file) : { next: 1, paused: false, tests: [] };
  }

  get tests(): readonly Test[] {
    return this.saved.tests;
  }

  get paused(): boolean {
    return this.saved.paused;
  }

  find(id: number): Test {
    const test = this.saved.tests.find((one) => one.id === id);
    if (test === undefined) throw new UserError(`no such test: ${id}`);
    return test;
  }

  runOf(id: number): string {
    return join(this.folder, String(id));
  }

  add(form: TestForm): Test {
    const { tests } = this.saved;
    let id = this.saved.next;
    // With a used number, the run of an earlier queue in this folder would be continued
    while (existsSync(this.runOf(id)) || existsSync(`${this.runOf(id)}.log`)) id++;
    const test: Test = { id, form, added: new Date().toISOString(), state: 'queued', starts: 0 };
    this.write({ next: id + 1, tests: [...tests, test] });
    return test;
  }

  change(id: number, facts: Partial<Test>): void {
    this.find(id);
    this.write({ tests: this.saved.tests.map((test) => (test.id === id ? { ...test, ...facts } : test)) });
  }

  pause(paused: boolean): void {
    this.write({ paused });
  }

  /** Moves a waiting test one place up or down among the waiting tests. */
  move(id: number, by: -1 | 1): void {
    const waiting = this.saved.tests.filter(({ state }) => state === 'queued');
    const at = waiting.findIndex((test) => test.id === id);
    const other = waiting[at + by];
    if (at < 0) throw new UserError(`test ${id} is not waiting`);
    if (other === undefined) return;
    const test = waiting[at];
    this.write({ tests: this.saved.tests.map((one) => (one === test ? other : one === other ? test : one)) });
  }

  /** Removes a test from the list; its run's folder is kept. */
  remove(id: number): void {
    if (this.find(id).state === 'running') throw new UserError(`test ${id} is running; stop it first`);
    this.write({ tests: this.saved.tests.filter((test) => test.id !== id) });
  }

  /** Requeues a failed or stopped test; its run continues. */
  again(id: number): void {
    const test = this.find(id);
    if (!isOver(test) || test.state === 'finished')
      throw new UserError(`test ${id} has neither failed nor been stopped`);
    const { problem, ...rest } = test;
    this.write({ tests: [...this.saved.tests.filter((one) => one !== test), { ...rest, state: 'queued', starts: 0 }] });
  }

  /** Adds the tests in the inbox. Renames each file that is not a valid test, and returns a message for it. */
  collect(): string[] {
    const inbox = join(this.folder, INBOX);
    return readdirSync(inbox)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .flatMap((name) => {
        const file = join(inbox, name);
        try {
          this.add(checkedForm(JSON.parse(readFileSync(file, 'utf8'))));
          rmSync(file);
          return [];
        } catch (error) {
          if (error instanceof UserError && error.message.startsWith('cannot write')) return [error.message];
          // The file is kept under another name, because a newer version may accept it
          const refused = `${file}.refused`;
          const isThere = existsSync(file);
          if (isThere) renameSync(file, refused);
          return [`${isThere ? refused : file}: ${(error as Error).message}`];
        }
      });
  }

  private write(changes: Partial<Saved>): void {
    const saved = { ...this.saved, ...changes };
    writeFileAtomic(this.file, `${JSON.stringify(saved, null, 1)}\n`);
    this.saved = saved;
  }
}

/** Writes a test to the inbox of the folder, for its current or next server. */
export function leaveTest(folder: string, form: TestForm): void {
  const file = `${new Date().toISOString().replace(/\D/g, '')}-${process.pid}.json`;
  writeFileAtomic(join(folder, INBOX, file), JSON.stringify(form));
}

// A form written by another version may be invalid. A test that was started is kept, because its process may still be playing, and because
// its run can be continued without the form
function readTest(test: Test): Test {
  try {
    return { ...test, form: checkedForm(test.form) };
  } catch (error) {
    if (!(error instanceof UserError) || !isObject(test.form)) throw error;
    // The page shows all fields
    const defaults = Object.entries(FIELDS).map(([key, field]) => [key, field.default]);
    const kept: Test = { ...test, form: { ...Object.fromEntries(defaults), ...test.form } };
    return test.state === 'queued' && test.size === undefined
      ? { ...kept, state: 'failed', problem: error.message }
      : kept;
  }
}

function readSaved(file: string): Saved {
  try {
    const { next, paused, tests } = JSON.parse(readFileSync(file, 'utf8'));
    if (Number.isInteger(next) && Array.isArray(tests)) {
      return { next, paused: paused === true, tests: tests.map(readTest) };
    }
  } catch {
    // The fault is reported below
  }
  throw new UserError(`${file} is not a queue; restore it, or move it away to start a new queue`);
}
