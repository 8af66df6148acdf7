// npm run loop: the engine learns from its own games, generation by generation, and a match decides on each.

import '../../engine/flags.js';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { control } from '../../engine/engine.js';
import { commandLine, runCommand } from '../../selfplay/common/command-line.js';
import { UserError } from '../../selfplay/common/errors.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { wholeNumber } from '../../selfplay/common/options.js';
import { projectFile } from '../../selfplay/common/paths.js';
import { type ProgressDisplay, showProgress } from '../../selfplay/common/progress.js';
import { MatchStatus } from '../../selfplay/match/match-status.js';
import { RESOLUTIONS } from '../trace/sample.js';
import { installWeights } from '../weights/compile.js';
import { recordShipped } from '../weights/shipped-history.js';
import { type LoopResult, runLoop } from './loop.js';
import { type LoopSettings, PRESETS } from './loop-settings.js';
import { Interrupted, type LoopObserver } from './loop-stages.js';

const NUMBERS = {
  generations: 'generations at most',
  patience: 'generations without a gain that end the loop',
  games: 'self-play games of a generation',
  nodes: 'nodes a move in self-play (soft)',
  jitter: 'random centipawns added to the tables in each game of self-play',
  window: 'generations whose games are learnt from',
  'per-game': 'positions sampled from each game',
  epochs: 'epochs of a fit at most',
  l2: 'pull towards the weights before',
  'match-games': 'games of a deciding match at most',
  'match-nodes': 'nodes a move in matches',
  elo0: 'lower SPRT bound in normalized Elo',
  elo1: 'upper SPRT bound in normalized Elo',
  'final-games': 'games at most against the shipped weights',
  seed: 'same seed, same run',
} as const;

/** Least and most of the whole numbers that may not be just any from 1 on. */
const RANGES: Readonly<Record<string, [min: number, max?: number]>> = { seed: [0], jitter: [0, 200] };

const parser = commandLine('loop', '[options]').options({
  preset: {
    choices: Object.keys(PRESETS),
    default: 'default',
    describe: 'settings to begin with; the other options override them',
  },
  out: { type: 'string', default: 'runs/loop', describe: 'folder of the run; a run in it is continued' },
  from: { type: 'string', describe: 'weights to start from: material, shipped or a file' },
  resolve: {
    choices: RESOLUTIONS,
    describe: 'learn from positions as played, or played out to quiet ones',
  },
  workers: { type: 'number', default: 2, describe: 'threads, and games at a time in matches' },
  install: { type: 'boolean', default: false, describe: 'ship the resulting weights, if they beat the shipped ones' },
  json: { type: 'string', describe: 'write a summary for scripts to this file' },
});
for (const [name, describe] of Object.entries(NUMBERS)) parser.option(name, { type: 'number', describe });

async function main(): Promise<void> {
  const args = (await parser.parseAsync()) as Record<string, unknown>;
  if (args['help'] === true) return;
  const folder = String(args['out']);
  const workers = wholeNumber('workers', Number(args['workers']), 1, 256);
  control.now = () => performance.now();

  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(130);
    process.stderr.write('\nstopping; once more to stop at once\n');
    stop.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const screen = new Screen(stop.signal);
  let result: LoopResult;
  try {
    result = await runLoop(folder, settingsOf(args), workers, screen);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    process.stderr.write('stopped; the same command continues\n');
    process.exitCode = 130;
    return;
  } finally {
    screen.close();
  }
  printVerdict(result);
  const installed = args['install'] === true && install(result);
  writeSummary(args['json'] as string | undefined, { ...result.ledger, report: result.report, installed });
}

function settingsOf(args: Record<string, unknown>): LoopSettings {
  const settings: Record<string, unknown> = { ...PRESETS[String(args['preset'])] };
  for (const name of Object.keys(NUMBERS)) {
    const value = args[name];
    if (value === undefined) continue;
    const isReal = name === 'elo0' || name === 'elo1' || name === 'l2';
    if (isReal && !Number.isFinite(value)) throw new UserError(`--${name} takes a number, not ${value}`, 2);
    settings[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())] = isReal
      ? value
      : wholeNumber(name, Number(value), ...(RANGES[name] ?? [1]));
  }
  for (const name of ['from', 'resolve']) if (args[name] !== undefined) settings[name] = args[name];
  const checked = settings as unknown as LoopSettings;
  if (checked.l2 < 0) throw new UserError(`--l2 takes a number of at least 0, not ${checked.l2}`, 2);
  if (checked.elo0 >= checked.elo1) {
    throw new UserError(`--elo0 must be less than --elo1, not ${checked.elo0} and ${checked.elo1}`, 2);
  }
  return checked;
}

/** Shows the stages: a line on stdout for each, bars and tables on stderr while they run. */
class Screen implements LoopObserver {
  readonly signal: AbortSignal;
  private bar: ProgressDisplay | null = null;
  private status: MatchStatus | null = null;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  onStage = (text: string): void => {
    this.close();
    process.stdout.write(`${text}\n`);
  };

  onSelfplay: LoopObserver['onSelfplay'] = ({ games, results, gamesThisSession, seconds }, total) => {
    this.bar ??= showProgress('self-play', total);
    const rate = (gamesThisSession / Math.max(1e-3, seconds)).toFixed(1);
    this.bar.update(games, `${rate} games/s, W ${results.wins} L ${results.losses} D ${results.draws}`);
  };

  fitObserver: LoopObserver['fitObserver'] = (epochs) => ({
    onEpoch: ({ epoch, train, heldOut }) => {
      this.bar ??= showProgress('fit', epochs);
      this.bar.update(epoch, `train ${train.toFixed(6)} held-out ${heldOut?.toFixed(6) ?? '-'}`);
    },
  });

  onMatch: LoopObserver['onMatch'] = (result, settings) => {
    this.status ??= new MatchStatus(settings);
    this.status.update(result);
  };

  onNote = (note: string): void => {
    process.stderr.write(`${note}\n`);
  };

  close(): void {
    this.bar?.stop();
    this.status?.clear();
    this.bar = null;
    this.status = null;
  }
}

function install(result: LoopResult): boolean {
  if (result.ledger.final?.match?.verdict !== 'H1') {
    process.stdout.write('not installed: the weights did not beat the shipped ones\n');
    return false;
  }
  installWeights(result.weights);
  recordShipped('weights', 'loop', { ...result.ledger, start: result.start });
  const bootstrap = fileURLToPath(projectFile('scripts/bootstrap.mjs'));
  try {
    execFileSync(process.execPath, [bootstrap], { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    throw new UserError('engine/eval/ holds the new weights, but the build failed: run npm run build');
  }
  process.stdout.write(
    'installed: engine/eval/ holds the new weights and, in ledger.json, how they came about; dist/ is rebuilt\n',
  );
  return true;
}

function printVerdict({ ledger, report }: LoopResult): void {
  const { generations, final } = ledger;
  const accepted = generations.filter((entry) => entry.accepted);
  const gain = accepted.reduce((sum, { match }) => sum + match.elo, 0);
  process.stdout.write(
    `\n${accepted.length} of ${generations.length} generations accepted, ${gain.toFixed(0)} Elo by the sum of their matches\n` +
      `against the shipped weights: ${final?.line ?? 'not played'}\nreport: ${report}\n`,
  );
}

await runCommand(main);
