// The commands of `heft-tools`, one line each: what it is for, and the module that runs it. Each is the program behind the npm script of its
// name, with the same options and help.

export interface ToolCommand {
  help: string;
  /** Imports the program, which reads process.argv as if it had been started itself. */
  run: () => Promise<unknown>;
}

export const COMMANDS: Readonly<Record<string, ToolCommand>> = {
  match: {
    help: 'play engines, any two git revisions among them: SPRT, gauntlet, round robin, Swiss',
    run: () => import('../selfplay/match/main.js'),
  },
  queue: {
    help: 'play tests one after another, with a page on this machine',
    run: () => import('../selfplay/queue/main.js'),
  },
  ratings: { help: 'rate the players of PGN files, with errors', run: () => import('../selfplay/ratings/main.js') },
  spsa: { help: "tune any engine's options by playing", run: () => import('../tuner/spsa/spsa-main.js') },
  tune: { help: 'fit evaluation weights to games or positions', run: () => import('../tuner/commands/tune-main.js') },
  data: {
    help: 'check, convert and test files of games, positions and suites',
    run: () => import('../selfplay/data/main.js'),
  },
  selfplay: { help: 'record games of Heft against itself', run: () => import('../selfplay/datagen/main.js') },
  loop: {
    help: 'let Heft learn from its own games, generation by generation',
    run: () => import('../tuner/loop/loop-main.js'),
  },
};
