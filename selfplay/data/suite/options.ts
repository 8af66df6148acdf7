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
  only: text({ help: 'only positions whose suite or name begins so, such as STS' }),
  positions: whole({ min: 1, defaultText: 'all', help: 'number of positions, the first ones' }),
  workers: whole({ min: 1, max: 256, default: 1, help: 'engines of a kind that run at once' }),
  failures: flag({ help: 'list the positions that are not solved' }),
};
