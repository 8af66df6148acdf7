// The page of a queue as HTML: the tests in order with figures and buttons, and the form for a new one.

import { type Cell, contentPolicy, entities, htmlTable, reportPage, section } from '../web/html.js';
import { progressOf } from './runner.js';
import type { QueueStore } from './store.js';
import { FIELDS, type Test, testOutcome } from './test.js';

const STYLE = `
form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 260px), 1fr)); gap: 10px 16px; margin-top: 16px; }
label { display: grid; gap: 2px; color: var(--muted); font-size: 13px; }
input { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--rule); border-radius: 6px; padding: 6px 8px; min-width: 0; }
form button, #bar button { padding: 6px 16px; }
form p { grid-column: 1 / -1; margin: 0; color: var(--bad); overflow-wrap: anywhere; }
td:nth-child(2), th:nth-child(2) { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 160px; }
td button { margin-left: 10px; }
@media (max-width: 560px) {
  .tests thead { display: none; }
  .tests table, .tests tbody { display: block; }
  .tests tr { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 8px 0; border-bottom: 1px solid var(--rule); }
  .tests td { border: 0; padding: 0; }
  .tests td:empty { display: none; }
  .tests td:nth-child(2) { flex: 1 0 80%; }
  .tests td:nth-child(4)::before { content: 'Elo '; }
  .tests td:nth-child(5)::before { content: 'LLR '; }
  .tests td:nth-child(6)::after { content: ' games'; }
  .tests td:nth-child(7)::before { content: 'pairs '; }
}
`;

const SCRIPT = `
const problem = document.getElementById('problem');
async function send(path, body) {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  problem.textContent = answer.ok ? '' : await answer.text();
  return answer.ok;
}
document.addEventListener('click', ({ target }) => {
  const { act, id } = target.dataset;
  if (act !== undefined) send('/' + act, { id: Number(id) });
});
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  if (await send('/add', Object.fromEntries(new FormData(form)))) form.elements.name.value = '';
});
const events = new EventSource('/events');
events.addEventListener('tests', ({ data }) => { document.getElementById('tests').innerHTML = JSON.parse(data); });
const title = document.title;
events.addEventListener('error', () => { document.title = 'no connection to the queue'; });
events.addEventListener('open', () => { document.title = title; });
`;

const PAGE_POLICY = contentPolicy([SCRIPT], "connect-src 'self'", "form-action 'none'");
/** The policy as a header, which can also forbid embedding the page in frames. */
export const QUEUE_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;

/** Returns the page. */
export function queuePage(store: QueueStore): string {
  return reportPage(
    'Heft queue',
    '',
    [`<div id="tests">${testsView(store)}</div>`, section('New test', formView()), `<script>${SCRIPT}</script>`],
    STYLE,
    PAGE_POLICY,
  );
}

/** Returns the part of the page that changes. */
export function testsView(store: QueueStore): string {
  const bar = store.paused ? `paused ${button('continue', 0, 'continue')}` : button('pause', 0, 'pause');
  const rows = store.tests.map((test) => rowOf(test, store.runOf(test.id)));
  const heads = ['', 'test', 'state', 'Elo', 'LLR', 'games', 'pairs', ''];
  const tests =
    rows.length === 0 ? '<p class="note">No tests yet.</p>' : `<div class="tests">${htmlTable(heads, rows)}</div>`;
  return `<p id="bar">${bar}</p>\n${tests}`;
}

function rowOf(test: Test, run: string): Cell[] {
  const { id, form, state, problem, verdict } = test;
  const progress = state === 'running' ? progressOf(run) : {};
  const figures = { ...test, ...progress };
  const [head, base] = [shortened(form.head), shortened(form.base)];
  const title = form.name === '' ? `${head} against ${base}` : form.name;
  const revisions = `${head} – ${base}, ${form.nodes === '' ? form.tc : `${form.nodes} nodes`}, [${form.elo0}, ${form.elo1}]`;
  const more = problem === undefined ? '' : `<br><small class="bad">${entities(problem)}</small>`;
  const outcome = testOutcome(test).replace('finished', 'no decision');
  const mark = verdict === 'H1' ? 'good' : verdict === 'H0' || state === 'failed' ? 'bad' : '';
  const number = (value: number | undefined | null, digits: number): string =>
    value === undefined || value === null ? '' : value.toFixed(digits).replace('-', '−');
  return [
    String(id),
    { html: `${entities(title)}<br><small>${entities(revisions)}</small>${more}` },
    { text: outcome, mark },
    figures.elo === undefined ? '' : `${number(figures.elo, 1)} ± ${number(figures.eloError, 1)}`,
    number(figures.llr, 2),
    number(figures.gamesPlayed, 0),
    figures.penta?.join(', ') ?? '',
    { html: `${linksOf(figures)}${buttonsOf(test)}` },
  ];
}

/** Returns the first twelve digits of a commit; returns other names unchanged. */
const shortened = (revision: string): string => (/^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, 12) : revision);

function linksOf({ id, state, page }: Test): string {
  if (state === 'running' && page !== undefined) return `<a href="${entities(page)}">live</a>`;
  return state === 'finished'
    ? `<a href="/run/${id}/report.html">report</a> <a href="/run/${id}/games.pgn">PGN</a>`
    : '';
}

function buttonsOf({ id, state }: Test): string {
  const named: Record<Test['state'], string[]> = {
    queued: ['up', 'down', 'stop'],
    running: ['stop'],
    finished: ['remove'],
    failed: ['again', 'remove'],
    stopped: ['again', 'remove'],
  };
  return named[state].map((act) => button(act, id, act)).join('');
}

const button = (act: string, id: number, text: string): string =>
  `<button data-act="${act}" data-id="${id}">${text}</button>`;

function formView(): string {
  const inputs = Object.entries(FIELDS).map(
    ([key, { label, default: value, hint }]) =>
      `<label>${label}<input name="${key}" value="${entities(value)}" placeholder="${entities(hint)}" maxlength="400" autocomplete="off"></label>`,
  );
  return `<form>${inputs.join('\n')}<label>&nbsp;<button>add</button></label><p id="problem" role="alert"></p></form>`;
}
