// npm run calibrate-elo: measures the levels of UCI_Elo and writes engine/strength/levels.ts. Each level plays against the two players
// closest to its current Elo: other levels, or anchors of known Elo. Run the command again when the engine becomes stronger, or if a level
// has overtaken another player.

import '../engine/kernel-node.js';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STRENGTH } from '../engine/strength/levels.js';
import type { Level } from '../engine/strength/strength.js';
import { benchSignature } from '../selfplay/common/bench-signature.js';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { writeFileAtomic } from '../selfplay/common/files.js';
import { type SettingsOf, text, whole } from '../selfplay/common/options.js';
import { programVersion, projectFile } from '../selfplay/common/program.js';
import { compactJson } from '../selfplay/common/run-files.js';
import { loadWeights, weightsHash } from '../selfplay/common/weights.js';
import { ownEngine } from '../selfplay/engines/spec.js';
import { DEFAULT_LIMITS } from '../selfplay/series/game-settings.js';
import type { Competitor } from '../selfplay/series/settings.js';
import { ratingsOf } from '../selfplay/statistics/ratings.js';
import { EMPTY_TALLY, invertTally, pentaOf, type Tally } from '../selfplay/statistics/tally.js';
import { countsText, playStudyMatch, studyOptions } from './study-match.js';

const MODULE = fileURLToPath(projectFile('engine/strength/levels.ts'));

/**
 * The Elo of Stockfish's skill levels from 0 up on CCRL's Blitz scale, measured in games against versions of Stash that are rated there
 * (github.com/official-stockfish/Stockfish/pull/4341). From Stockfish 16 on, UCI_Elo uses this scale. Skill levels above 8 take too long,
 * so stronger levels of Heft are measured against each other.
 */
const SKILLS = [1320, 1468, 1608, 1742, 1923, 2204, 2363, 2500, 2596];

/** Moves per side after which a game is drawn, because weak levels cannot mate. */
const MAX_MOVES = 200;

/** A player: a level with its current Elo, or an anchor with its known Elo. */
interface Player {
  name: string;
  engine: Competitor;
  elo: number;
}

const OPTIONS = {
  games: whole('games per pairing; each level has at least two pairings', { min: 2, even: true, default: 100 }),
  stockfish: text('executable of Stockfish 15.1', { default: '/usr/games/stockfish' }),
  ...studyOptions('calibrate-elo'),
};

type Arguments = SettingsOf<typeof OPTIONS>;

async function calibrate(args: Arguments): Promise<void> {
  const levels: readonly Level[] = STRENGTH.levels;
  const anchors = SKILLS.map((elo, skill) => skillPlayer(args.stockfish, elo, skill));
  const players = [...levels.map(levelPlayer), ...anchors];
  const tallies = players.map(() => players.map(() => EMPTY_TALLY));
  const meetings: string[] = [];
  for (const [first, second] of meetingsOf(players, levels.length)) {
    const tally = await meet(players[first], players[second], args);
    tallies[first][second] = tally;
    tallies[second][first] = invertTally(tally);
    const meeting = `${players[first].name} - ${players[second].name}: ${countsText(tally)}`;
    meetings.push(meeting);
    process.stdout.write(`${meeting}\n`);
  }

  const known = players.map(({ elo }, i) => (i < levels.length ? undefined : elo));
  const ratings = ratingsOf(tallies, known).slice(0, levels.length);
  const measured = levels.map((level, i) => ({ ...level, elo: Math.round(ratings[i].elo) }));
  const provenance = {
    generator: `heft calibrate-elo ${programVersion()}`,
    command: `npm run calibrate-elo -- --games ${args.games} --seed ${args.seed}`,
    bench: benchSignature(),
    weightsHash: weightsHash(loadWeights('shipped')),
    scale: 'CCRL Blitz',
    anchors: anchors.map(({ name, elo }) => ({ name, elo })),
    errors: ratings.map(({ error }) => Math.round(error)),
    meetings,
  };
  for (const [i, { elo, error }] of ratings.entries()) {
    process.stdout.write(`${players[i].name.padEnd(24)} ${elo.toFixed(0).padStart(5)} +/- ${error.toFixed(0)}\n`);
  }
  if (measured.some(({ elo }, i) => i > 0 && elo <= measured[i - 1].elo)) {
    throw new UserError('a level is not stronger than the one below; raise --games or choose other levels');
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

/** Returns an anchor. At a skill level, Stockfish picks its move at depth `1 + skill`, so a deeper search would be wasted. */
function skillPlayer(command: string, elo: number, skill: number): Player {
  const name = `Stockfish 15.1 at skill level ${skill}`;
  const spec = { name, command, args: [], options: { 'Skill Level': String(skill) } };
  return { name, elo, engine: { spec, limits: { ...DEFAULT_LIMITS, depth: skill + 1 } } };
}

/** Returns the pairs of players by index, without duplicates: every level with the two players nearest to its current Elo. */
function meetingsOf(players: readonly Player[], levels: number): [number, number][] {
  const meetings = new Map<string, [number, number]>();
  for (let level = 0; level < levels; level++) {
    const distance = (other: number): number => Math.abs(players[other].elo - players[level].elo);
    const others = players.map((_, i) => i).filter((i) => i !== level);
    for (const other of others.sort((a, b) => distance(a) - distance(b)).slice(0, 2)) {
      const pair: [number, number] = level < other ? [level, other] : [other, level];
      meetings.set(`${pair}`, pair);
    }
  }
  return [...meetings.values()];
}

async function meet(first: Player, second: Player, { games, seed, workers, out }: Arguments): Promise<Tally> {
  const result = await playStudyMatch({
    engines: [first.engine, second.engine],
    plies: 1000,
    maxMoves: MAX_MOVES,
    seed,
    workers,
    games,
    out: join(out, `${first.name} - ${second.name}`.replaceAll(/[ ,]+/g, '-')),
  });
  return { ...result, penta: pentaOf(result.penta) };
}

function render(provenance: object, levels: readonly Level[]): string {
  const rows = levels.map(({ elo, nodes, missed }) => `    { elo: ${elo}, nodes: ${nodes}, missed: ${missed} },\n`);
  return `// Generated by \`npm run calibrate-elo\`. \`nodes\` and \`missed\` (see strength.ts) are chosen by hand, and \`elo\` is measured. The first and
// last levels are the minimum and maximum of UCI_Elo.

export const STRENGTH = {
  provenance: ${compactJson(provenance, '  ')},
  levels: [
${rows.join('')}  ],
};
`;
}

await runOnly('calibrate-elo', 'measure the levels of UCI_Elo', OPTIONS, calibrate);
