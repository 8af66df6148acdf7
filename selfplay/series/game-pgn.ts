// A match game as PGN: players with versions and options, time controls, and the end of the game.

import { resultText } from '../common/game-result.js';
import { timeControlTag } from '../games/clock.js';
import { formatPgn } from '../records/pgn.js';
import type { CountedGame } from './events.js';
import type { SeriesSettings } from './settings.js';

/** The run of a game: its settings, the engines' own names, and the date. */
export interface PgnContext {
  settings: SeriesSettings;
  ids: readonly string[];
  date: string;
}

/** Returns a counted game as PGN. Uses the engine's position. */
export function formatMatchGame({ game, pairing, white, black }: CountedGame, run: PgnContext): string {
  const { times, nodes, offender, result, ...rest } = game;
  const sides = [pairing.white, pairing.black];
  const [whiteTime, blackTime] = sides.map((engine) => timeControlTag(run.settings.engines[engine].limits));
  const isSameTime = whiteTime === blackTime;
  return formatPgn({
    ...rest,
    ...(run.settings.site !== undefined && { site: run.settings.site }),
    event: run.settings.event ?? 'Heft match',
    date: run.date,
    round: String(pairing.round),
    white,
    black,
    result: resultText(result),
    milliseconds: times,
    ...(isSameTime && { timeControl: whiteTime }),
    tags: {
      ...(!isSameTime && { WhiteTimeControl: whiteTime, BlackTimeControl: blackTime }),
      ...engineTags('White', pairing.white, run),
      ...engineTags('Black', pairing.black, run),
    },
  });
}

function engineTags(side: string, engine: number, { settings, ids }: PgnContext): Record<string, string> {
  const options = Object.entries(settings.engines[engine].spec.options).map(([name, value]) => `${name}=${value}`);
  const id = ids[engine] ?? '';
  return {
    ...(id !== '' && { [`${side}Engine`]: id }),
    ...(options.length > 0 && { [`${side}Options`]: options.join('; ') }),
  };
}
