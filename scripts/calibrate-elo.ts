// npm run calibrate-elo: measures the levels of UCI_Elo and writes engine/strength/strength-table.ts. Matches between neighbouring levels give
// their distances; matches against an anchor (Stockfish at a UCI_Elo) give the origin of the scale. Repeat it when the engine becomes stronger.

import '../engine/kernel-node.js';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Level } from '../engine/strength/levels.js';
import { STRENGTH } from '../engine/strength/strength-table.js';
import { benchSignature } from '../selfplay/common/bench-signature.js';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { writeFileAtomic } from '../selfplay/common/files.js';
import { type SettingsOf, text, whole } from '../selfplay/common/options.js';
import { programVersion, projectFile } from '../selfplay/common/program.js';
import { loadWeights, weightsHash } from '../selfplay/common/weights.js';
import { ownEngine, parseEngine } from '../selfplay/engines/spec.js';
import { runMatch } from '../selfplay/match/match.js';
import { DEFAULT_GAMES, DEFAULT_LIMITS } from '../selfplay/series/game-settings.js';
import type { Competitor } from '../selfplay/series/settings.js';
import { type Rating, ratingsOf } from '../selfplay/statistics/ratings.js';
import { EMPTY_TALLY, invertTally, pentaOf, type Tally } from '../selfplay/statistics/tally.js';

const MODULE = fileURLToPath(projectFile('engine/strength/strength-table.ts'));
/** Balanced openings: from lopsided ones both sides win, and differences look smaller than they are. */
const BOOK = fileURLToPath(projectFile('books/heft.epd'));

/**
 * Elo of the anchors, and the depth after which Stockfish 15.1 at that Elo has chosen its move however long it may think:
 * one more than its skill level, the whole part of ((elo - 1346.6) / 143.4) ^ (1 / 0.806).
 */
const ANCHORS = [
  { elo: 1500, depth: 2 },
  { elo: 2000, depth: 7 },
];

/** Moves of each side after which a game between levels that cannot mate is drawn. */
const MAX_MOVES = 200;

/** A player: one of our levels, or an anchor at its declared Elo. */
interface Player {
  name: string;
  engine: Competitor;
  elo: number;
}

const OPTIONS = {
  games: whole({ min: 2, even: true, default: 200, help: 'games per pairing' }),
  anchor: text({ default: '/usr/games/stockfish', help: 'Stockfish 15.1' }),
  seed: whole({ default: 1, help: 'seed of the openings' }),
  workers: whole({ min: 1, default: 2, alias: 'concurrency', help: 'games in parallel' }),
  out: text({ default: 'runs/calibrate-elo', help: 'folder of the games; a run in it is continued' }),
};

type Arguments = SettingsOf<typeof OPTIONS>;

async function calibrate(args: Arguments): Promise<void> {
  const levels: readonly Level[] = STRENGTH.levels;
  const players = [
    ...levels.map(levelPlayer),
    ...ANCHORS.map(({ elo, depth }) => anchorPlayer(args.anchor, elo, depth)),
  ];
  const tallies = players.map(() => players.map(() => EMPTY_TALLY));
  const meetings: object[] = [];
  for (const [first, second] of meetingsOf(players, levels.length)) {
    const tally = await meet(players[first], players[second], args);
    tallies[first][second] = tally;
    tallies[second][first] = invertTally(tally);
    const { wins, losses, draws } = tally;
    meetings.push({ first: players[first].name, second: players[second].name, wins, losses, draws });
    process.stdout.write(`${players[first].name} - ${players[second].name}: +${wins} -${losses} =${draws}\n`);
  }

  const ratings = ratingsOnScale(tallies, players, levels.length);
  const measured = levels.map((level, i) => ({ ...level, elo: Math.round(ratings[i].elo) }));
  const anchors = ANCHORS.map(({ elo }, i) => ({
    declared: elo,
    measured: Math.round(ratings[levels.length + i].elo),
  }));
  const provenance = {
    generator: `heft calibrate-elo ${programVersion()}`,
    command: `npm run calibrate-elo -- --games ${args.games} --seed ${args.seed}`,
    bench: benchSignature(),
    weightsHash: weightsHash(loadWeights('shipped')),
    scale: 'the mean of the anchors, Stockfish 15.1 at their UCI_Elo, is what they declare',
    anchors,
    errors: levels.map((_, i) => Math.round(ratings[i].error)),
    meetings,
  };
  for (const [i, player] of players.entries()) {
    const { elo, error } = ratings[i];
    process.stdout.write(`${player.name.padEnd(24)} ${elo.toFixed(0).padStart(5)} +/- ${error.toFixed(0)}\n`);
  }
  if (measured.some(({ elo }, i) => i > 0 && elo <= measured[i - 1].elo)) {
    throw new UserError('a level came out no stronger than the one below: more --games, or other levels, are needed');
  }
  writeFileAtomic(MODULE, render(provenance, measured));
  process.stdout.write(`wrote ${MODULE}\n`);
}

function levelPlayer({ elo, nodes, missed }: Level): Player {
  const options = { UCI_LimitStrength: 'true', UCI_Elo: String(elo) };
  const name = `${nodes} nodes${missed > 0 ? `, ${missed} missed` : ''}`;
  return {
    name,
    elo,
    engine: { spec: { ...ownEngine('shipped'), name, options }, limits: { ...DEFAULT_LIMITS, nodes: 2 * nodes } },
  };
}

function anchorPlayer(command: string, elo: number, depth: number): Player {
  const name = `Stockfish at ${elo}`;
  const words = `cmd="${command}" name="${name}" option.UCI_LimitStrength=true option.UCI_Elo=${elo} depth=${depth}`;
  const { spec, limits } = parseEngine(words);
  return { name, elo, engine: { spec, limits: { ...DEFAULT_LIMITS, ...limits } } };
}

/** Pairs of players by index: each level and the next, each anchor and the two levels it is between by the present table. */
function meetingsOf(players: readonly Player[], levels: number): [number, number][] {
  const meetings: [number, number][] = [];
  for (let i = 1; i < levels; i++) meetings.push([i, i - 1]);
  for (let anchor = levels; anchor < players.length; anchor++) {
    const above = players.slice(0, levels).findIndex(({ elo }) => elo >= players[anchor].elo);
    const at = Math.max(1, above < 0 ? levels - 1 : above);
    meetings.push([at - 1, anchor], [at, anchor]);
  }
  return meetings;
}

async function meet(first: Player, second: Player, { games, seed, workers, out }: Arguments): Promise<Tally> {
  const result = await runMatch({
    engines: [first.engine, second.engine],
    ...DEFAULT_GAMES,
    openings: BOOK,
    plies: 1000,
    maxMoves: MAX_MOVES,
    seed,
    workers,
    games,
    out: join(out, `${first.name} - ${second.name}`.replaceAll(/[ ,]+/g, '-')),
  });
  if (!result.finished) throw new UserError('interrupted: the same command continues');
  const [failure] = result.failures;
  if (failure !== undefined) throw new UserError(`${failure.engine} failed: ${failure.reason}`);
  return { ...result, penta: pentaOf(result.penta) };
}

/**
 * Ratings of the levels from their games with each other alone, of the anchors from theirs with the levels, and all moved so
 * that the anchors' mean is the mean of what they declare.
 */
function ratingsOnScale(tallies: Tally[][], players: readonly Player[], levels: number): Rating[] {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const ladder = ratingsOf(tallies.slice(0, levels).map((row) => row.slice(0, levels)));
  const known = ladder.map(({ elo }) => elo);
  const measured = ratingsOf(tallies, known).slice(levels);
  const by = mean(measured.map(({ elo }, i) => players[levels + i].elo - elo));
  return [...ladder, ...measured].map(({ elo, error }) => ({ elo: elo + by, error }));
}

function render(provenance: object, levels: readonly Level[]): string {
  const json = JSON.stringify(provenance, null, 2).replaceAll('\n', '\n  ');
  const rows = levels.map(({ elo, nodes, missed }) => `    { elo: ${elo}, nodes: ${nodes}, missed: ${missed} },\n`);
  return `// Generated by \`npm run calibrate-elo\`. Nodes and missed are chosen by hand, Elo is measured (see strength.ts). The first and
// the last level are the range of UCI_Elo.

export const STRENGTH = {
  provenance: ${json},
  levels: [
${rows.join('')}  ],
};
`;
}

await runOnly('calibrate-elo', 'measure the levels of UCI_Elo', OPTIONS, calibrate);
