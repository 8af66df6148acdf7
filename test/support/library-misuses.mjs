// Misuses of the library, as data and code without a test runner, for Node, Bun, Deno and browsers. Each must throw or reject with a
// TypeError before anything is sent, an EngineError, or the error of the caller's own code; afterwards the engine must still play.

const FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const own = () => new RangeError("the caller's own");
const thrower = {
  get depth() {
    throw own();
  },
};
const proxy = new Proxy(
  {},
  {
    get: () => {
      throw own();
    },
  },
);

/** Calls of an engine, with the name of the error with which each must reject. */
const CALLS = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 0.5, 1e21, '5', null, {}, [5], 5n, true].flatMap((value) => [
    [`depth ${typeof value} ${String(value)}`, (engine) => engine.search({ depth: value })],
    [`nodes ${typeof value} ${String(value)}`, (engine) => engine.search({ nodes: value })],
  ]),
  ['mate 0', (engine) => engine.search({ mate: 0 })],
  ['movetime NaN', (engine) => engine.search({ movetime: Number.NaN })],
  ['movetime 1e21', (engine) => engine.search({ movetime: 1e21 })],
  ['wtime text', (engine) => engine.search({ wtime: '1000 depth 3' })],
  ['movestogo -1', (engine) => engine.search({ wtime: 100, movestogo: -1 })],
  ...['winc', 'binc', 'movestogo'].map((name) => [`${name} alone`, (engine) => engine.search({ [name]: 20 })]),
  ['multiPv 0', (engine) => engine.search({ depth: 1, multiPv: 0 })],
  ['multiPv 219', (engine) => engine.search({ depth: 1, multiPv: 219 })],
  ['elo NaN', (engine) => engine.search({ depth: 1, elo: Number.NaN })],
  ['elo text', (engine) => engine.search({ depth: 1, elo: '1500 \n quit' })],
  ['elo 1e9', (engine) => engine.search({ depth: 1, elo: 1e9 })],
  ['searchMoves with a command', (engine) => engine.search({ searchMoves: ['e2e4', 'infinite'], movetime: 50 })],
  ['searchMoves that are illegal', (engine) => engine.search({ searchMoves: ['e2e5'], depth: 1 })],
  ['searchMoves as text', (engine) => engine.search({ searchMoves: 'e2e4', depth: 1 })],
  ['searchMoves of numbers', (engine) => engine.search({ searchMoves: [1], depth: 1 })],
  ['searchMoves after illegal moves', (engine) => engine.search({ moves: ['e2e5'], searchMoves: ['e7e5'], depth: 1 })],
  ['fen with moves', (engine) => engine.search({ fen: `${FEN} moves e2e4`, depth: 1 })],
  [
    'fen with moves in the place of its clocks',
    (engine) => engine.search({ fen: `${FEN.slice(0, -4)} moves e2e4`, depth: 1 }),
  ],
  ['fen with a line break', (engine) => engine.search({ fen: '8/8/8/8/8/8/8/8 w - -\nquit', depth: 1 })],
  ['fen of a number', (engine) => engine.search({ fen: 5, depth: 1 })],
  ['fen null', (engine) => engine.search({ fen: null, depth: 1 })],
  ['fen null to evaluate', (engine) => engine.evaluate({ fen: null })],
  ['fen of words', (engine) => engine.evaluate({ fen: 'startpos' })],
  ['moves as text', (engine) => engine.search({ moves: 'e2e4', depth: 1 })],
  ['moves with a command', (engine) => engine.search({ moves: ['e2e4 go infinite'], depth: 1 })],
  ['moves that are illegal', (engine) => engine.search({ moves: ['e2e5'], depth: 1 })],
  ['moves of objects', (engine) => engine.evaluate({ moves: [{}] })],
  ['explain of a number', (engine) => engine.explain(5)],
  ['explain of null', (engine) => engine.explain(null)],
  ['explain with a request of null', (engine) => engine.explain(FEN, null)],
  ['explain moves as text', (engine) => engine.explain({ moves: 'e2e4' })],
  ['explain moves of numbers', (engine) => engine.explain({ moves: [1] })],
  ['explain a move of a number', (engine) => engine.explain(FEN, { move: 5 })],
  ['explain a move that is illegal', (engine) => engine.explain(FEN, { move: 'e2e5' })],
  ['explain against a command', (engine) => engine.explain(FEN, { against: 'e2e4 \n quit' })],
  ['explain with depth 0', (engine) => engine.explain(FEN, { depth: 0 })],
  ['explain with movetime NaN', (engine) => engine.explain(FEN, { movetime: Number.NaN })],
  ['explain a game that is over', (engine) => engine.explain('7k/6Q1/6K1/8/8/8/8/8 b - - 0 1')],
  ...[FEN, [], 5, true, null].flatMap((value) => [
    [`search a request of ${typeof value}`, (engine) => engine.search(value)],
    [`evaluate a position of ${typeof value}`, (engine) => engine.evaluate(value)],
  ]),
  ['explain of a list', (engine) => engine.explain([])],
  ['a limit that is misspelt', (engine) => engine.search({ moveTime: 50 })],
  ['a position that is misspelt', (engine) => engine.evaluate({ FEN })],
  ['a move to explain that is misspelt', (engine) => engine.explain(FEN, { Move: 'e4', nodes: 100 })],
  ['options that are misspelt', (engine) => engine.search({ depth: 1 }, { oninfo: () => {} })],
  ['createEngine with a misspelt option', (_, { createEngine }) => createEngine({ Hash: 1 })],
  ['createEngine of a list', (_, { createEngine }) => createEngine([])],
  ['createPosition with options of null', async (_, { createPosition }) => createPosition(FEN, null)],
  ['createPosition with a misspelt option', async (_, { createPosition }) => createPosition(FEN, { Chess960: true })],
  ['options of null', (engine) => engine.search({ depth: 1 }, null)],
  ['onInfo that is no function', (engine) => engine.search({ depth: 1 }, { onInfo: 5 })],
  ['a signal that is none', (engine) => engine.search({ depth: 1 }, { signal: 5 })],
  ['weights undefined', (engine) => engine.setWeights(undefined)],
  ['weights of a number', (engine) => engine.setWeights(5)],
  ['a getter that throws', (engine) => engine.search(thrower), 'RangeError'],
  ['a proxy that throws', (engine) => engine.search(proxy), 'RangeError'],
  [
    'onInfo that throws',
    (engine) =>
      engine.search(
        { nodes: 5000 },
        {
          onInfo: () => {
            throw own();
          },
        },
      ),
    'RangeError',
  ],
  [
    'onInfo that throws in a search without limits',
    (engine) =>
      engine.search(
        {},
        {
          onInfo: () => {
            throw own();
          },
        },
      ),
    'RangeError',
  ],
  [
    'onInfo that rejects',
    (engine) =>
      engine.search(
        {},
        {
          onInfo: async () => {
            throw own();
          },
        },
      ),
    'RangeError',
  ],
  ['a signal aborted before', (engine) => engine.search({}, { signal: AbortSignal.abort(own()) }), 'RangeError'],
  ['weights with an unknown term', (engine) => engine.setWeights({ terms: { x: [] } }), 'EngineError'],
  ['weights that are no JSON', (engine) => engine.setWeights('{'), 'EngineError'],
  ['weights of half a character', (engine) => engine.setWeights('\ud800'), 'EngineError'],
  ['createEngine hash 0', (_, { createEngine }) => createEngine({ hash: 0 })],
  ['createEngine hash 0.5', (_, { createEngine }) => createEngine({ hash: 0.5 })],
  ['createEngine hash text', (_, { createEngine }) => createEngine({ hash: '16\nquit' })],
  ['createEngine threads 1e9', (_, { createEngine }) => createEngine({ threads: 1e9 })],
  ['createEngine threads NaN', (_, { createEngine }) => createEngine({ threads: Number.NaN })],
  ['createEngine chess960 text', (_, { createEngine }) => createEngine({ chess960: 'true' })],
  ['createEngine of null', (_, { createEngine }) => createEngine(null)],
  ...[null, '', 5, {}, { href: '' }].map((worker) => [
    `createEngine worker ${JSON.stringify(worker)}`,
    (_, { createEngine }) => createEngine({ worker }),
  ]),
  ['createEngine weights 5', (_, { createEngine }) => createEngine({ weights: 5 })],
  ...[Number.NaN, -1, 21, 1.5, '3', undefined].map((depth) => [
    `perft ${String(depth)}`,
    async (_, { createPosition }) => createPosition().perft(depth),
  ]),
  ['createPosition of a number', async (_, { createPosition }) => createPosition(5)],
  ['createPosition of words', async (_, { createPosition }) => createPosition('x w')],
  ['createPosition with chess960 text', async (_, { createPosition }) => createPosition(FEN, { chess960: 1 })],
  ['play of an illegal move', async (_, { createPosition }) => createPosition().play('e5')],
  ['play of a number', async (_, { createPosition }) => createPosition().play(5)],
];

const HANGS_MS = 10_000;

async function outcome(promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve('nothing'), HANGS_MS);
  });
  const ended = promise.then(
    () => 'no error',
    (error) => error?.name ?? String(error),
  );
  const result = await Promise.race([ended, late]);
  clearTimeout(timer);
  return result;
}

/** Returns the number of misuses, and a line for each that did not fail as expected or after which the engine did not play. */
export async function misuse(library) {
  let engine = await library.createEngine({ hash: 1 });
  const wrong = [];
  for (const [name, call, expected = 'TypeError'] of CALLS) {
    const error = await outcome(Promise.resolve().then(() => call(engine, library)));
    if (error !== expected) wrong.push(`${name}: ${error}, not ${expected}`);
    const next = await outcome(
      engine.search({ depth: 1 }).then(({ bestMove }) => {
        if (!/^[a-h][1-8]/.test(bestMove)) throw new Error('no move');
      }),
    );
    if (next === 'no error') continue;
    wrong.push(`${name}: the next search gives ${next}`);
    engine.close();
    engine = await library.createEngine({ hash: 1 });
  }
  engine.close();
  for (const [name, call] of [
    ['search', (closed) => closed.search()],
    ['evaluate', (closed) => closed.evaluate()],
    ['explain', (closed) => closed.explain()],
    ['newGame', (closed) => closed.newGame()],
  ]) {
    const error = await outcome(call(engine));
    if (error !== 'EngineError') wrong.push(`${name} of a closed engine: ${error}`);
  }
  return { count: CALLS.length + 3, wrong };
}
