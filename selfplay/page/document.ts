// The live page as one self-contained HTML file. The server sends changed parts as HTML, which the script inserts.

import { contentPolicy, reportPage } from '../web/page.js';
import { boardCard } from './board-card.js';
import { REPLAY_SCRIPT, replayOf } from './replay.js';
import { runView, windowTitle } from './run-view.js';
import type { PageState } from './state.js';

const SCRIPT = `${REPLAY_SCRIPT}
const events = new EventSource('/events');
const on = (name, show) => events.addEventListener(name, ({ data }) => show(data && JSON.parse(data)));
on('title', (title) => { document.title = title; });
on('boards', (html) => { document.getElementById('boards').innerHTML = html; });
on('run', (html) => { document.getElementById('run').innerHTML = html; });
on('replays', (replays) => replays.forEach(keep));
on('end', () => events.close());
on('error', () => { document.title = 'no connection to the match'; });
`;

/** The page's policy, which allows only its own style and script. */
export const POLICY = contentPolicy({ scripts: [SCRIPT], more: ["connect-src 'self'"] });

/** The changing parts of the page by element id, as HTML (the title as text; the replays as objects, sent only at the end). */
export const PARTS = {
  title: windowTitle,
  run: (state: PageState) => runView(state),
  boards: (state: PageState) => state.boardViews().map(boardCard).join('\n'),
  replays: ({ recent }: PageState) => recent.map(replayOf),
};

/** Returns the page; `isLive` adds the script that receives updates from the server. */
export function pageDocument(state: PageState, isLive: boolean): string {
  const { title, engines, folder } = state.description;
  const body = [
    `<div id="boards" class="games">${PARTS.boards(state)}</div>`,
    '<div id="replay"></div>',
    `<div id="run">${runView(state, isLive)}</div>`,
    isLive ? `<script>${SCRIPT}</script>` : '',
  ];
  const summary = [...new Set(engines), folder].join(' · ');
  return reportPage(`Heft match: ${title}`, summary, body, '', isLive ? POLICY : undefined);
}
