// Checks a PGN file. Counts games (read, used, excluded, faulty), repairs, results, scores and duplicates.

import { noProblems } from '../common/errors.js';
import { halfPointsOf } from '../common/game-result.js';
import { SeenItems } from '../common/seen.js';
import { addCount, thousands } from '../common/wording.js';
import { terminationOf } from '../notation/exclusions.js';
import type { PgnGame } from '../notation/game.js';
import { parseComment } from '../records/comments.js';
import { exclusionOf, PgnFacts, readPgn } from '../records/pgn-reader.js';
import { describeText } from '../text/files.js';
import { type CheckedFile, Examples } from './checked-file.js';
import { listed } from './options.js';

/** Fills in the report on a PGN file. Overwrites the engine's position. */
export async function checkGames(check: CheckedFile): Promise<void> {
  check.kind = 'pgn';
  const problems = noProblems();
  const facts = new PgnFacts();
  const seen = new SeenItems();
  const sample = new Examples();
  const terminations: Record<string, number> = {};
  const scores: Record<string, number> = {};
  let duplicates = 0;
  for await (const game of readPgn(check.file, problems, facts)) {
    check.games++;
    check.plies += game.moves.length;
    sample.offer(() => described(game));
    if (game.variant === '' && seen.add(game.tags.get('FEN') ?? '', game.moves)) duplicates++;
    const kind = scoreKind(game);
    if (kind !== null) addCount(scores, kind);
    const termination = game.tags.get('Termination') ?? '';
    if (!terminationOf(game.tags).isKnown) addCount(terminations, `"${termination.slice(0, 40)}"`);
    const reason = exclusionOf(game);
    if (reason !== null) {
      addCount(check.excluded, reason);
      continue;
    }
    check.used++;
    check.positions += game.moves.length;
    check.addResult((halfPointsOf(game.result) ?? 1) / 2);
  }
  check.games += facts.faulty;
  check.repaired = facts.repairs;
  check.format = ['PGN', ...describeText(facts.text)];
  check.finish(problems, sample, 'games');
  const left = Object.values(check.excluded).reduce((sum, count) => sum + count, 0);
  check.facts = [
    [
      'games',
      `${thousands(check.games)}: ${thousands(check.used)} used (${thousands(check.positions)} plies), ${thousands(left)} left out, ${thousands(facts.faulty)} faulty`,
    ],
    ['excluded', listed(check.excluded)],
    ['repaired', listed(check.repaired)],
    ['results', results(check)],
    ['termination', listed(terminations) && `unknown, games used anyway: ${listed(terminations)}`],
    ['scores', listed(scores) || 'none'],
    ['duplicates', duplicateGames(duplicates)],
  ];
}

/** Returns the number of duplicate games in words; empty for none. */
export const duplicateGames = (count: number): string =>
  count > 0 ? `${thousands(count)} games with the same start and moves as another` : '';

/** Returns the results in words. */
export const results = ({ results: { white, draw, black } }: CheckedFile): string =>
  white + draw + black === 0 ? '' : `White won ${thousands(white)}, drew ${thousands(draw)}, lost ${thousands(black)}`;

const KINDS = { mover: "the mover's scores", white: "White's scores (TCEC)", after: 'lichess evaluations' };

function scoreKind({ comments }: PgnGame): string | null {
  for (const comment of comments) {
    if (comment === '') continue;
    const { score, kind } = parseComment(comment);
    if (score !== null) return `games with ${KINDS[kind]}`;
  }
  return null;
}

function described({ tags, result, moves, line }: PgnGame): string {
  const player = (name: string): string => (tags.get(name) ?? '?').slice(0, 30);
  return `line ${line}: ${player('White')} - ${player('Black')} ${result}, ${moves.length} plies`;
}
