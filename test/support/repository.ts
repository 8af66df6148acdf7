// A git repository of an engine for tests. Its build creates a program that starts the scripted engine.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FAKE_ENGINE } from './fake-engine.js';

const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always'];

export interface TestRepository {
  path: string;
  git: (...args: string[]) => string;
  /** Writes the files (null removes one), commits everything and returns the commit. */
  commit: (files: Readonly<Record<string, string | null>>) => string;
}

/** Returns a new repository in the folder, on the branch main. */
export function testRepository(path: string): TestRepository {
  mkdirSync(path, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', path, ...IDENTITY, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  return {
    path,
    git,
    commit(files) {
      for (const [name, text] of Object.entries(files)) {
        const file = join(path, name);
        mkdirSync(dirname(file), { recursive: true });
        if (text === null) rmSync(file);
        else writeFileSync(file, text);
      }
      git('add', '-A');
      git('commit', '-qm', 'x', '--allow-empty');
      return git('rev-parse', 'HEAD');
    },
  };
}

/** Returns a makefile of the scripted engine with this seed and these arguments. */
export function engineMakefile(seed: number, words = ''): string {
  const start = `exec ${process.execPath} ${FAKE_ENGINE} seed=${seed} ${words} "$$@"`;
  return `EXE ?= engine\nall:\n\tprintf '#!/bin/sh\\n${start}\\n' > $(EXE)\n\tchmod +x $(EXE)\n\t./$(EXE) < /dev/null\n`;
}
