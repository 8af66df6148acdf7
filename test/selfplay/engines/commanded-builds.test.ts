import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type BuildWords, buildOnce, commandedBuild } from '../../../selfplay/engines/commanded-builds.js';
import { parseEngine } from '../../../selfplay/engines/spec.js';
import { testRepository } from '../../support/repository.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-built-'));
const here = process.cwd();
afterAll(() => {
  process.chdir(here);
  rmSync(scratch, { recursive: true });
});
const errors = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
const told = (): string => errors.mock.calls.map(([text]) => text).join('');

const cache = join(scratch, 'cache');
const makefile = (answer: string): string =>
  `all:\n\tprintf '#!/bin/sh\\necho ${answer}\\n' > $(EXE) && chmod +x $(EXE) && ./$(EXE)\n`;
const repository = testRepository(join(scratch, 'my engine'));
const commits: string[] = [];
const run = (words: BuildWords): string =>
  execFileSync(commandedBuild(words, cache).program, { encoding: 'utf8' }).trim();
const fromHere = (words: BuildWords): string => run({ git: repository.path, ...words });

beforeAll(() => {
  commits.push(repository.commit({ Makefile: makefile('one') }));
  commits.push(repository.commit({ Makefile: 'all:\n\techo no way\n\texit 3\n' }));
  commits.push(repository.commit({ Makefile: null, 'src/Makefile': makefile('three') }));
});

test('a failed build throws its own error and leaves the lock of a waiting process', () => {
  const [folder, work] = [join(scratch, 'once'), join(scratch, 'once.work')];
  const build = (): void => {
    mkdirSync(join(work, 'tree'));
    writeFileSync(join(work, 'lock'), String(process.ppid));
    throw new Error('no compiler');
  };
  expect(() => buildOnce(folder, join(folder, 'program'), build)).toThrow('no compiler');
  expect(readdirSync(work)).toEqual(['lock']);
});

describe('an engine from a git repository', () => {
  test('is built in its own checkout even if a hook or an alias of git starts the build', () => {
    const tree = join(scratch, 'worktree');
    repository.git('worktree', 'add', '-q', '-b', 'work', tree, commits[2]);
    vi.stubEnv('GIT_DIR', join(repository.path, '.git/worktrees/worktree'));
    vi.stubEnv('GIT_INDEX_FILE', join(repository.path, '.git/worktrees/worktree/index'));
    try {
      const command = `make EXE={out} && test "$(git rev-parse HEAD)" = ${commits[0]}`;
      expect(run({ git: repository.path, rev: commits[0], build: command })).toBe('one');
    } finally {
      vi.unstubAllEnvs();
    }
    expect(execFileSync('git', ['-C', tree, 'status', '-sb'], { encoding: 'utf8' })).toBe('## work\n');
    repository.git('worktree', 'remove', tree);
  });

  test('is built in a clean checkout once per commit and command, and its log is kept', () => {
    writeFileSync(join(repository.path, 'src/Makefile'), 'not committed');
    const built = commandedBuild({ git: repository.path, rev: commits[0] }, cache);
    expect(built).toMatchObject({ commit: commits[0], name: `my_engine ${commits[0].slice(0, 8)}` });
    const folder = join(built.program, '..');
    expect(readdirSync(folder).sort()).toEqual(['build.json', 'build.log', 'my_engine']);
    expect(JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'))).toEqual({
      from: repository.path,
      commit: commits[0],
      command: 'make EXE={out}',
    });
    expect(readFileSync(join(folder, 'build.log'), 'utf8')).toContain('chmod +x');
    writeFileSync(built.program, '#!/bin/sh\necho from the cache\n');
    expect(fromHere({ rev: commits[0].slice(0, 10) })).toBe('from the cache');
    expect(fromHere({ rev: commits[0], build: 'make all EXE={out}' })).toBe('one');
    expect(readFileSync(join(repository.path, 'src/Makefile'), 'utf8')).toBe('not committed');
    repository.git('checkout', '-q', '.');
  });

  test('is built from HEAD with the makefile in src/ by default', () => {
    expect(fromHere({})).toBe('three');
  });

  test("is built from the branch's latest commit, or with a warning from the last one fetched", () => {
    const origin = testRepository(join(scratch, 'moving.git'));
    const source = (rev: string): BuildWords => ({
      git: origin.path,
      rev,
      build: 'cp program {out} && chmod +x {out}',
    });
    const first = origin.commit({ program: '#!/bin/sh\necho first\n' });
    expect(run(source('main'))).toBe('first');
    origin.commit({ program: '#!/bin/sh\necho second\n' });
    expect(run(source('main'))).toBe('second');
    rmSync(origin.path, { recursive: true });
    errors.mockClear();
    expect(run(source(first))).toBe('first');
    expect(told()).toBe('');
    expect(run(source('main'))).toBe('second');
    expect(told()).toMatch(/^warning: git=.* cannot be fetched \(.*\); using rev=main as last fetched/);
  });

  test("HEAD is the repository's current HEAD on any branch", () => {
    const origin = testRepository(join(scratch, 'switching'));
    const commitOfHead = (rev: string): string =>
      commandedBuild({ git: origin.path, rev, build: 'cp program {out} && chmod +x {out}' }, cache).commit;
    const first = origin.commit({ program: '#!/bin/sh\n' });
    expect(commitOfHead('HEAD')).toBe(first);
    origin.git('checkout', '-q', '-b', 'other');
    const second = origin.commit({ program: '#!/bin/sh\necho\n' });
    expect(['HEAD', 'HEAD~1', '@'].map(commitOfHead)).toEqual([second, first, second]);
    origin.git('checkout', '-q', '--detach');
    const third = origin.commit({ program: '#!/bin/sh\nexit\n' });
    expect(commitOfHead('HEAD')).toBe(third);
    origin.git('checkout', '-q', 'main');
    expect(commitOfHead('HEAD')).toBe(first);
  });

  test('exe= keeps the checkout and starts the program from it', () => {
    const folder = testRepository(join(scratch, 'kept'));
    folder.commit({ 'a/run.sh': '#!/bin/sh\ncat "$(dirname "$0")/net"\n', 'a/net': 'weights' });
    const words = { git: folder.path, build: 'chmod +x a/run.sh', exe: 'a/run.sh' };
    expect(run(words)).toBe('weights');
    expect(existsSync(join(commandedBuild(words, cache).program, '../../.git'))).toBe(false);
    expect(() => run({ ...words, exe: 'a/none' })).toThrow(/was built, but contains no program exe=a\/none; see /);
    expect(() => run({ ...words, exe: '../../x' })).toThrow('exe=../../x is not in the checkout');
  });

  test('is built with its submodules', () => {
    const part = testRepository(join(scratch, 'part'));
    part.commit({ answer: 'from the submodule' });
    const whole = testRepository(join(scratch, 'whole'));
    whole.git('submodule', '--quiet', 'add', part.path, 'lib');
    whole.commit({ Makefile: `all:\n\tprintf "#!/bin/sh\\necho $$(cat lib/answer)\\n" > $(EXE)\n\tchmod +x $(EXE)\n` });
    process.env['GIT_CONFIG_COUNT'] = '1';
    process.env['GIT_CONFIG_KEY_0'] = 'protocol.file.allow';
    process.env['GIT_CONFIG_VALUE_0'] = 'always';
    expect(run({ git: whole.path })).toBe('from the submodule');
    process.env['GIT_CONFIG_COUNT'] = '0';
  });

  test.each<[string, BuildWords, RegExp]>([
    [
      'a build that fails',
      { rev: 'HEAD~1' },
      /^rev=HEAD~1 of .*my engine \(\w{12}\) does not build: make EXE=\{out\} failed \(exit code 2\); see (.*\.log)$/,
    ],
    [
      'a build without output',
      { build: 'true' },
      /was built, but not as \{out\}; give the path of the program with exe=PATH; see (.*\.log)$/,
    ],
    ['an unknown revision', { rev: 'nonsense' }, /^rev=nonsense: no such revision in /],
    ['a revision like an option', { rev: '--all' }, /^rev=--all: no such revision in /],
    ['an address without a repository', { git: join(scratch, 'none') }, /^git=.*none: .*not exist/],
    ['an address like an option', { git: '--upload-pack=touch x' }, /^git=--upload-pack=touch x: /],
    ['an address that runs a command', { git: 'ext::sh -c touch% pwned' }, /^git=ext::sh .*not allowed/],
  ])('%s is rejected with a one-line error', (_, words, message) => {
    let error = '';
    try {
      commandedBuild({ git: repository.path, ...words }, cache);
    } catch (caught) {
      error = (caught as Error).message;
    }
    expect(error).toMatch(message);
    expect(error.split('\n')).toHaveLength(1);
    const log = message.exec(error)?.[1];
    if (log !== undefined) expect(existsSync(log)).toBe(true);
    expect(readdirSync(cache).filter((name) => name.includes('.work') || name.includes('.tmp'))).toEqual([]);
    expect(existsSync('pwned')).toBe(false);
  });

  test('a repository without a known build file requires build=', () => {
    const bare = testRepository(join(scratch, 'bare'));
    bare.commit({ 'main.c': '' });
    expect(() => run({ git: bare.path })).toThrow(
      /has no Makefile, Cargo.toml or go.mod; give build="COMMAND", a command that builds/,
    );
  });

  test('without git=, rev= uses the repository of the current folder and stores builds below that folder', () => {
    process.chdir(join(repository.path, 'src'));
    const { spec } = parseEngine(`rev=${commits[0]} name=old option.Hash=1`, {
      options: {},
      limits: {},
      built: { build: 'make EXE={out}' },
    });
    expect(spec).toMatchObject({ name: 'old', options: { Hash: '1' }, commit: commits[0] });
    expect(spec.command.startsWith(join(repository.path, 'src/runs/builds'))).toBe(true);
    expect(parseEngine('rev=main').spec.name).toBe(`my_engine ${commits[2].slice(0, 8)}`);
    const outside = join(scratch, 'outside');
    mkdirSync(outside);
    process.chdir(outside);
    expect(() => parseEngine('rev=main build=x')).toThrow(`rev=: ${outside} is not in a git repository; give git=URL`);
    expect(() => parseEngine(`git="${repository.path}" weights=shipped`)).toThrow('weights= is for Heft');
    process.chdir(here);
  });

  test('git= accepts a folder relative to the current one', () => {
    const inside = join(scratch, 'inside');
    mkdirSync(inside);
    process.chdir(inside);
    for (const git of ['../my engine', '../my engine/src/../']) {
      const { commit, name } = commandedBuild({ git, rev: commits[0] }, cache);
      expect([commit, name]).toEqual([commits[0], `my_engine ${commits[0].slice(0, 8)}`]);
    }
    process.chdir(here);
  });

  test('two processes that need the same build run it once', async () => {
    const twice = testRepository(join(scratch, 'twice'));
    twice.commit({ Makefile: `all:\n\techo x >> ${scratch}/count\n\tsleep 1\n\tcp /bin/true $(EXE)\n` });
    const code = `const { commandedBuild } = await import('${here}/dist/selfplay/engines/commanded-builds.js');
      console.log(commandedBuild({ git: '${twice.path}' }, '${cache}').program)`;
    const { execFile } = await import('node:child_process');
    const one = (): Promise<string> =>
      new Promise((resolve) =>
        execFile(process.execPath, ['--input-type=module', '-e', code], (_, stdout) => resolve(stdout)),
      );
    const programs = await Promise.all([one(), one()]);
    expect(programs[0]).toBe(programs[1]);
    expect(basename(programs[0].trim())).toBe('twice');
    expect(readFileSync(join(scratch, 'count'), 'utf8')).toBe('x\n');
  });
});
