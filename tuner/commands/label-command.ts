// labelCommand: `tune label`, which searches sampled positions of games and stores the labels in a folder for later fits.

import { command } from '../../selfplay/common/command-line.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { claimOutputs } from '../../selfplay/common/outputs.js';
import { interruptSignal, invocation } from '../../selfplay/common/program.js';
import { showProgress } from '../../selfplay/common/progress.js';
import { loadWeights } from '../../selfplay/common/weights.js';
import { checkMergedRuns, MANIFEST_FILE } from '../../selfplay/records/manifest.js';
import type { RunProgress } from '../../selfplay/records/sharded-run.js';
import { sourceFiles } from '../fit/tune-settings.js';
import { labelGames } from '../labels/run.js';
import { LABEL_OPTIONS, type LabelOptions } from '../labels/settings.js';

export const labelCommand = command(
  'label',
  'label sampled positions of games with fresh searches',
  LABEL_OPTIONS,
  label,
);

async function label({ weights, json, force, ...rest }: LabelOptions): Promise<void> {
  const { out, data } = rest;
  const command = [invocation('tune'), ...process.argv.slice(2)].join(' ');
  const settings = { ...rest, weights: loadWeights(weights), command };
  checkMergedRuns(data, true);
  const run = { out, command: 'tune label', mark: MANIFEST_FILE };
  claimOutputs({ force, run, files: { json }, inputs: [...sourceFiles({ data, rows: [] }), weights] });
  const signal = interruptSignal();
  const reading = showProgress('reading games', null);
  let bar = reading;
  const progress = await labelGames(settings, {
    onReading: (games) => games % 1000 === 0 && reading.update(games, 'counting'),
    onProgress: (state) => {
      if (bar === reading) {
        reading.stop();
        bar = showProgress('labelling', state.total, 'games');
      }
      bar.update(state.games, describe(state));
    },
    onNote: (note) => bar.note(note),
    signal,
  }).finally(() => bar.stop());
  const { games, total, positions: labels, positionsThisSession: labelsThisSession, ...session } = progress;
  if (games < total) {
    process.stderr.write(`stopped after ${games} of ${total} games; the same command continues the run\n`);
    return;
  }
  process.stdout.write(`${games} games in ${out} | ${describe(progress)}\n`);
  writeSummary(json, { games, total, labels, labelsThisSession, ...session, out });
}

const describe = ({ positions, positionsThisSession, seconds }: RunProgress): string =>
  `${positions} labels${seconds === 0 ? '' : `, ${(positionsThisSession / seconds).toFixed(1)} per second`}`;
