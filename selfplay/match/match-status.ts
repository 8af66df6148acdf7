// The live display of a running match.

import { LiveDisplay } from '../common/live-display.js';
import { describePace, type Pace } from '../series/pace-control.js';
import type { MatchSettings } from '../series/series-settings.js';
import { failureLines, reportLines, statusLine } from './match-report.js';
import type { MatchResult } from './match-result.js';

export class MatchStatus {
  private readonly settings: MatchSettings;
  private readonly display: LiveDisplay;
  private pace: Pace;

  constructor(settings: MatchSettings, output: NodeJS.WriteStream = process.stderr) {
    this.settings = settings;
    this.pace = { workers: settings.workers, paused: false };
    this.display = new LiveDisplay(output);
  }

  /** Shows the result so far, if it is time to. */
  update(result: MatchResult): void {
    const status = (): string => statusLine(result, this.settings.games);
    const head = `${result.engines.join(' - ')}   ${describePace(this.pace)}`;
    this.display.update(() => [head, status(), ...reportLines(result).slice(0, 5), ...failureLines(result)], status);
  }

  /** Tells of a change of pace. */
  changePace(pace: Pace): void {
    this.pace = pace;
    this.note(describePace(pace));
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
