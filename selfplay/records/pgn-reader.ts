// Reads PGN files of any size game by game. A fault is reported by file and line, and reading continues with the next game.

import { addProblem, type Problems, UserError } from '../common/errors.js';
import { type HalfPoints, halfPointsOf, type PgnResult } from '../common/game-result.js';
import { addCount, quoted } from '../common/wording.js';
import { gameEnd, parseFen, STARTPOS, WHITE } from '../notation/board.js';
import type { GameDraft } from '../notation/draft.js';
import { reasonInComment, terminationOf } from '../notation/exclusions.js';
import { type GameFault, isProse, type PgnGame, readGame } from '../notation/game.js';
import { gamesOfLines } from '../notation/move-lines.js';
import { looksLikeMove } from '../notation/moves.js';
import { Scanner } from '../notation/scanner.js';
import { isPositionLine } from '../positions/header.js';
import { describeText, readLineBlocks, TextFacts } from '../text/files.js';
import { parseComment } from './comments.js';
import type { GameKind, ReadReport, SourcedGame } from './game-kind.js';
import { type GameRecord, startFromPosition, UNSCORED } from './record.js';

/** Properties detected in a file; complete after its last game. */
export class PgnFacts {
  readonly text = new TextFacts();
  /** Games that could not be read. */
  faulty = 0;
  readonly repairs: Record<string, number> = {};
}

/**
 * Iterates the games of a file. Games of other variants have no moves. Unreadable games are skipped and reported as problems. Overwrites
 * the engine's position. Throws a UserError if the file cannot be read.
 */
export async function* readPgn(file: string, problems: Problems, facts = new PgnFacts()): AsyncGenerator<PgnGame> {
  const scanner = new Scanner();
  const reader = new DraftReader(file, problems, facts);
  for await (const block of readLineBlocks(file, problems, facts.text)) {
    for (const draft of scanner.push(block).flatMap(gamesOfLines)) {
      const game = reader.read(draft);
      if (game !== null) yield game;
    }
  }
  const last = scanner.finish().flatMap(gamesOfLines);
  for (const [i, draft] of last.entries()) {
    const game = reader.read(draft, i === last.length - 1);
    if (game !== null) yield game;
  }
  reader.finish(scanner);
}

/** Reads the drafts of one file, and counts its faults and repairs. */
class DraftReader {
  private readonly games = { withToken: 0, without: 0 };
  private hasForeign = false;
  /** Lines of text outside games. */
  private junk = 0;

  constructor(
    private readonly file: string,
    private readonly problems: Problems,
    private readonly facts: PgnFacts,
  ) {}

  /** Returns the game, or null if the draft is prose or faulty. `isLast`: the game is the last one, so the file may end within it. */
  read(draft: GameDraft, isLast = false): PgnGame | null {
    const read = readGame(draft);
    if (isProse(draft, read)) {
      this.junk += Math.max(1, draft.text.length);
      return null;
    }
    const { game } = read;
    const isCut = isLast && !game.hasToken && this.endsWithin(draft);
    const what = isCut ? CUT_OFF : contradictionOf(game);
    const fault = read.fault ?? (what === null ? null : { kind: 'result', what, line: draft.line });
    this.games[game.hasToken ? 'withToken' : 'without']++;
    if (fault !== null) {
      this.report(fault);
      return null;
    }
    for (const repair of game.repairs) addCount(this.facts.repairs, repair);
    return game;
  }

  // The file may end within its last game if it is damaged, or if its last line is unterminated and all other games have a result
  private endsWithin({ hasText }: GameDraft): boolean {
    const { withToken, without } = this.games;
    const { isEnded, damage } = this.facts.text;
    return damage !== null || (hasText && !isEnded && withToken > 0 && without === 0);
  }

  /** Reports text outside games. */
  finish({ stray }: Scanner): void {
    const junk = this.junk + stray.lines;
    if (junk > 0) addCount(this.facts.repairs, 'lines outside games', junk);
    const { withToken, without } = this.games;
    if (withToken + without > 0 || stray.first === null) return;
    addProblem(this.problems, this.file, stray.first.line, `${quoted(stray.first.text)} is not a game`);
  }

  private report({ what, line, isForeign }: GameFault): void {
    const note = isForeign === true && !this.hasForeign ? FOREIGN : '';
    this.hasForeign ||= isForeign === true;
    this.facts.faulty++;
    addProblem(this.problems, this.file, line, `${what}${note}`);
  }
}

// The last position is still on the board, unless the game was cut at a null move
function contradictionOf({ variant, repairs, result }: PgnGame): string | null {
  if (variant !== '' || result === '*' || repairs.includes('null move')) return null;
  const end = gameEnd();
  if (end !== 'checkmate' && end !== 'stalemate') return null;
  const lost: PgnResult = startFromPosition().sideToMove === WHITE ? '0-1' : '1-0';
  const isRight = result === (end === 'checkmate' ? lost : '1/2-1/2');
  return isRight ? null : `the game ends in ${end}, but the result is ${result}`;
}

const CUT_OFF = 'the game ends without a result and may be truncated';
const FOREIGN = '; the file uses the piece letters of another language, but only KQRBN and figurines are supported';

// Converts PGN games to records. Scores come from the comments and are stored from White's side, for the position before the move. Games
// whose result does not reflect the positions are excluded.

/** Returns the reason to exclude the game, or null. */
export function exclusionOf(game: PgnGame): string | null {
  if (game.variant !== '') return `variant ${game.variant}`;
  if (game.result === '*') return 'unfinished';
  const reason = terminationOf(game.tags).reason ?? reasonInComment(game.comments.at(-1) ?? '');
  return reason ?? (game.moves.length === 0 ? 'no moves' : null);
}

/** Returns the record of a finished game, and the number of book moves at its start. Overwrites the engine's position. */
function recordOfPgn(game: PgnGame): GameRecord & { bookPlies: number } {
  const result = halfPointsOf(game.result) as HalfPoints;
  parseFen(game.tags.get('FEN') ?? STARTPOS);
  const start = startFromPosition();
  const isWhiteFirst = start.sideToMove === WHITE;
  const scores = new Int16Array(game.moves.length).fill(UNSCORED);
  let bookPlies = 0;
  game.comments.forEach((comment, ply) => {
    if (comment === '') return;
    const { score, kind, isBook } = parseComment(comment);
    if (isBook && bookPlies === ply) bookPlies++;
    if (score === null) return;
    const isWhite = isWhiteFirst === (ply % 2 === 0);
    if (kind === 'after') {
      if (ply + 1 < scores.length) scores[ply + 1] = score;
    } else scores[ply] = kind === 'white' || isWhite || score === 0 ? score : -score;
  });
  return { start, result, moves: Uint16Array.from(game.moves), scores, bookPlies };
}

export const PGN: GameKind = {
  name: 'PGN',
  endings: ['pgn'],
  hasLine: (line) => TAG.test(line) || (!isPositionLine(line) && beginsWithMove(line)),
  read: readPgnGames,
};

const TAG = /^\s*\[\s*[^\s"'[\]{}]+\s*["'\u2018-\u201f]/;

function beginsWithMove(line: string): boolean {
  const [word, next = ''] = line.trim().split(/[\s$(;]+/, 2);
  const isNumbered = /^\d+\./.test(word) || (/^\d+$/.test(word) && (next === '.' || looksLikeMove(next)));
  return isNumbered || looksLikeMove(word) || word.startsWith('{');
}

// Overwrites the engine's position
async function* readPgnGames(file: string, report: ReadReport): AsyncGenerator<SourcedGame> {
  const facts = new PgnFacts();
  const problemsBefore = report.problems.count;
  let index = -1;
  let used = 0;
  const excluded: Record<string, number> = {};
  for await (const game of readPgn(file, report.problems, facts)) {
    index++;
    const { isKnown } = terminationOf(game.tags);
    if (!isKnown) addCount(report.terminations, game.tags.get('Termination') ?? '');
    const reason = exclusionOf(game);
    if (reason !== null) {
      addCount(report.excluded, reason);
      addCount(excluded, reason);
      continue;
    }
    report.games++;
    used++;
    yield { ...recordOfPgn(game), file, index, tags: game.tags };
  }
  addCount(report.formats, ['PGN', ...describeText(facts.text)].join(', '));
  if (index < 0 && report.problems.count === problemsBefore) addProblem(report.problems, file, 1, noGame(file));
  for (const [kind, count] of Object.entries(facts.repairs)) addCount(report.repairs, kind, count);
  if (used === 0 && index >= 0)
    throw new UserError(`${file}: none of its ${index + 1} games is usable (${reasons(excluded)})`);
}

// A JSON object that spans several lines begins like a PGN comment
const noGame = (file: string): string =>
  /\.jsonl?(?:\.\w+)?$/i.test(file) ? 'no positions; write one JSON object per line, as jq -c does' : 'no games';

const reasons = (excluded: Readonly<Record<string, number>>): string =>
  Object.entries(excluded)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
