import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revisionBuild } from '../../../selfplay/engines/git-builds.js';

const root = mkdtempSync(join(tmpdir(), 'heft-revision-'));
const cache = join(root, 'runs/builds');
afterAll(() => rmSync(root, { recursive: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', root, '-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { encoding: 'utf8' }).trim();

function commit(build: string): string {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'x', version: '1.0.0', scripts: { build } }));
  git('add', '-A');
  git('commit', '-qm', 'x');
  return git('rev-parse', 'HEAD');
}

const builds = (text: string): string => `mkdir -p dist/engine && echo '${text}' > dist/engine/main.js`;

describe('a git revision', () => {
  let commits: string[] = [];
  beforeAll(() => {
    git('init', '-q');
    writeFileSync(join(root, '.gitignore'), 'runs/\nnode_modules\n');
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules/kept'), '');
    commits = [commit(builds('old')), commit('echo no way; exit 3'), commit(builds('new'))];
  });

  test('a git revision is built once, separately from the working tree, and cached by commit', () => {
    const build = revisionBuild('HEAD~2', root, cache);
    expect(build).toEqual({ commit: commits[0], folder: join(cache, commits[0]) });
    const main = join(build.folder, 'engine/main.js');
    expect(readFileSync(main, 'utf8')).toBe('old\n');
    writeFileSync(main, 'from the cache');
    expect(revisionBuild(commits[0].slice(0, 8), root, cache)).toEqual(build);
    expect(readFileSync(main, 'utf8')).toBe('from the cache');
    expect([git('status', '--short'), git('rev-parse', 'HEAD')]).toEqual(['', commits[2]]);
  });

  test('a failed build reports the path of its log in one line and leaves no other file', () => {
    const message = new RegExp(
      `^rev=HEAD~1 \\(${commits[1].slice(0, 12)}\\) does not build: npm run build failed; see (.*)$`,
    );
    expect(() => revisionBuild('HEAD~1', root, cache)).toThrow(message);
    expect(readFileSync(join(cache, `${commits[1]}.log`), 'utf8')).toContain('no way');
    expect(readdirSync(cache).sort()).toEqual([commits[0], `${commits[1]}.log`].sort());
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(join(root, 'node_modules/kept'))).toBe(true);
  });

  test('an unknown revision and a folder without a repository are reported by name', () => {
    expect(() => revisionBuild('nonsense', root, cache)).toThrow(`rev=nonsense: no such revision in ${root}`);
    expect(() => revisionBuild('--all', root, cache)).toThrow(`rev=--all: no such revision in ${root}`);
    const outside = mkdtempSync(join(tmpdir(), 'heft-none-'));
    expect(() => revisionBuild('HEAD', outside, cache)).toThrow(`rev=HEAD: ${outside} is not a git repository`);
    rmSync(outside, { recursive: true });
  });
});
