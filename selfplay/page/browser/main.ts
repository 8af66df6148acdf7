// Entry point of the page: takes the state from the server's event stream, or from the document itself when it was saved. Every
// message holds the whole state.

import type { BoardView, RunView } from '../views.js';
import { drawBoards, drawClocks } from './boards.js';
import { drawCharts } from './charts.js';
import { drawConnectionLost, drawRun } from './run.js';

/** The last pictures of a page that was saved; pageDocument writes them in front of this script. */
declare const SAVED: { run: RunView; boards: BoardView[] } | null;

const CLOCKS_EVERY_MS = 100;
/** For the last boards to come after the run's last picture. */
const FAREWELL_MS = 100;

let shown: RunView | null = null;

function show(run: RunView): void {
  shown = run;
  drawRun(run);
}

function listen(): void {
  const source = new EventSource('/events');
  source.addEventListener('run', ({ data }) => {
    const run: RunView = JSON.parse(data);
    show(run);
    if (run.end !== null) setTimeout(() => source.close(), FAREWELL_MS);
  });
  source.addEventListener('boards', ({ data }) => drawBoards(JSON.parse(data)));
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) drawConnectionLost();
  });
  setInterval(drawClocks, CLOCKS_EVERY_MS);
}

// A chart is drawn for its width
addEventListener('resize', () => {
  if (shown !== null) drawCharts(shown);
});

if (SAVED === null) {
  listen();
} else {
  show(SAVED.run);
  // Nobody thinks any more: the clocks stay where the last moves left them
  drawBoards(SAVED.boards.map((board) => ({ ...board, waiting: 0 })));
}
