// A fresh process interprets its code before it compiles what runs hot, and its first second would search at a third of its speed.
// So it searches before the first game, while no clock runs yet, and keeps nothing of it.

import { parseFen } from './board/fen.js';
import { clearHistories, search, setHashSize } from './engine.js';
import { tableMemory, useTable } from './search/tt.js';

/** Middlegames open and closed, an endgame with pieces and one without, each with an answer to look for. */
const POSITIONS = [
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8',
  '8/5pk1/1p2p1p1/3r3p/P3R2P/1P3NP1/2b2PK1/8 w - - 0 40',
  '8/p1p2pkp/1p4p1/3P4/2P5/1P3P2/P4KPP/8 b - - 0 30',
];

/** ms for each position. */
const TIME = 300;

/** Searches until the engine runs about as fast as it ever will, a second or so; table and histories are as before a first game, the position must be set up anew. */
export function warmUp(): void {
  const memory = tableMemory();
  setHashSize(1);
  for (const fen of POSITIONS) {
    parseFen(fen);
    search({ movetime: TIME });
  }
  useTable(memory);
  clearHistories();
}
