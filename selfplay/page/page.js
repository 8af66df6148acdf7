// Draws what the server sends: `run` (figures, paths, standings, finished games) and `boards`. Nothing is remembered here
// but the elements, so any picture can be the first.

const $ = (id) => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';
const COLOURS = Array.from({ length: 8 }, (_, i) => `var(--s${i + 1})`);

function element(tag, attributes = {}, ...children) {
  const isDrawing = ['svg', 'path', 'rect', 'line', 'text', 'use', 'circle'].includes(tag);
  const made = isDrawing ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => (typeof child === 'number' ? String(child) : child)));
  return made;
}

const fixed = (value, digits) => value.toFixed(digits).replace('-', '\u2212');
const signed = (value, digits = 1) => `${value > 0 ? '+' : ''}${fixed(value, digits)}`;
const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)} %`;
const whole = (value) => Math.round(value).toLocaleString('en').replaceAll(',', '\u202f');

function duration(hours) {
  if (!Number.isFinite(hours)) return '';
  const minutes = Math.max(1, Math.round(60 * hours));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// The run as a whole

function drawRun(run) {
  const names = run.names.length > 0 ? run.names : run.engines;
  $('title').textContent = names.length === 2 ? names.join(' – ') : `${names.length} engines, ${run.title}`;
  const sides = run.engines.map((text, i) => `${run.names[i] ?? `engine ${i + 1}`}: ${text}`);
  const isSame = new Set(run.engines).size === 1;
  $('subtitle').textContent = [run.title, ...(isSame ? [run.engines[0]] : sides), run.folder].join(' · ');
  const status = $('status');
  status.className = run.end === null && !run.paused ? 'running' : '';
  status.textContent = run.end ?? (run.paused ? 'paused' : 'running');
  drawTiles(run);
  drawStandings(run);
  drawPaths(run);
  drawFailures(run.failures);
  drawRecent(run.recent);
}

function tile(name, value, ...more) {
  return element('div', { class: 'tile' }, element('div', { class: 'name' }, name), value, ...more);
}

const large = (text, small = '') => element('div', { class: 'value' }, text, element('small', {}, small));
const note = (text) => element('div', { class: 'muted' }, text);

function drawTiles(run) {
  const { figures } = run;
  const tiles = figures !== null && 'llr' in figures ? matchTiles(figures) : [];
  const left = run.gamesToPlay - run.gamesPlayed;
  const pace = run.gamesPerHour > 0 ? `${whole(run.gamesPerHour)} games/h` : '';
  const isOver = run.end !== null;
  const rest = !isOver && run.gamesPerHour > 0 ? `at most ${duration(left / run.gamesPerHour)} left` : '';
  const slots = `${run.concurrency} at a time`;
  tiles.push(
    tile(
      'Games',
      large(whole(run.gamesPlayed), ` of ${whole(run.gamesToPlay)}`),
      bar([['won', run.gamesPlayed / Math.max(1, run.gamesToPlay)]]),
      note([pace, slots, rest].filter((text) => text !== '').join(', ')),
    ),
  );
  $('tiles').replaceChildren(...tiles);
  const summary =
    figures !== null && 'llr' in figures ? `${signed(figures.elo)} ±${figures.eloError.toFixed(1)} · ` : '';
  document.title = `${summary}${run.gamesPlayed}/${run.gamesToPlay} · Heft`;
}

function matchTiles(figures) {
  const { wins, draws, losses, games, penta, white, black, sprt, llr, lower, upper } = figures;
  const points = wins + draws / 2;
  const share = (counts) => {
    const played = counts.wins + counts.draws + counts.losses;
    return played === 0 ? '–' : percent((counts.wins + counts.draws / 2) / played);
  };
  const most = Math.max(1, ...penta);
  const needle = Math.max(0, Math.min(1, (llr - lower) / (upper - lower)));
  const gauge = element('div', { class: 'bar' }, element('i', { class: 'needle', style: `left:${98.5 * needle}%` }));
  const bars = penta.map((count) =>
    element('span', {}, element('i', { style: `height:${Math.round((34 * count) / most)}px` }), count),
  );
  const verdict = figures.verdict === null ? '' : ` ${figures.verdict} accepted`;
  return [
    tile(
      'Elo, 95 %',
      large(signed(figures.elo), ` ± ${figures.eloError.toFixed(1)}`),
      note(`nElo ${signed(figures.nelo)} ± ${figures.neloError.toFixed(1)}, LOS ${percent(figures.los)}`),
    ),
    tile(
      `LLR [${sprt.elo0}, ${sprt.elo1}] ${sprt.model}`,
      large(fixed(llr, 2), verdict),
      gauge,
      note(`${fixed(lower, 2)} … ${fixed(upper, 2)}; α ${sprt.alpha}, β ${sprt.beta}`),
    ),
    tile(
      'Wins, draws, losses',
      large(`${whole(wins)} · ${whole(draws)} · ${whole(losses)}`),
      bar([
        ['won', wins / Math.max(1, games)],
        ['drawn', draws / Math.max(1, games)],
        ['lost', losses / Math.max(1, games)],
      ]),
      note(`${percent(games === 0 ? 0.5 : points / games, 2)}; White ${share(white)}, Black ${share(black)}`),
    ),
    tile(
      'Pairs: 0, ½, 1, 1½, 2 points',
      element('div', { class: 'penta' }, ...bars),
      note(`pair ratio ${figures.pairsRatio.toFixed(2)}, drawn ${percent(figures.drawRatio)}`),
    ),
  ];
}

function bar(parts) {
  return element(
    'div',
    { class: 'bar' },
    ...parts.map(([name, share]) => element('i', { class: name, style: `width:${Math.min(100, 100 * share)}%` })),
  );
}

function table(head, rows) {
  const cell = (tag) => (content) => {
    const [text, kind] = Array.isArray(content) ? content : [content, ''];
    return element(tag, { class: kind }, text);
  };
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head.map(cell('th')))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell('td'))))),
  );
}

function drawStandings({ figures }) {
  const isTable = figures !== null && 'standings' in figures;
  $('standings').hidden = !isTable;
  if (!isTable) return;
  const { standings, crosstable } = figures;
  const cross = (counts, isSelf) => {
    const played = counts.wins + counts.draws + counts.losses;
    return isSelf || played === 0 ? ['·', 'muted'] : [`${counts.wins + counts.draws / 2}/${played}`, ''];
  };
  const rows = standings.map((line, i) => [
    i + 1,
    [line.engine, 'text'],
    line.games === 0 ? '–' : fixed(line.elo, 1),
    [line.games === 0 ? '' : `± ${line.eloError.toFixed(1)}`, 'muted'],
    line.points,
    line.games,
    percent(line.points / Math.max(1, line.games)),
    `${line.wins} · ${line.draws} · ${line.losses}`,
    ...crosstable[i].map((counts, j) => cross(counts, i === j)),
  ]);
  const head = ['', ['Engine', 'text'], 'Elo', '', 'Points', 'Games', 'Score', 'W · D · L'];
  const made = table([...head, ...standings.map((_, i) => i + 1)], rows);
  $('standings').replaceChildren(element('h2', {}, 'Standings'), element('div', { class: 'wide' }, made));
}

function drawFailures(failures) {
  $('failures').hidden = failures.length === 0;
  const rows = failures.map(({ what, times, game }) => [
    [what, 'text bad'],
    `${times}×`,
    [`last in game ${game}`, 'text'],
  ]);
  $('failures').replaceChildren(element('h2', {}, 'Failures'), table([], rows));
}

function drawRecent(games) {
  const rows = games.map(({ game, white, black, result, plies, reason }) => [
    game,
    [white, 'text'],
    [black, 'text'],
    result.replaceAll('1/2', '½'),
    Math.ceil(plies / 2),
    [reason, 'text'],
  ]);
  const head = ['Game', ['White', 'text'], ['Black', 'text'], 'Result', 'Moves', ['End', 'text']];
  const place = $('recent');
  const scrolled = place.querySelector('.wide')?.scrollTop ?? 0;
  place.hidden = games.length === 0;
  place.replaceChildren(element('h2', {}, 'Finished games'), element('div', { class: 'wide' }, table(head, rows)));
  place.querySelector('.wide').scrollTop = scrolled;
}

// The course of LLR and Elo

const HEIGHT = 220;
let shown = null;

function drawPaths(run) {
  const { path, figures, names } = run;
  shown = run;
  const isMatch = figures !== null && 'llr' in figures;
  $('charts').hidden = path.length === 0;
  $('llr-figure').hidden = !isMatch;
  if (isMatch) {
    const { lower, upper } = figures;
    const bounds = [
      [lower, 'H0'],
      [upper, 'H1'],
    ];
    drawChart($('llr-chart'), path, [{ values: path.map(({ llr }) => llr) }], { bounds, level: [0], digits: 2 });
  }
  const count = path.length === 0 ? 0 : Math.min(COLOURS.length, path[0].elo.length);
  const series = Array.from({ length: count }, (_, i) => ({
    values: path.map(({ elo }) => elo[i]),
    errors: count === 1 ? path.map(({ error }) => error[i]) : null,
    colour: COLOURS[i],
    name: isMatch ? '' : names[i],
  }));
  drawChart($('elo-chart'), path, series, { bounds: [], level: isMatch ? [0] : [], digits: 1 });
  const legend = series.filter(({ name }) => name !== '');
  $('elo-figure')
    .querySelector('.legend')
    .replaceChildren(
      ...legend.map(({ name, colour }) =>
        element('span', {}, element('i', { class: 'key', style: `background:${colour}` }), name),
      ),
    );
}

/**
 * Spreads the values of several series over the frame, `bounds` and `level` always in it; errors are cut where the picture
 * would be all error.
 */
function drawChart(svg, path, series, { bounds, level, digits }) {
  const width = Math.max(200, svg.clientWidth);
  svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
  const frame = { left: 46, right: width - 8, top: 8, bottom: HEIGHT - 24 };
  const settled = Math.floor(path.length / 20);
  const heights = series.flatMap(({ values, errors }) =>
    values.flatMap((value, i) => (errors && i >= settled ? [value - errors[i], value + errors[i]] : [value])),
  );
  const marks = [...level, ...bounds.map(([value]) => value), ...heights];
  const [least, most] = [Math.min(...marks), Math.max(...marks)];
  const room = 0.05 * (most - least || 1);
  const [low, high] = [least - room, most + room];
  const games = Math.max(1, path.at(-1)?.games ?? 1);
  const x = (value) => frame.left + ((frame.right - frame.left) * value) / games;
  const within = (value) => Math.max(low, Math.min(high, value));
  const y = (value) => frame.bottom - ((frame.bottom - frame.top) * (within(value) - low)) / (high - low);
  const parts = [];
  for (const value of ticks(low, high)) {
    parts.push(
      element('line', {
        class: value === 0 ? 'zero' : 'grid',
        x1: frame.left,
        x2: frame.right,
        y1: y(value),
        y2: y(value),
      }),
    );
    parts.push(
      element(
        'text',
        { x: frame.left - 6, y: y(value) + 4, 'text-anchor': 'end' },
        String(value).replace('-', '\u2212'),
      ),
    );
  }
  for (const value of ticks(0, games).filter((tick) => tick > 0 && Number.isInteger(tick))) {
    parts.push(
      element(
        'text',
        { x: x(value), y: HEIGHT - 7, 'text-anchor': x(value) > width - 30 ? 'end' : 'middle' },
        whole(value),
      ),
    );
  }
  for (const [value, name] of bounds) {
    parts.push(element('line', { class: 'bound', x1: frame.left, x2: frame.right, y1: y(value), y2: y(value) }));
    parts.push(element('text', { x: frame.right, y: y(value) + (value > 0 ? 13 : -5), 'text-anchor': 'end' }, name));
  }
  const point = (i, value) => `${x(path[i].games).toFixed(1)} ${y(value).toFixed(1)}`;
  for (const { values, errors, colour } of series) {
    if (errors) {
      const upper = values.map((value, i) => point(i, value + errors[i]));
      const lower = values.map((value, i) => point(i, value - errors[i])).reverse();
      parts.push(element('path', { class: 'area', d: `M${[...upper, ...lower].join('L')}Z` }));
    }
    const style = colour === undefined ? '' : `stroke:${colour}`;
    parts.push(
      element('path', { class: 'path', style, d: `M${values.map((value, i) => point(i, value)).join('L')}h.1` }),
    );
  }
  const cursor = element('line', { class: 'zero', y1: frame.top, y2: frame.bottom, visibility: 'hidden' });
  svg.replaceChildren(...(path.length === 0 ? [] : parts), cursor);
  const readout = svg.parentElement.querySelector('.readout');
  svg.onpointerleave = () => {
    cursor.setAttribute('visibility', 'hidden');
    readout.textContent = '';
  };
  svg.onpointermove = ({ clientX }) => {
    const at = clientX - svg.getBoundingClientRect().left;
    const i = nearest(path, (games * (at - frame.left)) / (frame.right - frame.left));
    if (i < 0) return;
    cursor.setAttribute('visibility', 'visible');
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, x(path[i].games));
    const texts = series.map(({ values, errors, name }) => {
      const error = errors ? ` ± ${errors[i].toFixed(digits)}` : '';
      return `${name ? `${name} ` : ''}${fixed(values[i], digits)}${error}`;
    });
    readout.textContent = `${whole(path[i].games)} games: ${texts.join(', ')}`;
  };
}

function nearest(path, games) {
  let best = -1;
  path.forEach((point, i) => {
    if (best < 0 || Math.abs(point.games - games) < Math.abs(path[best].games - games)) best = i;
  });
  return best;
}

/** Returns some four round numbers between the two. */
function ticks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(6)));
}

// A drawing is made for its width
addEventListener('resize', () => {
  if (shown !== null) drawPaths(shown);
});

// Boards

const cards = [];

function drawBoards(boards) {
  const place = $('boards');
  while (cards.length > boards.length) cards.pop().root.remove();
  boards.forEach((board, i) => {
    if (cards[i] === undefined) {
      cards[i] = newCard();
      place.append(cards[i].root);
    }
    drawCard(cards[i], board);
  });
}

function newCard() {
  const card = {
    black: element('div'),
    squares: element('svg', { class: 'squares', viewBox: '0 0 360 360', role: 'img' }),
    white: element('div'),
    scores: element('svg', { class: 'scores', viewBox: '0 0 300 46', preserveAspectRatio: 'none' }),
    moves: element('div', { class: 'moves' }),
    verdict: element('div', { class: 'verdict' }),
    seen: '',
  };
  const { black, squares, white, scores, moves, verdict } = card;
  card.root = element('article', { class: 'board' }, verdict, black, squares, white, scores, moves);
  return card;
}

function drawCard(card, board) {
  const { fen, scores, moves, bookPlies, end, game, round } = board;
  card.board = board;
  card.at = performance.now();
  card.turn = fen.split(' ')[1] === 'w' ? 0 : 1;
  drawSides(card);
  const seen = `${game} ${moves.length} ${end?.result}`;
  if (card.seen === seen) return;
  card.seen = seen;
  card.root.classList.toggle('over', end !== null);
  card.squares.setAttribute('aria-label', fen);
  card.squares.replaceChildren(...squaresOf(board));
  card.scores.replaceChildren(...scoreGraph(scores, bookPlies));
  card.moves.replaceChildren(moveList(board));
  const head = element('span', { class: 'number' }, `Game ${game}, round ${round}`);
  const result = end === null ? '' : `${end.result.replaceAll('1/2', '½')} ${end.reason}`;
  card.verdict.replaceChildren(
    head,
    element('b', { class: 'outcome' }, end === null ? scoreText(scores.at(-1) ?? null) : result),
  );
}

function drawSides(card) {
  const { players, clocks, depth, speed, end, waiting } = card.board;
  [card.white, card.black].forEach((place, side) => {
    const isTurn = end === null && card.turn === side;
    place.className = `side ${side === 0 ? 'white' : 'black'}${isTurn ? ' turn' : ''}`;
    const spent = isTurn && SAVED === null ? waiting + performance.now() - card.at : 0;
    const clock = clocks[side] === null ? '' : clockText(clocks[side] - spent);
    const pace = speed[side] > 0 ? `, ${whole(speed[side] / 1000)} kn/s` : '';
    const facts = depth[side] > 0 ? `depth ${depth[side]}${pace} ` : '';
    place.replaceChildren(
      element('b', { class: 'player' }, players[side]),
      element('span', {}, facts, element('em', {}, clock)),
    );
  });
}

function clockText(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

function scoreText(score) {
  if (score === null) return '';
  if (Math.abs(score) > 31000) return `${score > 0 ? '+' : '-'}M${Math.ceil((32000 - Math.abs(score)) / 2)}`;
  return signed(score / 100, 2);
}

function squaresOf({ fen, last }) {
  const parts = [element('rect', { class: 'light', width: 360, height: 360 })];
  let shade = '';
  for (let square = 0; square < 64; square++) {
    const [file, rank] = [square & 7, square >> 3];
    if ((file + rank) % 2 === 0) shade += `M${45 * file} ${315 - 45 * rank}h45v45h-45z`;
  }
  parts.push(element('path', { class: 'dark', d: shade }));
  for (const square of last ?? []) {
    const place = { x: 45 * (square & 7), y: 315 - 45 * (square >> 3), width: 45, height: 45 };
    parts.push(element('rect', { class: 'mark', ...place }));
  }
  fen
    .split(' ')[0]
    .split('/')
    .forEach((row, y) => {
      let x = 0;
      for (const letter of row) {
        if (letter >= '1' && letter <= '8') {
          x += Number(letter);
          continue;
        }
        const colour = letter === letter.toUpperCase() ? 'white' : 'black';
        const place = { x: 45 * x++, y: 45 * y, width: 45, height: 45 };
        parts.push(element('use', { href: `#piece-${letter.toLowerCase()}`, class: colour, ...place }));
      }
    });
  return parts;
}

/** White's winning above the line, Black's below; a pawn is a third of the way. */
function scoreGraph(scores, bookPlies) {
  const step = 300 / Math.max(80, scores.length);
  const height = (score) => 22 * (2 / (1 + Math.exp(-score / 150)) - 1);
  let [white, black] = ['', ''];
  scores.forEach((score, i) => {
    if (score === null) return;
    const size = height(score);
    const cell = (from, to) =>
      `M${(i * step).toFixed(2)} ${from.toFixed(1)}h${step.toFixed(2)}V${to.toFixed(1)}h-${step.toFixed(2)}z`;
    if (size > 0) white += cell(23 - size, 23);
    else black += cell(23, 23 - size);
  });
  return [
    element('line', { class: 'grid', x1: 0, x2: 300, y1: 23, y2: 23, 'data-book': bookPlies }),
    element('path', { class: 'white', d: white || 'M0 0' }),
    element('path', { class: 'black', d: black || 'M0 0' }),
  ];
}

function moveList({ moves, firstPly }) {
  const from = Math.max(0, moves.length - 16);
  const words = moves.slice(from).map((move, i) => {
    // Castling is not to be broken at its hyphens
    const san = move.replaceAll('-', '\u2011');
    const ply = firstPly + from + i;
    if (ply % 2 === 0) return `${ply / 2 + 1}. ${san}`;
    return i === 0 ? `${(ply + 1) / 2}… ${san}` : san;
  });
  const latest = words.pop() ?? '';
  return element('div', {}, `${words.join(' ')} `, element('b', { class: 'latest' }, latest));
}

// Where it comes from

if (SAVED !== null) {
  drawRun(SAVED.run);
  drawBoards(SAVED.boards);
} else {
  const source = new EventSource('/events');
  source.addEventListener('run', ({ data }) => {
    const run = JSON.parse(data);
    drawRun(run);
    if (run.end !== null) setTimeout(() => source.close(), 100);
  });
  source.addEventListener('boards', ({ data }) => drawBoards(JSON.parse(data)));
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) return;
    $('status').className = 'lost';
    $('status').textContent = 'no connection to the match; trying again';
  });
  setInterval(() => {
    for (const card of cards) if (card.board.end === null) drawSides(card);
  }, 100);
}
