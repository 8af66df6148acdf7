// Shows a running match.

import { LiveDisplay } from './live-display.js';
import { failureLines, reportLines, statusLine } from './match-report.js';
import type { MatchResult } from './match-result.js';
import type { MatchSettings } from './match-settings.js';

export class MatchStatus {
  private readonly settings: MatchSettings;
  private readonly display: LiveDisplay;

  constructor(settings: MatchSettings, output: NodeJS.WriteStream = process.stderr) {
    this.settings = settings;
    this.display = new LiveDisplay(output);
  }

  /** Shows the result so far, if it is time to. */
  update(result: MatchResult): void {
    const { games, concurrency } = this.settings;
    const status = (): string => statusLine(result, games);
    const head = `${result.engines.join(' - ')}   ${concurrency} at a time`;
    this.display.update(() => [head, status(), ...reportLines(result).slice(0, 4), ...failureLines(result)], status);
  }

  /** Removes the table, so that the final lines take its place. */
  clear(): void {
    this.display.clear();
  }

  /** Writes a line that stays. */
  note(line: string): void {
    this.display.note(line);
  }
}
