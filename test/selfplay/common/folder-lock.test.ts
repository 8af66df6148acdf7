import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { isRunning, lockFolder } from '../../../selfplay/common/folder-lock.js';
import { projectFile } from '../../../selfplay/common/program.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-lock-'));
const lock = join(folder, 'lock');
afterAll(() => rmSync(folder, { recursive: true }));

/** The id of a process that has ended. */
const deadPid = (): string => execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();

test('a folder lock is exclusive, even within a process, and can be released', () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`${folder} is in use by process ${process.pid}`);
  unlock();
  expect(readdirSync(folder)).toEqual([]);
  lockFolder(folder)();
});

test('an empty lock and the lock of a dead process are taken over', () => {
  for (const content of [deadPid(), '']) {
    writeFileSync(lock, content);
    const unlock = lockFolder(folder);
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
    unlock();
    expect(existsSync(lock)).toBe(false);
  }
});

test('a folder with a foreign lock file is rejected, and subfolders with temporary names are kept', () => {
  const backup = join(folder, 'old.tmp-99999999');
  mkdirSync(backup);
  writeFileSync(lock, 'my notes');
  expect(() => lockFolder(folder)).toThrow(`${lock} is not a Heft lock file; choose another folder`);
  expect(readFileSync(lock, 'utf8')).toBe('my notes');
  rmSync(lock);
  lockFolder(folder)();
  expect(readdirSync(folder)).toEqual(['old.tmp-99999999']);
  rmdirSync(backup);
});

test('a stale lock that another process does not finish removing is reported', () => {
  writeFileSync(lock, deadPid());
  writeFileSync(`${lock}-stale`, String(process.ppid));
  expect(() => lockFolder(folder)).toThrow(
    `${lock}-stale is held by process ${process.ppid}; if that is not a Heft run`,
  );
  rmSync(`${lock}-stale`);
  rmSync(lock);
});

test('a process removes only its own lock', () => {
  const unlock = lockFolder(folder);
  writeFileSync(lock, '1');
  unlock();
  expect(readFileSync(lock, 'utf8')).toBe('1');
  rmSync(lock);
});

// Each process holds the folder for a moment and creates a file that must not exist yet
const CONTENDER = `
  const { lockFolder } = await import(process.argv[1]);
  const { renameSync, rmSync, writeFileSync } = await import('node:fs');
  let taken = 0;
  const end = performance.now() + 500;
  while (performance.now() < end) {
    let unlock;
    try { unlock = lockFolder(process.argv[2]); } catch { continue; }
    const inside = process.argv[2] + '/inside';
    writeFileSync(inside, '', { flag: 'wx' });
    rmSync(inside);
    taken++;
    // Every second time the lock of a dead process is left behind
    if (taken % 2 === 0) {
      writeFileSync(process.argv[2] + '/dead-' + process.pid, process.argv[3]);
      renameSync(process.argv[2] + '/dead-' + process.pid, process.argv[2] + '/lock');
    }
    unlock();
  }
  process.stdout.write(String(taken));
`;

test('processes that find a stale lock never hold the folder at the same time', async () => {
  const dead = deadPid();
  writeFileSync(lock, dead);
  const module = projectFile('dist/selfplay/common/folder-lock.js').href;
  const contend = (): Promise<[number | null, string]> =>
    new Promise((resolve) => {
      const args = ['--input-type=module', '--eval', CONTENDER, module, folder, dead];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let stdout = '';
      child.stdout.on('data', (text) => {
        stdout += text;
      });
      child.on('close', (code) => resolve([code, stdout]));
    });
  const outcomes = await Promise.all([contend(), contend(), contend()]);
  for (const [code, taken] of outcomes) expect([code, Number(taken) > 0]).toEqual([0, true]);
});

test.runIf(process.platform === 'linux')('a zombie process does not count as running', async () => {
  // The shell does not wait for its child
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(output.toString());
    await vi.waitUntil(() => !isRunning(child));
    expect(() => process.kill(child, 0)).not.toThrow();
  } finally {
    parent.kill();
  }
});
