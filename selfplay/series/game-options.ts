// What the options of game-arguments.ts mean: from the command line to the settings of the games.

import { existsSync } from 'node:fs';
import { UserError, wholeNumber } from '../common/cli.js';
import { NO_ADJUDICATION, parseDrawRule, parseResignRule } from '../games/adjudication.js';
import { type Limits, parseTimeControl } from '../games/clock.js';
import { DEFAULT_NODES, type GameArguments } from './game-arguments.js';
import type { SeriesSettings } from './match-settings.js';

export type GameSettings = Pick<SeriesSettings, 'openings' | 'chess960' | 'adjudication' | 'seed' | 'concurrency'>;

/** Returns the settings of the games; throws a UserError that names the option that is wrong. */
export function gameSettings(args: GameArguments): GameSettings {
  const { openings } = args;
  if (openings !== undefined && !existsSync(openings)) throw new UserError(`--openings: no such file: ${openings}`);
  if (args.dfrc && openings !== undefined) throw new UserError('--dfrc is for random openings, not for a book', 2);
  const skip = wholeNumber('start', args.start, 1) - 1;
  const random = {
    order: args.order,
    plies: wholeNumber('plies', args.plies ?? (openings === undefined ? 8 : 1000), 0, 1000),
    ...(skip > 0 && { skip }),
    ...(args.dfrc && { isDouble: true }),
  };
  return {
    openings: openings === undefined ? random : { ...random, file: openings },
    chess960: args.chess960 || args.dfrc,
    adjudication: {
      maxMoves: wholeNumber('max-moves', args['max-moves'], 1, NO_ADJUDICATION.maxMoves),
      ...(args.draw !== undefined && { draw: parseDrawRule(args.draw.join(' ')) }),
      ...(args.resign !== undefined && { resign: parseResignRule(args.resign.join(' ')) }),
    },
    seed: wholeNumber('seed', args.seed, 0),
    concurrency: wholeNumber('concurrency', args.concurrency, 1, 512),
  };
}

/** Returns the limits that the options give every engine, none of nodes, depth and time among them if they give none. */
export function limitsOf(args: GameArguments): Limits {
  const limits: Limits = {
    margin: wholeNumber('margin', args.margin, 0),
    stall: 1000 * wholeNumber('stall', args.stall, 1),
    ...(args.ponder && { ponder: true }),
  };
  if (args.tc !== undefined) limits.tc = parseTimeControl(args.tc);
  if (args.movetime !== undefined) limits.movetime = wholeNumber('movetime', args.movetime, 1);
  if (args.nodes !== undefined) limits.nodes = wholeNumber('nodes', args.nodes, 1);
  if (args.depth !== undefined) limits.depth = wholeNumber('depth', args.depth, 1);
  return limits;
}

/** Returns an engine's limits: its own take the place of all the common ones; margin, stall and pondering are no limits. */
export function merged(common: Limits, own: Partial<Limits>): Limits {
  const { margin, stall, ponder } = common;
  const isLimited = ({ tc, movetime, nodes, depth }: Partial<Limits>): boolean =>
    [tc, movetime, nodes, depth].some((limit) => limit !== undefined);
  if (isLimited(own)) return { margin, stall, ...(ponder && { ponder }), ...own };
  return { ...(isLimited(common) ? {} : { nodes: DEFAULT_NODES }), ...common, ...own };
}
