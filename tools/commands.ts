// The commands of `heft-tools`, one line each: what it is for, and the module that runs it. Each is the program behind the npm script of its
// name, with the same options and help.

export interface ToolCommand {
  help: string;
  /** Imports the program, which reads process.argv as if it had been started itself. */
  run: () => Promise<unknown>;
}

export const COMMANDS: Readonly<Record<string, ToolCommand>> = {
  match: {
    help: 'play engines or git revisions: SPRT, gauntlet, round robin, Swiss',
    run: () => import('../selfplay/match/main.js'),
  },
  queue: {
    help: 'queue of tests on this machine, with a page',
    run: () => import('../selfplay/queue/main.js'),
  },
  ratings: { help: 'rate the players of PGN files, with errors', run: () => import('../selfplay/ratings/main.js') },
  spsa: { help: "tune any engine's options by playing", run: () => import('../tuner/spsa/main.js') },
  tune: { help: 'fit evaluation weights to games or positions', run: () => import('../tuner/commands/tune-main.js') },
  data: {
    help: 'check, convert and test files of games, positions and suites',
    run: () => import('../selfplay/data/main.js'),
  },
  selfplay: { help: 'record self-play games of Heft', run: () => import('../selfplay/datagen/main.js') },
  loop: {
    help: 'train Heft on its own games, in generations',
    run: () => import('../tuner/loop/loop-main.js'),
  },
};
