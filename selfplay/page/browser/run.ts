// Draws the run: its head line and everything below it except the boards.

import type { RunView } from '../views.js';
import { drawCharts } from './charts.js';
import { place } from './elements.js';
import { drawFailures, drawRecent, drawStandings } from './tables.js';
import { drawTiles } from './tiles.js';

/** Shows the run as it is. */
export function drawRun(run: RunView): void {
  drawHead(run);
  drawTiles(run);
  drawStandings(run.figures);
  drawCharts(run);
  drawFailures(run.failures);
  drawRecent(run.recent);
}

/** Says that the server does not answer. */
export function drawConnectionLost(): void {
  drawStatus('no connection to the match; trying again', 'lost');
}

function drawHead({ title, engines, names, folder, paused, end }: RunView): void {
  const players = names.length > 0 ? names : engines;
  place('title').textContent = players.length === 2 ? players.join(' – ') : `${players.length} engines, ${title}`;
  const isSame = new Set(engines).size === 1;
  const sides = isSame ? engines.slice(0, 1) : engines.map((text, i) => `${names[i] ?? `engine ${i + 1}`}: ${text}`);
  place('subtitle').textContent = [title, ...sides, folder].join(' · ');
  drawStatus(end ?? (paused ? 'paused' : 'running'), end === null && !paused ? 'running' : '');
}

function drawStatus(text: string, look: 'running' | 'lost' | ''): void {
  const status = place('status');
  status.className = look;
  status.textContent = text;
}
