// The report's look, and the colours its charts refer to in both schemes.

export const REPORT_STYLE = `
:root {
  --page: #ffffff; --ink: #1c2027; --muted: #667080; --rule: #dfe2e8;
  --train: #2463c9; --held: #cf5413; --good: #157a3c; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --ink: #e7e9ed; --muted: #97a0ae; --rule: #30363f;
    --train: #6fa7ff; --held: #ff9a5f; --good: #5fce8a; --bad: #ff8a80;
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
.curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(360px, 460px)); gap: 20px; }
.boards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; }
.piece { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; }
.piece h3 { grid-column: 1 / -1; }
.wide { overflow-x: auto; }
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
@media (max-width: 1000px) { .piece { grid-template-columns: 1fr; } }
`;
