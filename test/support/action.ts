// Runs the steps of action.yml as GitHub's runner does: substitutes expressions, runs each step's script in its own bash, keeps outputs and
// summary in files and artifacts as zip archives, and provides a program `gh` that stores artifacts and comments in a folder.

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  name: string;
  id?: string;
  condition?: string;
  uses?: string;
  run?: string;
  env: Record<string, string>;
}

export interface ActionRun {
  failed: string | null;
  output: string;
  summary: string;
  verdict: string | undefined;
}

/**
 * A substitute for GitHub: artifacts as NAME.zip with the id of the head's repository in NAME.id, comments of the pull request as JSON, and
 * the program `gh`.
 */
export function makeHub(folder: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'artifacts'), { recursive: true });
  writeFileSync(join(folder, 'comments.json'), '[]');
  // A package.json in a parent folder must not turn it into an ES module
  writeFileSync(join(folder, 'bin/package.json'), '{}');
  writeFileSync(join(folder, 'bin/gh'), GH, { mode: 0o755 });
}

/**
 * Runs the action in a checkout with these inputs for a pull request from the repository with this id; `hub` is a folder from makeHub.
 */
export function runAction(checkout: string, hub: string, inputs: Record<string, string>, repository = '1'): ActionRun {
  const { defaults, steps } = parsedAction();
  const all = { ...defaults, ...inputs };
  const outputs = new Map<string, string>();
  const temporary = join(hub, `run-${readdirSync(hub).length}`);
  mkdirSync(temporary);
  const summary = join(temporary, 'summary.md');
  writeFileSync(summary, '');
  const value = (expression: string): string => {
    const [, input] = /^inputs\.([\w-]+)$/.exec(expression) ?? [];
    const [, step, output] = /^steps\.(\w+)\.outputs\.(\w+)$/.exec(expression) ?? [];
    if (input !== undefined) return all[input] ?? '';
    if (step !== undefined) return outputs.get(`${step}.${output}`) ?? '';
    if (expression === 'toJSON(inputs)') return JSON.stringify(all, null, 2);
    if (expression === 'github.event.pull_request.number') return '7';
    if (expression === 'github.event.pull_request.head.repo.id || github.repository_id') return repository;
    throw new Error(`unknown expression ${expression}`);
  };
  const filled = (text: string): string =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => value(expression));
  let failed: string | null = null;
  let output = '';
  for (const step of steps) {
    const isWanted =
      step.condition === undefined ? failed === null : !step.condition.includes('comment') || all['comment'] === 'true';
    if (!isWanted) continue;
    if (step.uses !== undefined) {
      upload(checkout, hub, outputs.get('test.artifact') ?? '', repository);
      continue;
    }
    const file = join(temporary, `${step.name}.out`);
    writeFileSync(file, '');
    const env = {
      ...process.env,
      ...Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, filled(text)])),
      PATH: `${join(hub, 'bin')}:${process.env['PATH']}`,
      HUB: hub,
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_OUTPUT: file,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_REPOSITORY: 'o/r',
    };
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', filled(step.run ?? '')],
      { cwd: checkout, env, encoding: 'utf8' },
    );
    output += stdout + stderr;
    if (status !== 0) failed ??= step.name;
    for (const line of readFileSync(file, 'utf8')
      .split('\n')
      .filter((one) => one !== '')) {
      const at = line.indexOf('=');
      outputs.set(`${step.id}.${line.slice(0, at)}`, line.slice(at + 1));
    }
  }
  return { failed, output, summary: readFileSync(summary, 'utf8'), verdict: outputs.get('play.verdict') };
}

// Parses action.yml, whose fields each have a line of their own
function parsedAction(): { defaults: Record<string, string>; steps: Step[] } {
  const text = readFileSync(join(ROOT, 'action.yml'), 'utf8');
  const [head, tail] = text.split('\nruns:\n');
  const defaults: Record<string, string> = {};
  for (const [, name, body] of (head ?? '').matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n?)+)/gm)) {
    const given = /^ {4}default: (.*)$/m.exec(body ?? '')?.[1] ?? '';
    if (!given.includes('${{')) defaults[name ?? ''] = given.replace(/^'(.*)'$/, '$1');
  }
  const steps = (tail ?? '')
    .split(/^ {4}- name: /m)
    .slice(1)
    .map((block) => {
      const field = (name: string): string | undefined => new RegExp(`^ {6}${name}: (.*)$`, 'm').exec(block)?.[1];
      const env = /^ {6}env:\n((?: {8}.*\n)+)/m.exec(block)?.[1] ?? '';
      const step: Step = {
        name: block.split('\n')[0] ?? '',
        env: Object.fromEntries(Array.from(env.matchAll(/^ {8}(\w+): (.*)$/gm), ([, name, value]) => [name, value])),
      };
      for (const name of ['id', 'uses', 'run'] as const) {
        const given = field(name);
        if (given !== undefined) step[name] = given;
      }
      const condition = field('if');
      if (condition !== undefined) step.condition = condition;
      return step;
    });
  return { defaults, steps };
}

function upload(checkout: string, hub: string, artifact: string, repository: string): void {
  const runs = join(checkout, 'runs');
  if (artifact === '' || !existsSync(runs)) return;
  const builds = existsSync(join(runs, 'builds'))
    ? readdirSync(join(runs, 'builds')).filter((name) => !name.endsWith('.git'))
    : [];
  const paths = [artifact, `${artifact}.md`, ...builds.map((name) => `builds/${name}`)].filter((name) =>
    existsSync(join(runs, name)),
  );
  const archive = join(hub, 'artifacts', `${artifact}.zip`);
  // The archive does not keep file permissions
  if (paths.length > 0) execFileSync('zip', ['-q', '-r', '-X', '-FS', archive, ...paths], { cwd: runs });
  writeFileSync(join(hub, 'artifacts', `${artifact}.id`), repository);
  appendFileSync(join(hub, 'uploads'), `${artifact}\n`);
}

const GH = `#!${process.execPath}
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const words = process.argv.slice(2);
const hub = process.env.HUB;
const path = words.find((word) => word.startsWith('repos/')) ?? '';
if (!process.env.GH_TOKEN) { console.error('gh: no token'); process.exit(4); }
const field = (name) => words.find((word) => word.startsWith(name + '='))?.slice(name.length + 1);
const comments = JSON.parse(readFileSync(join(hub, 'comments.json'), 'utf8'));
const save = () => writeFileSync(join(hub, 'comments.json'), JSON.stringify(comments, null, 2));
const artifact = /artifacts\\?name=([\\w.-]+)/.exec(path)?.[1];
const zip = /artifacts\\/([\\w.-]+)\\/zip$/.exec(path)?.[1];
if (artifact !== undefined) {
  const wanted = /select\\(.* \\.workflow_run\\.head_repository_id == (\\d+)\\)/.exec(words[words.indexOf('--jq') + 1])[1];
  const file = join(hub, 'artifacts', artifact);
  if (existsSync(file + '.zip') && readFileSync(file + '.id', 'utf8') === wanted) console.log(artifact);
} else if (zip !== undefined) {
  process.stdout.write(readFileSync(join(hub, 'artifacts', zip + '.zip')));
} else if (words.includes('PATCH') || words.includes('POST')) {
  if (process.env.GH_TOKEN === 'read-only') { console.error('gh: Resource not accessible by integration (HTTP 403)'); process.exit(1); }
  const body = readFileSync(field('body').slice(1), 'utf8');
  const id = words.includes('PATCH') ? Number(path.split('/').pop()) : comments.length + 1;
  if (words.includes('PATCH')) comments.find((one) => one.id === id).body = body;
  else comments.push({ id, body, on: path });
  save();
  console.log('https://example.org/comment/' + id);
} else {
  const marker = /startswith\\("(.*)"\\)/.exec(words[words.indexOf('--jq') + 1])[1];
  for (const { id, body } of comments) if (body.startsWith(marker)) console.log(id);
}
`;
