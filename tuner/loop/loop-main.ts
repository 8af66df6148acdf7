// `npm run loop`: runs generations of self-play, labelling and fitting. A match decides whether the weights of a generation are accepted.

import { formatTime } from '../../selfplay/common/wording.js';
import '../../engine/kernel-node.js';
import { existsSync } from 'node:fs';
import { control } from '../../engine/engine.js';
import { runOnly } from '../../selfplay/common/command-line.js';
import { UserError } from '../../selfplay/common/errors.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { fitted, LiveDisplay, type Row } from '../../selfplay/common/live-display.js';
import { choice, flag, type SettingsOf, text, whole } from '../../selfplay/common/options.js';
import { claimOutputs, OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { interruptSignal, isClone } from '../../selfplay/common/program.js';
import { Step } from '../../selfplay/common/progress.js';
import { readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { showMatch } from '../../selfplay/match/report.js';
import { checkCap, isProvenGain } from '../generations/acceptance.js';
import { loopFolder } from '../generations/folder.js';
import { LEDGER_FILE } from '../generations/ledger.js';
import { LOOP_OPTIONS, type LoopSettings, PRESETS, settingsOf } from '../generations/settings.js';
import { learnt, nextSteps } from '../generations/story.js';
import { cpuHoursIn } from '../generations/times.js';
import { installWeights, rebuild } from '../weights/compile.js';
import { Interrupted, type LoopObserver, type LoopTimes } from './context.js';
import { type LoopResult, runLoop } from './run.js';
import { runSeveral } from './several.js';

/** Files that a loop writes into its folder, in addition to the files of every run. */
const FILES = ['start.json', 'weights.json', 'times.json', 'report.html', 'film.html'];

const OPTIONS = {
  preset: choice(
    'preset: default, smoke (a quick check) or full (four runs of eight generations, several hours); other options override it',
    Object.keys(PRESETS),
    { default: 'default' },
  ),
  out: text('folder of the run; an existing run is continued', { default: 'runs/loop' }),
  ...LOOP_OPTIONS,
  workers: whole('number of threads, and of parallel games in matches', { min: 1, max: 256, default: 2 }),
  install: flag('install the resulting weights if they beat the shipped ones'),
  ...OUTPUT_OPTIONS,
};

async function loop(
  { preset, out, workers, install: wantsInstall, json, force }: SettingsOf<typeof OPTIONS>,
  given: Partial<LoopSettings>,
): Promise<void> {
  const settings = settingsOf(preset, given);
  checkOptions(settings, given, wantsInstall);
  claimOutputs({ force, run: { out, command: 'loop', mark: LEDGER_FILE }, rewritten: FILES, files: { json } });
  control.now = () => performance.now();
  const signal = interruptSignal();
  const screen = new Screen(signal);
  signal.addEventListener('abort', () => screen.onNote('stopping; press Ctrl-C again to stop at once'));
  let result: LoopResult;
  try {
    result = await (settings.runs === 1 ? runLoop : runSeveral)(out, settings, workers, screen);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    screen.close();
    const { report } = loopFolder(out);
    if (existsSync(report)) process.stderr.write(`report so far: ${report}\n`);
    process.stderr.write('stopped; the same command continues the run\n');
    return;
  } finally {
    screen.close();
  }
  const match = result.ledger.final?.match ?? null;
  const installed = wantsInstall && match !== null && isProvenGain(match);
  printResult(result, out, installed);
  if (installed) install(result, out);
  else if (wantsInstall)
    process.stdout.write('not installed: no match proves that the weights are stronger than the shipped ones\n');
  writeSummary(json, { ...result.ledger, report: loopFolder(out).report, installed });
}

/** Throws a UserError for options that contradict each other or have no effect. */
function checkOptions(settings: LoopSettings, given: Partial<LoopSettings>, wantsInstall: boolean): void {
  if (settings.elo0 >= settings.elo1) {
    throw new UserError(`--elo0 must be less than --elo1, but they are ${settings.elo0} and ${settings.elo1}`, 2);
  }
  const labelOptions = {
    '--blend': given.blend,
    '--joint-blend': given.jointBlend,
    '--label-nodes': given.labelNodes,
    '--label-rounds': given.labelRounds,
    '--leaf-rounds': given.leafRounds,
  };
  const [useless] = Object.entries(labelOptions).find(([, value]) => (value ?? 0) > 0) ?? [];
  if (settings.labelShare === 0 && useless !== undefined)
    throw new UserError(`${useless} requires labels; omit it, or set --label-share`, 2);
  if (settings.blend === 0 && (given.leafRounds ?? 0) > 0)
    throw new UserError('--leaf-rounds requires scores in the target; omit it, or set --blend', 2);
  if (settings.engine.length > 0 && settings.poolGames === 0)
    throw new UserError('--engine plays only in matches against the pool; set --pool-games', 2);
  if (wantsInstall && settings.finalGames === 0)
    throw new UserError('--install requires the match against the shipped weights; set --final-games', 2);
  if (given.jointBlend !== undefined && settings.runs === 1)
    throw new UserError('--joint-blend requires several runs; omit it, or set --runs', 2);
  checkCap(settings);
  if (wantsInstall) checkCap({ ...settings, matchGames: settings.finalGames }, '--final-games');
  if (wantsInstall && !isClone()) {
    throw new UserError(
      `--install requires a clone of the repository, not the package; use weights.json in the run's folder`,
      2,
    );
  }
}

/** Prints a line for each stage on stdout. Shows a bar for the whole loop, above the bar of the current stage, on stderr. */
class Screen implements LoopObserver {
  private readonly display = new LiveDisplay(process.stderr, () => this.rowsOfLoop());
  private step: Step | null = null;
  private timeLeft: (LoopTimes & { since: number }) | null = null;

  constructor(readonly signal: AbortSignal) {}

  onStage = (text: string): void => {
    this.close();
    process.stdout.write(`${fitted(text, process.stdout)}\n`);
  };

  onTimeLeft = (times: LoopTimes): void => {
    this.timeLeft = { ...times, since: performance.now() };
  };

  private rowsOfLoop(): Row[] {
    if (this.timeLeft === null) return [];
    const { left, whole, since } = this.timeLeft;
    const seconds = Math.max(0, left - (performance.now() - since) / 1000);
    return [{ label: 'loop', share: 1 - seconds / whole, text: `ETA ${formatTime(seconds)}` }];
  }

  onProgress: LoopObserver['onProgress'] = ({ label, games, total, status }) => {
    if (this.step?.label !== label) this.step = new Step(label, total, 'games');
    const step = this.step;
    const start = step.begin(games);
    if (start !== null) this.display.note(start);
    this.display.update(
      () => [step.row(games, status)],
      () => step.line(games, status),
    );
  };

  // A fit has no bar, because most fits end long before the maximum number of epochs
  onStatus: LoopObserver['onStatus'] = (text, atOnce = false) => {
    if (atOnce) this.display.show(text);
    this.display.update(
      () => [text],
      () => text,
    );
  };

  onMatch: LoopObserver['onMatch'] = (result, settings) => showMatch(this.display, result, settings.games);

  onNote = (note: string): void => this.display.note(note);

  close(): void {
    this.display.clear();
    this.step = null;
  }
}

function install({ ledger, weights }: LoopResult, out: string): void {
  const folder = loopFolder(out);
  // The joint fit of several runs has the number of a generation
  const own = ledger.runs === undefined ? ledger.generations : [ledger.final].filter((final) => final !== null);
  const runs = (ledger.runs ?? []).map(({ generations }, i) => ({ path: folder.run(i + 1), generations }));
  const first = readWeights(folder.weights(0));
  const start = { hash: weightsHash(first), provenance: first.provenance };
  const cpuHours = cpuHoursIn([{ path: out, generations: own }, ...runs]);
  installWeights(weights, 'loop', { ...ledger, start, cpuHours });
  rebuild();
  process.stdout.write(
    'installed: the new weights and their entry in ledger.json are in engine/eval/; dist/ has been rebuilt\n',
  );
}

function printResult({ ledger, build }: LoopResult, out: string, isInstalled: boolean): void {
  const result = `${learnt(ledger)}\nAgainst the shipped weights: ${ledger.final?.line ?? 'not played'}`;
  // Commands are not wrapped, so they can be copied
  process.stdout.write(
    `\n${fitted(result, process.stdout)}\n${nextSteps(out, build, ledger, isInstalled).join('\n')}\n`,
  );
}

await runOnly('loop', 'run generations of self-play, labelling, fitting and matches', OPTIONS, loop);
