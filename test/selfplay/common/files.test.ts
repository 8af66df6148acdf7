import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { UserError } from '../../../selfplay/common/errors.js';
import { makeFolder, newRunFolder, writeFileAtomic } from '../../../selfplay/common/files.js';
import { lockFolder } from '../../../selfplay/common/folder-lock.js';
import { projectFile } from '../../../selfplay/common/program.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (...names: string[]): string => join(folder, ...names);

/** The id of a process that has ended. */
const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();

describe('atomic writing', () => {
  test('an atomic write keeps file permissions and symlinks', () => {
    writeFileSync(path('file'), 'before');
    chmodSync(path('file'), 0o640);
    symlinkSync('file', path('link'));
    writeFileAtomic(path('link'), 'after');
    expect(readFileSync(path('file'), 'utf8')).toBe('after');
    expect(statSync(path('file')).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(['file', 'link']);
  });

  test('writing to a device does not replace it', () => {
    writeFileAtomic('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(() => writeFileAtomic('/dev/full', 'text')).toThrow(UserError);
  });

  test('/dev/stdout may be a pipe', () => {
    const script = "(await import(process.argv[1])).writeFileAtomic('/dev/stdout','text')";
    const files = projectFile('dist/selfplay/common/files.js').href;
    const command = '"$0" --input-type=module --eval "$1" "$2" | cat';
    const args = ['-c', command, process.execPath, script, files];
    expect(execFileSync('/bin/sh', args, { encoding: 'utf8' })).toBe('text');
  });
});

test('makeFolder rejects a path with a file in it and suggests a remedy', () => {
  const taken = path('taken.json');
  writeFileSync(taken, '');
  const message = `cannot create the folder ${join(taken, 'run')}: ${taken} is not a folder; choose another name`;
  expect(() => makeFolder(join(taken, 'run'))).toThrow(new UserError(message));
  expect(() => makeFolder(taken)).toThrow(`${taken} is not a folder; choose another name`);
  rmSync(taken);
});

describe('leftovers of killed processes', () => {
  test('locking a folder removes the temporary files of killed processes and keeps other files', () => {
    const run = path('run');
    mkdirSync(run);
    const others = ['result.json', `mine.tmp-${process.pid}`, 'weights.json.1795391234', 'notes.tmp-', `lock-${dead}x`];
    for (const name of [...others, `lock-${dead}`, `result.json.tmp-${dead}`]) writeFileSync(join(run, name), '');
    lockFolder(run)();
    expect(readdirSync(run).sort()).toEqual(others.sort());
  });

  test('pipes of killed processes are removed at the next engine start', () => {
    const temporary = path('tmp');
    const others = ['heft-engine-notes', `heft-engine-${process.pid}-x`];
    for (const name of [...others, `heft-engine-${dead}-x`]) mkdirSync(join(temporary, name), { recursive: true });
    const script = '(await import(process.argv[1])).enginePipes();process.exit()';
    const pipes = projectFile('dist/selfplay/engines/pipes.js').href;
    const env = { ...process.env, TMPDIR: temporary };
    execFileSync(process.execPath, ['--input-type=module', '--eval', script, pipes], { env });
    expect(readdirSync(temporary).sort()).toEqual(others.sort());
  });
});

test('runs that begin in the same second get different folders', () => {
  const here = process.cwd();
  process.chdir(folder);
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 12), toFake: ['Date'] });
  const folders = [1, 2, 3].map(() => {
    const name = newRunFolder('match');
    mkdirSync(name, { recursive: true });
    return name;
  });
  vi.useRealTimers();
  process.chdir(here);
  expect(folders).toEqual(['', '-2', '-3'].map((end) => `runs/match-2026-01-31-120000${end}`));
});
