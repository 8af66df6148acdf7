// REPORT_STYLE is the style sheet of the reports, with the colours of their charts for light and dark mode. LIGHT_COLORS has the colours
// for light mode.

export const REPORT_STYLE = `
:root {
  --page: #ffffff; --ink: #1c2027; --muted: #667080; --rule: #dfe2e8;
  --train: #2463c9; --held: #cf5413; --good: #157a3c; --bad: #b3261e;
  --faint: #b9c0cb; --card: #f6f7f9; --light: #eceff3; --dark: #a9b6c8; --mark: #f2c14e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --ink: #e7e9ed; --muted: #97a0ae; --rule: #30363f;
    --train: #6fa7ff; --held: #ff9a5f; --good: #5fce8a; --bad: #ff8a80;
    --faint: #56606e; --card: #1b2027; --light: #8f9bad; --dark: #57647a; --mark: #c9992e;
  }
}
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1440px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 40px 0 12px; padding-bottom: 4px; border-bottom: 1px solid var(--rule); }
h3 { font-size: 16px; margin: 24px 0 4px; }
h4 { font-size: 13px; margin: 4px 0; font-weight: 600; color: var(--muted); }
small, .note, figcaption { color: var(--muted); font-size: 13px; font-weight: 400; }
.summary { font-size: 17px; margin: 0; }
figure { margin: 0; }
figcaption { text-align: center; }
.curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 20px; margin-top: 16px; }
.boards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 8px; }
.of3 { grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); }
.board { display: grid; grid-template-columns: 12px repeat(8, 1fr); font-size: 11px; font-variant-numeric: tabular-nums; text-align: center; }
.board > * { display: grid; place-items: center; font-weight: 400; font-style: normal; }
.board b { aspect-ratio: 1; border: 0.5px solid var(--rule); }
.board i { color: var(--muted); }
.piece { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; }
.piece h3 { grid-column: 1 / -1; }
.piece h3::first-letter { text-transform: uppercase; }
.wide { overflow-x: auto; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 0; }
.tiles div { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 10px 18px; }
.tiles b { display: block; font-size: 20px; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--muted); font-size: 13px; }
.advice { font-size: 16px; line-height: 1.6; padding-left: 20px; margin: 0; }
.pair { display: grid; grid-template-columns: minmax(320px, 620px) minmax(max-content, 1fr); gap: 24px; align-items: start; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(420px, 1fr)); gap: 16px; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 4px 16px 14px; }
.card h3 { margin: 8px 0 0; }
.card p { margin: 2px 0 10px; }
.games { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); gap: 14px; margin-top: 20px; }
.player { display: flex; justify-content: space-between; gap: 8px; }
.games p { margin: 4px 0; overflow: hidden; text-overflow: ellipsis; }
.scores { display: block; width: 100%; height: 46px; margin-top: 6px; }
.moves { height: 4.5em; color: var(--muted); font-size: 13px; }
.tag { font-size: 12px; font-weight: 600; border: 1px solid; border-radius: 999px; padding: 1px 8px; margin-left: 6px; }
.tag.plain { color: var(--muted); }
.examples { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; }
.examples figcaption { font-size: 12px; line-height: 1.35; margin-top: 4px; }
.diagram { display: block; width: 100%; border-radius: 4px; }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 340px)); gap: 16px; margin-top: 16px; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--rule); border-radius: 6px; cursor: pointer; }
td button { border: 0; padding: 0; background: none; text-decoration: underline; }
#replay .card { max-width: 420px; margin-top: 20px; }
.line { color: var(--muted); font-size: 13px; }
.fold > summary { font-size: 19px; font-weight: 600; padding: 8px 0; border-bottom: 1px solid var(--rule); }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 24px 0 8px; }
a { color: var(--train); }
details { margin: 8px 0; }
summary { cursor: pointer; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: 5px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; color: var(--muted); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
.good { color: var(--good); }
.bad { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 20px; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { font-size: 12px; overflow-x: auto; }
@media (max-width: 1000px) { .piece, .pair { grid-template-columns: 1fr; } }
@media (max-width: 560px) {
  .cards { grid-template-columns: 1fr; }
  th, td { padding: 5px 6px; }
  th, td:first-child, td:last-child { white-space: normal; }
}
`;

/** The colours of light mode by variable name. */
export const LIGHT_COLORS: Readonly<Record<string, string>> = Object.fromEntries(
  [...REPORT_STYLE.slice(0, REPORT_STYLE.indexOf('@media')).matchAll(/(--\w+): (#\w+);/g)].map(([, name, color]) => [
    name,
    color,
  ]),
);
