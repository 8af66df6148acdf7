// Options of `npm run data -- suite`.

import { flag, real, text, whole, wordLists } from '../../common/options.js';
import { FILES_OPTIONS } from '../options.js';

export const SUITE_OPTIONS = {
  ...FILES_OPTIONS,
  engine: wordLists({
    defaultText: 'Heft',
    help: 'engine words as in match, cmd=PROGRAM name=X option.Hash=16 nodes=N; twice to compare two engines',
  }),
  nodes: whole({ min: 1, conflicts: ['depth', 'st'], defaultText: '100000', help: 'nodes per position' }),
  depth: whole({ min: 1, max: 200, conflicts: ['nodes', 'st'], help: 'depth per position' }),
  st: real({ above: 0, conflicts: ['nodes', 'depth'], help: 'seconds per position' }),
  only: text({ help: 'prefix of the suites or names to use, for example STS' }),
  positions: whole({ min: 1, defaultText: 'all', help: 'number of positions, from the first' }),
  workers: whole({ min: 1, max: 256, default: 1, help: 'parallel processes per engine' }),
  failures: flag({ help: 'list unsolved positions' }),
};
