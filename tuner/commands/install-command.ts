// installCommand: `tune install`, which replaces the shipped weights with a set that beat them in a match. It reopens the match with the
// original command. This fails if the weights or the engine have changed since.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { command, commandLine } from '../../selfplay/common/command-line.js';
import { UserError } from '../../selfplay/common/errors.js';
import { type SettingsOf, text } from '../../selfplay/common/options.js';
import { COMMAND_FILE } from '../../selfplay/common/outputs.js';
import { isClone } from '../../selfplay/common/program.js';
import { loadWeights, readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { ownEngine } from '../../selfplay/engines/spec.js';
import { type MatchSettings, runMatch } from '../../selfplay/match/match.js';
import { isTournament, MATCH_OPTIONS, matchSettings } from '../../selfplay/match/options.js';
import { continuation, continuedCommand } from '../../selfplay/match/saved-command.js';
import { type Competitor, conditionsOf } from '../../selfplay/series/settings.js';
import { isProvenGain } from '../generations/acceptance.js';
import { installWeights, rebuild } from '../weights/compile.js';
import { matchEntry, matchLine } from '../weights/shipped-ledger.js';

const OPTIONS = {
  match: text('folder of a finished match between new weights and the shipped ones', { required: true }),
};

export const installCommand = command(
  'install',
  'replace the shipped weights with a set that beat them in a match',
  OPTIONS,
  install,
);

async function install({ match }: SettingsOf<typeof OPTIONS>): Promise<void> {
  // Reading the original command changes the current folder
  const folder = resolve(match);
  if (!isClone())
    throw new UserError(
      'install requires a clone of the repository, not the package; to play with the weights, start the engine with --weights FILE',
      2,
    );
  if (!existsSync(join(folder, COMMAND_FILE)))
    throw new UserError(
      `--match ${match}: there is no ${COMMAND_FILE}; give the folder of a match played by npm run match`,
    );
  const settings = await settingsOf(folder);
  const weights = candidateOf(folder, settings);
  if (!existsSync(join(folder, 'result.json')))
    throw new UserError(`${folder}: the match has not ended. ${continuation(folder)}`);
  const result = await runMatch(settings);
  const line = matchLine(result);
  if (!isProvenGain(result)) throw new UserError(`${folder}: the match does not prove a gain: ${line}`);
  const hashes = { before: weightsHash(loadWeights('shipped')), after: weightsHash(weights) };
  installWeights(weights, 'tune', {
    ...hashes,
    provenance: weights.provenance,
    match: { ...matchEntry(result), conditions: conditionsOf(settings) },
    line,
  });
  rebuild();
  console.log(
    `${line}\ninstalled: the new weights and their entry in ledger.json are in engine/eval/; dist/ has been rebuilt`,
  );
}

/** Returns the settings of a match from the command stored in its folder, without the optional output files. */
async function settingsOf(folder: string): Promise<MatchSettings> {
  const words = continuedCommand(['--continue', folder], MATCH_OPTIONS);
  let settings: MatchSettings | null = null;
  await commandLine('match', '')
    .command(
      command('$0', '', MATCH_OPTIONS, (options, given) => {
        if (!isTournament(options)) settings = matchSettings(options, given);
      }),
    )
    .parseAsync(words);
  if (settings === null) throw new UserError(`${folder}: a tournament; install needs a match of two engines`);
  const { pgn, viriformat, events, log, ...rest } = settings as MatchSettings;
  return rest;
}

/** Returns the candidate's weights. Throws a UserError unless both engines are this build and differ only in their weights. */
function candidateOf(folder: string, { engines: [candidate, opponent] }: MatchSettings): WeightSet {
  const shipped = ownEngine('shipped');
  const [, option, file] = candidate.spec.args;
  const termsOf = ({ spec, limits }: Competitor, args: readonly string[]): string =>
    JSON.stringify([args, spec.files, spec.options, limits]);
  const isFair = termsOf(candidate, candidate.spec.args.toSpliced(1, 2)) === termsOf(opponent, opponent.spec.args);
  if (option === '--weights' && isFair && opponent.spec.args.join() === shipped.args.join()) return readWeights(file);
  throw new UserError(
    `${folder}: not a match of a weights file against the shipped weights under equal conditions; play one with --candidate FILE --baseline shipped`,
  );
}
