// Plays the words of a draft on the board. Every move must be legal. A fault is reported with its word, and the caller decides how to
// handle it.

import { type PgnResult, parseResult } from '../common/game-result.js';
import { quoted } from '../common/wording.js';
import { AMBIGUOUS, advanceGame, faultOfFen, NO_MOVE, STARTPOS } from './board.js';
import { mendBraces } from './braces.js';
import type { GameDraft } from './draft.js';
import { variantOf } from './exclusions.js';
import { glyphOf, isMark, isNullMove, splitTail } from './marks.js';
import { hasMove, isCastling, looksCutOff, looksForeign, looksLikeMove, moveOf } from './moves.js';
import { Scanner } from './scanner.js';
import type { Tags } from './tags.js';

export interface PgnGame {
  tags: Tags;
  /** The legal moves from the start, up to a null move or a fault. */
  moves: Move[];
  /** The joined comments after each move; may be empty. */
  comments: string[];
  /** NAGs ($1 …) after a move, by ply, including those of `!`, `±` and similar. */
  glyphs: Map<number, number[]>;
  result: PgnResult;
  /** Whether the result is in the movetext, not only in the tag. */
  hasToken: boolean;
  /** Unsupported variant, whose moves are not played; empty for chess and Chess960. */
  variant: string;
  /** Repairs by kind. */
  repairs: string[];
  /** First line of the game. */
  line: number;
}

export interface GameFault {
  /** Location: a move, the start position, the result, or the text. */
  kind: 'move' | 'start' | 'result' | 'text';
  what: string;
  line: number;
  /** Whether a word has the piece letters of another language. */
  isForeign?: boolean;
}

/** The game, up to the fault if there is one. */
export interface ReadGame {
  game: PgnGame;
  fault: GameFault | null;
}

/** Returns whether the draft is prose: no tag, no move and no result. */
export function isProse(draft: GameDraft, { game }: ReadGame): boolean {
  return draft.tags.size === 0 && draft.result === null && game.moves.length === 0 && draft.fault === null;
}

/** Plays a draft on the board and returns the game; a faulty one is read again with the comment rules of match runners. */
export function readGame(draft: GameDraft): ReadGame {
  const first = new Player(draft).play();
  const hasComments = draft.comments.length > 0 || draft.repairs.length > 0;
  if (first.fault === null || draft.fault !== null || !hasComments) return first;
  const mended = mendBraces(draft.text.join('\n'));
  if (mended === null) return first;
  const again = Scanner.movetextOf(mended.split('\n'), draft.textLine);
  if (again === undefined) return first;
  const second = new Player({ ...again, tags: draft.tags, line: draft.line }).play();
  // A repair must not hide part of the game
  if (second.fault !== null || again.repairs.length > draft.repairs.length) return first;
  if (second.game.moves.length < first.game.moves.length) return first;
  second.game.repairs.push('braces in a comment');
  return second;
}

class Player {
  private readonly game: PgnGame;
  private fault: GameFault | null;
  /** The first unknown word. It is harmless if no move follows. */
  private unknown: { word: string; line: number; isExpected: boolean } | null = null;
  /** Whether the last word was a move number. */
  private isNumbered = false;
  private nextComment = 0;

  constructor(private readonly draft: GameDraft) {
    const { tags, line, repairs } = draft;
    const variant = variantOf(tags);
    const end = { result: '*' as PgnResult, hasToken: false };
    this.game = { tags, moves: [], comments: [], glyphs: new Map(), ...end, variant, repairs: [...repairs], line };
    this.fault = draft.fault === null ? null : { kind: 'text', ...draft.fault };
  }

  play(): ReadGame {
    const { game } = this;
    if (this.fault === null && game.variant === '') this.playWords();
    this.findResult();
    return { game, fault: this.fault };
  }

  private playWords(): void {
    const { draft } = this;
    const isMissing = draft.tags.get('SetUp')?.trim() === '1' && !draft.tags.has('FEN');
    const fault = isMissing ? MISSING_FEN : faultOfFen(draft.tags.get('FEN') ?? STARTPOS);
    if (fault !== null) {
      this.fault = { kind: 'start', what: `invalid FEN tag: ${fault}`, line: draft.line };
      return;
    }
    const { words, wordLines } = draft;
    for (let i = 0; i < words.length && this.fault === null; i++) {
      this.takeComments(i);
      if (!this.playWord(words[i], wordLines[i])) return;
    }
    this.takeComments(words.length);
    this.judgeUnknown();
  }

  /** Plays a word; returns false at a null move, which ends the usable part. */
  private playWord(whole: string, line: number): boolean {
    let word = whole;
    const first = word.charCodeAt(0);
    if (first >= 48 && first <= 57) {
      if (isNullMove(word)) return this.cut();
      if (!isCastling(word)) word = word.replace(NUMBER, '');
      if (word !== whole) this.isNumbered = true;
      if (word === '') return true;
    } else if (first === 36) {
      this.addGlyph(Number(word.slice(1)));
      return true;
    }
    const move = moveOf(word);
    if (move > NO_MOVE) this.playMove(move, word);
    else if (isNullMove(word)) return this.cut();
    else if (isMark(word) && !this.isCutPiece(word)) this.addGlyph(glyphOf(word));
    else this.refuse(word, line, move === AMBIGUOUS);
    return true;
  }

  private playMove(move: Move, word: string): void {
    const { game } = this;
    if (this.unknown !== null) return this.blame(this.unknown.word, this.unknown.line);
    advanceGame(move);
    game.moves.push(move);
    game.comments.push('');
    this.isNumbered = false;
    const last = word.charCodeAt(word.length - 1);
    // Most moves end in a rank, a piece letter or the O of castling
    if ((last >= 48 && last <= 57) || (last >= 65 && last <= 90)) return;
    this.addGlyph(glyphOf(splitTail(word).tail.replace(/^[+#]+(?=[!?])/, '')));
  }

  // After a move number, a final piece letter is an incomplete move
  private isCutPiece(word: string): boolean {
    return this.isNumbered && this.draft.result === null && looksCutOff(word);
  }

  private addGlyph(glyph: number | null): void {
    const { glyphs, moves } = this.game;
    if (glyph === null || moves.length === 0 || !(glyph >= 0 && glyph <= 255)) return;
    const known = glyphs.get(moves.length - 1);
    if (known === undefined) glyphs.set(moves.length - 1, [glyph]);
    else known.push(glyph);
  }

  private refuse(word: string, line: number, isAmbiguous: boolean): void {
    if (this.playParts(word, line)) return;
    if (isAmbiguous || looksLikeMove(word) || looksForeign(word)) {
      const { word: first, line: at } = this.unknown ?? { word, line };
      return this.blame(first, at, first === word && isAmbiguous);
    }
    this.unknown ??= { word, line, isExpected: this.isNumbered };
    this.isNumbered = false;
  }

  private blame(word: string, line: number, isAmbiguous = false): void {
    // A double forfeit ends in 0-0
    const isResult = word === this.draft.tags.get('Result')?.trim();
    const illegal = isResult ? 'is not a result' : 'is not a legal move here';
    const what = isAmbiguous ? 'fits several moves here' : illegal;
    this.fault = { kind: 'move', what: `${quoted(word)} ${what}`, line, isForeign: looksForeign(word) };
  }

  // `e4...e5` is two words, and `...e5` is one
  private playParts(word: string, line: number): boolean {
    const parts = word.replace(/^(?:\.+|…)/, '').split(DOTS);
    if (parts[0] === word || parts.length > 4 || parts.includes('')) return false;
    for (const part of parts) if (this.fault === null) this.playWord(part, line);
    return true;
  }

  // Only the moves before a null move are usable
  private cut(): boolean {
    this.game.repairs.push('null move');
    return false;
  }

  private takeComments(words: number): void {
    const { commentsAt, comments } = this.draft;
    for (; this.nextComment < comments.length && commentsAt[this.nextComment] <= words; this.nextComment++) {
      const ply = this.game.moves.length - 1;
      if (ply < 0) continue;
      const before = this.game.comments[ply];
      const comment = comments[this.nextComment];
      this.game.comments[ply] = before === '' ? comment : `${before} ${comment}`;
    }
  }

  // An unknown word counts as a comment if no move follows it, unless a move is due
  private judgeUnknown(): void {
    const { unknown, draft, game } = this;
    if (unknown === null || this.fault !== null) return;
    const { word, line, isExpected } = unknown;
    const isPlainWord = /^\p{L}{4,}[.,!?]*$/u.test(word);
    const isCut = draft.result === null && looksCutOff(word);
    if (isCut || hasMove(word) || (isExpected && !isPlainWord) || game.moves.length === 0) {
      this.blame(word, line);
    } else game.repairs.push('words after the last move');
  }

  private findResult(): void {
    const { draft, game } = this;
    const tag = draft.tags.get('Result');
    const tagged = tag === undefined ? null : parseResult(tag);
    const token = draft.result ?? this.bracedResult();
    game.hasToken = token !== null;
    // An asterisk does not contradict the Result tag; it means that the result was still unknown
    const isOpen = token === '*' && tagged !== null && tagged !== '*';
    game.result = isOpen ? tagged : (token ?? tagged ?? '*');
    const report = (what: string, line: number): void => {
      this.fault ??= { kind: 'result', what, line };
    };
    if (token !== null && draft.second !== null && draft.second !== token) {
      report(`a second result, ${draft.second} after ${token}`, draft.resultLine);
    } else if (isOpen || (tagged === '*' && token !== null && token !== '*')) {
      game.repairs.push(isOpen ? 'result from the tag' : 'result from the moves');
    } else if (token !== null && tagged !== null && token !== tagged) {
      report(`the Result tag is ${tagged}, but the moves end in ${token}`, draft.line);
    } else if (token === null && tagged === null && draft.hasText && !/^[\s?]*$/.test(tag ?? '')) {
      report(`${quoted(tag ?? '')} is not a result`, draft.line);
    } else if (token === null && tagged === null && draft.hasText) {
      game.repairs.push('no result, read as unfinished');
    } else if (token === null && draft.hasText) game.repairs.push('result from the tag');
  }

  // Some programs write the result in braces at the end
  private bracedResult(): PgnResult | null {
    const { comments, commentsAt, words } = this.draft;
    const isLast = comments.length > 0 && commentsAt[commentsAt.length - 1] === words.length;
    return isLast ? parseResult(comments[comments.length - 1]) : null;
  }
}

const MISSING_FEN = 'missing, although the tag SetUp is 1';
const DOTS = /\.{2,}|…/;
const NUMBER = /^\d+(?:[.…:]+|$)|^\d+(?=[a-hKQRBNO])/;
