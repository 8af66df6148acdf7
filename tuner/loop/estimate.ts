// TimeEstimate: the remaining seconds of a loop, from the costs of its stages. The cost of a stage is a guess until it has been measured.

import type { Effort } from '../generations/schedule.js';
import type { LoopSettings } from '../generations/settings.js';

export interface StageCost {
  name: string;
  /** Returns the assumed seconds per unit of work, used until the stage has been measured. */
  guess: (settings: LoopSettings, workers: number) => number;
  /** Returns the units of work in a generation with this effort. */
  units: (effort: Effort, settings: LoopSettings) => number;
  /** Another stage whose measured seconds per unit also apply to this one. */
  like?: string;
}

/** Records that `units` units of a stage took `seconds`. */
export type RecordCost = (seconds: number, units: number) => void;

/** Expected length of a match, as a share of its maximum length. The SPRT decides most matches early. */
export const SHARE_OF_MATCH = 0.4;

export class TimeEstimate {
  /** Seconds per unit of each stage. */
  private readonly perUnit: Map<string, number>;

  /** `effort` returns the effort of each generation, including later ones. */
  constructor(
    private readonly settings: LoopSettings,
    workers: number,
    private readonly effort: (generation: number) => Effort,
    private readonly stages: readonly StageCost[],
  ) {
    this.perUnit = new Map(stages.map(({ name, guess }) => [name, guess(settings, workers)]));
  }

  /** Returns a function that records the cost of a stage. */
  recorder(stage: string): RecordCost {
    return (seconds, units) => {
      if (units > 0 && seconds > 0) this.perUnit.set(stage, seconds / units);
    };
  }

  /**
   * Returns the seconds from the beginning of a stage of a generation (by default the first stage) to the end of the loop. Beyond the last
   * generation, only the final match is left.
   */
  left(generation: number, stage = this.stages[0].name): number {
    const { generations, finalGames } = this.settings;
    let seconds = SHARE_OF_MATCH * finalGames * this.secondsFor('match');
    for (let number = generation; number <= generations; number++) {
      const effort = this.effort(number);
      const from = number === generation ? this.stages.findIndex(({ name }) => name === stage) : 0;
      for (const { name, units, like = name } of this.stages.slice(from)) {
        seconds += units(effort, this.settings) * this.secondsFor(like);
      }
    }
    return seconds;
  }

  private secondsFor(stage: string): number {
    return this.perUnit.get(stage) ?? 0;
  }
}
