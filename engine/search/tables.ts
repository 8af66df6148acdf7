// Imports every module that fills tables of the kernel; the compiled kernel imports nothing.

import '../board/bitboards/attack-tables.js';
import '../board/position.js';
import '../board/reversal-table.js';
import '../board/workspace.js';
import '../board/zobrist.js';
import '../eval/attack-map.js';
import '../eval/endgame/kpk-table.js';
import '../eval/pawn-cache.js';
import '../eval/pawns/pawn-masks.js';
import '../eval/trace-counts.js';
import '../eval/weights-in-use.js';
import './audit-counts.js';
import './history-tables.js';
import './params.js';
import './plies.js';
import './reductions.js';
import './tt/tt-memory.js';
