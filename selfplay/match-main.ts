// `npm run match`: engine against engine until an SPRT decides or the games are played. `match sprt` only calculates.

import '../engine/flags.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hideBin } from 'yargs/helpers';
import { commandLine, runCommand, writeSummary } from './cli.js';
import { describeLimits } from './clock.js';
import { JOURNAL } from './journal.js';
import { runMatch } from './match.js';
import { joinWordLists, type MatchArguments, matchOptions, matchSettings } from './match-options.js';
import { failureLines, reportLines, verdictLine } from './match-report.js';
import type { MatchResult } from './match-result.js';
import type { MatchSettings } from './match-settings.js';
import { MatchStatus } from './match-status.js';
import { sprtCommand, sprtOptions } from './sprt-command.js';

await runCommand(async () => {
  await commandLine('match', '--candidate WEIGHTS [--baseline WEIGHTS] | --engine WORDS --engine WORDS [options]')
    .parserConfiguration({ 'camel-case-expansion': false, 'greedy-arrays': true })
    .command('$0', 'play a match', matchOptions, matchCommand)
    .command('sprt', 'calculate Elo and SPRT of given results', sprtOptions, sprtCommand)
    .parseAsync(joinWordLists(hideBin(process.argv)));
});

async function matchCommand(args: MatchArguments): Promise<void> {
  const settings = matchSettings(args);
  const interrupt = new AbortController();
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(code);
      process.exitCode = code;
      interrupt.abort();
    });
  }

  const status = new MatchStatus(settings);
  status.note(introduction(settings));
  const result = await runMatch(settings, {
    signal: interrupt.signal,
    onProgress: (now) => status.update(now),
    onWarning: (message) => status.note(`warning: ${message}`),
  });
  status.clear();
  report(result, settings);
  if (result.finished) writeSummary(args.json, result);
}

function introduction({ engines, games, concurrency, sprt, out }: MatchSettings): string {
  const sides = engines.map(({ spec, limits }) => `${spec.name ?? spec.command} (${describeLimits(limits)})`);
  const end = sprt === undefined ? `${games} games` : `SPRT [${sprt.elo0}, ${sprt.elo1}], at most ${games} games`;
  const place = out === undefined ? '' : `, in ${out}`;
  return `${sides.join(' - ')}: ${end}, ${concurrency} at a time${place}`;
}

function report(result: MatchResult, settings: MatchSettings): void {
  const { out } = settings;
  console.log(`Results of ${result.engines.join(' vs ')}:`);
  for (const line of [...reportLines(result), ...failureLines(result)]) console.log(line);
  console.log(verdictLine(result, settings.sprt !== undefined));
  if (out === undefined) return;
  if (result.finished) console.log(`Games and result: ${out}`);
  else if (existsSync(join(out, JOURNAL))) console.log(`To continue, give the same options and --out ${out}`);
}
