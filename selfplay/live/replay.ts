// replayOf() converts a finished game to the form read by REPLAY_SCRIPT, the page's replay script. boardsOf() returns the positions of any
// game.

import { formatFen, parseFen } from '../../engine/board/fen.js';
import { setChess960 } from '../../engine/board/position.js';
import { advanceGame, formatSan } from '../../engine/board/rules.js';
import { resultText } from '../common/game-result.js';
import { formatPgn } from '../records/pgn.js';
import type { CountedGame } from '../series/events.js';
import { BOARD_SCRIPT } from '../web/board.js';
import { entities } from '../web/html.js';
import { plyOf } from './running-board.js';

export interface Replay {
  game: number;
  /** Players, result and reason as HTML. */
  title: string;
  /** Board field of each FEN from the start position on, and the numbered move that led to it (`start` for the first). */
  boards: string[];
  moves: string[];
  pgn: string;
}

/** Returns a counted game in the form that the script reads. Overwrites the engine's position. */
export function replayOf({ index, pairing, white, black, game }: CountedGame): Replay {
  const { times, nodes, offender, result, ...rest } = game;
  const tags = { event: 'Heft match', round: String(pairing.round), white, black, result: resultText(result) };
  return {
    game: index + 1,
    ...boardsOf(game.start, game.moves, game.chess960),
    title: entities(`${index + 1}. ${white} – ${black}: ${resultText(result)} ${game.reason}`),
    pgn: formatPgn({ ...rest, ...tags, milliseconds: times }),
  };
}

/** Returns the positions of a game and the moves between them. Overwrites the engine's position. */
export function boardsOf(start: string, played: readonly Move[], chess960 = false): Pick<Replay, 'boards' | 'moves'> {
  parseFen(start);
  setChess960(chess960);
  const first = plyOf(start);
  const boardNow = (): string => formatFen().split(' ', 1)[0];
  const boards = [boardNow()];
  const moves = ['start'];
  for (const [i, move] of played.entries()) {
    const ply = first + i;
    moves.push(`${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? '.' : '…'} ${formatSan(move)}`);
    advanceGame(move);
    boards.push(boardNow());
  }
  return { boards, moves };
}

/** Browser script that shows the game of a `data-game` button. Games are fetched from the server or sent by it at the end. */
export const REPLAY_SCRIPT = `${BOARD_SCRIPT}const kept = new Map();
let shown = null, ply = 0;
const keep = (replay) => { kept.set(replay.game, replay); };
function draw() {
  const { title, boards, moves } = shown;
  ply = Math.max(0, Math.min(boards.length - 1, ply));
  const buttons = [['|◀', -1e4], ['◀', -1], ['▶', 1], ['▶|', 1e4]];
  document.getElementById('replay').innerHTML = '<article class="card"><p><b>' + title + '</b></p>' + drawn(boards[ply], boards[ply - 1]) +
    '<p>' + buttons.map(([text, by]) => '<button data-by="' + by + '">' + text + '</button> ').join('') + moves[ply] +
    '</p><p><button data-save>PGN</button> <button data-close>close</button></p></article>';
}
document.addEventListener('click', async ({ target }) => {
  const { game, by, save, close } = target.dataset;
  if (game !== undefined) {
    if (!kept.has(Number(game))) await fetch('/game/' + game).then((answer) => answer.json()).then(keep);
    shown = kept.get(Number(game));
    ply = 0;
    draw();
    document.getElementById('replay').scrollIntoView();
  } else if (by !== undefined) {
    ply += Number(by);
    draw();
  } else if (save !== undefined) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([shown.pgn]));
    link.download = 'game-' + shown.game + '.pgn';
    link.click();
  } else if (close !== undefined) document.getElementById('replay').innerHTML = '';
});
`;
