// Variations on faults from public bug reports: other examples of the same rules.

import { describe, expect, test } from 'vitest';
import { parseResult } from '../../../selfplay/common/game-result.js';
import { terminationOf, variantOf } from '../../../selfplay/notation/exclusions.js';
import { isProse, readGame } from '../../../selfplay/notation/game.js';
import { gamesOfLines } from '../../../selfplay/notation/move-lines.js';
import { exclusionOf } from '../../../selfplay/records/pgn-reader.js';
import { draftsOf, readMovetext } from '../../support/movetext.js';

/** Returns the games of a text: number of plies and result, or the fault. */
function gamesOf(text: string): string[] {
  return draftsOf(text).flatMap((draft) => {
    const read = readGame(draft);
    if (isProse(draft, read)) return [];
    const { game, fault } = read;
    return [fault === null ? `${game.moves.length} ${game.result}` : `${fault.line}: ${fault.what}`];
  });
}

const HEADER = '[Event "x"]\n[Result "1-0"]\n\n';

describe('comments', () => {
  test.each([
    ['= after one', '1. e4 {x} = e5 2. Nf3 1-0', '3 1-0'],
    ['N after one', '1. e4 {x} N e5 2. Nf3 1-0', '3 1-0'],
    ['a glyph after one', '1. e4 {x} e5$1 2. Nf3 1-0', '3 1-0'],
    ['a line comment after a move', '1. e4 {x} e5; {odd\n2. Nf3 1-0', '3 1-0'],
    ['a variation that ends after one', '1. e4 (1. d4 {x}) 1... e5 1-0', '2 1-0'],
    ['a result after one', '1. e4 e5 {x} 1-0', '2 1-0'],
    ['at the start', '{x} 1. e4 e5 1-0', '2 1-0'],
    ['at both ends of a variation', '1. e4 ({x} 1. d4 {y}) 1... e5 1-0', '2 1-0'],
    ['two in a row', '1. e4 {x} {y} e5 1-0', '2 1-0'],
    ['a stray brace', '1. e4 } e5 1-0', '2 1-0'],
    ['a brace in an engine’s line', '1. e4 {+0.1/5 1s, pv="} or {"} e5 2. Nf3 1-0', '3 1-0'],
    ['over several lines', '1. e4 {x\n[Site "y"]\n\n1. d4 1-0} e5 1-0', '2 1-0'],
    ['with results inside', '1. e4 {1-0 is likely} e5 1-0', '2 1-0'],
  ])('a comment is skipped: %s', (_, movetext, expected) => {
    expect(gamesOf(HEADER + movetext)).toEqual([expected]);
  });

  test('an unclosed comment ends at the next Event tag', () => {
    expect(gamesOf(`${HEADER}1. e4 {x e5\n\n${HEADER}1. d4 {y} d5 1-0`)).toEqual(['1 1-0', '2 1-0']);
    expect(gamesOf(`${HEADER}1. e4 {x e5\n\n${HEADER}1. d4 d5 1-0\n${HEADER}1. c4 1-0`)).toEqual([
      '1 1-0',
      '2 1-0',
      '1 1-0',
    ]);
    expect(readGame(draftsOf(`${HEADER}1. e4 {x e5`)[0]!).game.repairs).toContain('unterminated comment');
  });

  test.each(['Site', 'White'])('an unclosed comment ends at a header that begins with %s', (name) => {
    const header = `[${name} "x"]\n[Result "1-0"]\n\n`;
    expect(gamesOf(`${header}1. e4 {x e5\n\n${header}1. d4 d5 1-0\n${header}1. c4 {y} 1-0`)).toEqual([
      '1 1-0',
      '2 1-0',
      '1 1-0',
    ]);
  });

  test.each(['...e5', '... e5', '… e5', '1...e5'])('movetext may begin with Black to move: %s', (first) => {
    const header = '[Event "x"]\n[FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"]\n[Result "1-0"]\n\n';
    expect(gamesOf(`${header}${first} 2. e4 1-0`)).toEqual(['2 1-0']);
  });

  test('an Event line quoted in a comment does not end the game', () => {
    expect(gamesOf(`${HEADER}1. e4 {see\n[Event "y"]\n[Result "0-1"]\n1. d4} e5 1-0`)).toEqual(['2 1-0']);
  });

  test('braces inside a comment are repaired and reported', () => {
    const text = `${HEADER}1. e4 {a} e5 2. Ke3 (2. Nf3 {b} Nc6) {c} 2... d6 1-0`;
    expect(gamesOf(text)).toEqual(["4: 'Ke3' is not a legal move here"]);
    const { game } = readGame(draftsOf(`${HEADER}1. e4 {a } b {c} d} e5 2. Nf3 1-0`)[0]!);
    expect([game.moves.length, game.repairs]).toEqual([3, ['braces in a comment']]);
  });
});

describe('tags', () => {
  const FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1';
  test.each([
    ['in lower case', `[Event "x"]\n[fen "${FEN}"]\n\n`],
    ['two per line', `[Event "x"] [FEN "${FEN}"]\n\n`],
    ['with moves on the same line', `[Event "x"]\n[FEN "${FEN}"] `],
    ['after a junk line', `[Event "x"]\nNice game by the way\n[FEN "${FEN}"]\n\n`],
    ['with blank lines between', `[Event "x"]\n\n[Site "y"]\n\n[FEN "${FEN}"]\n\n`],
    ['without a blank before the value', `[Event"x"]\n[FEN"${FEN}"]\n\n`],
    ['with single quotes', `[Event 'x']\n[FEN '${FEN}']\n\n`],
    ['with curly quotes', `[Event “x”]\n[FEN “${FEN}”]\n\n`],
    ['without quotes', `[Event x]\n[FEN ${FEN}]\n\n`],
    ['indented', `  [Event "x"]\n  [FEN "${FEN}"]\n\n`],
    ['with blanks inside', `[ Event "x" ]\n[ FEN  "${FEN}" ]\n\n`],
    ['with other names', `[Event "x"]\n[White-Team "A"]\n[X.Y "z"]\n[FEN "${FEN}"]\n\n`],
    ['with escaped quotes', `[Event "a \\"b\\" c"]\n[FEN "${FEN}"]\n\n`],
    ['with plain quotes inside', `[Event "a "b" c"]\n[FEN "${FEN}"]\n\n`],
    ['over two lines', `[Event "a\nb"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR\nw KQkq - 0 1"]\n\n`],
    ['with Event twice', `[Event "x"]\n[Event "y"]\n[FEN "${FEN}"]\n\n`],
    ['with Event twice, the first without moves', `[Event "x"]\n[FEN "${FEN}"]\n[Event "y"]\n\n`],
    ['without Event', `[FEN "${FEN}"]\n\n`],
    ['after a comment', `[Event "x"]\n{a note}\n[FEN "${FEN}"]\n\n`],
    ['after a line comment', `[Event "x"]\n; a note\n[FEN "${FEN}"]\n\n`],
    ['without a closing bracket', `[Event "x"\n[FEN "${FEN}"\n\n`],
  ])('the FEN is read from tags %s', (_, header) => {
    const [draft, ...more] = draftsOf(`${header}1. e4 e5 1-0`);
    expect(more).toEqual([]);
    expect(draft!.tags.get('FEN')).toBe(FEN);
    expect(readGame(draft!)).toMatchObject({ fault: null, game: { result: '1-0', moves: { length: 2 } } });
  });

  test.each(['', '?', '-', 'startpos'])('the FEN tag %j means the start position', (fen) => {
    expect(gamesOf(`[Event "x"]\n[FEN "${fen}"]\n\n1. e4 e5 1-0`)).toEqual(['2 1-0']);
  });

  test('the first value of a repeated tag is used', () => {
    expect(draftsOf('[Event "x"]\n[Event "y"]\n\n1. e4 1-0')[0]!.tags.get('Event')).toBe('x');
  });

  test('headers without moves are separate games', () => {
    expect(gamesOf(`${HEADER}${HEADER}1. e4 1-0`)).toEqual(['0 1-0', '1 1-0']);
    const pair = '[Event "x"]\n[White "a"]\n[Result "0-1"]\n[Event "y"]\n[White "b"]\n[Result "1-0"]\n\n1. e4 1-0';
    expect(draftsOf(pair).map(({ tags }) => [...tags.values()].join(' '))).toEqual(['x a 0-1', 'y b 1-0']);
  });

  test('no blank line is needed between games', () => {
    expect(gamesOf('[Event "x"]\n1. e4 e5 1-0\n[Event "y"]\n1. d4 0-1')).toEqual(['2 1-0', '1 0-1']);
    expect(gamesOf('[Event "x"]\n1. e4 e5 1-0 [Event "y"] 1. d4 0-1')).toEqual(['2 1-0', '1 0-1']);
  });
});

describe('results', () => {
  test.each([
    [`${HEADER}1. e4 e5`, ['2 1-0']],
    ['[Event "x"]\n[Result "1/2"]\n\n1. e4 e5 1/2-1/2', ['2 1/2-1/2']],
    ['[Event "x"]\n[Result "1:0"]\n\n1. e4 e5 1-0', ['2 1-0']],
    ['[Event "x"]\n[Result "1–0"]\n\n1. e4 e5 1-0', ['2 1-0']],
    ['[Event "x"]\n[Result " 1-0 "]\n\n1. e4 e5 1-0', ['2 1-0']],
    ['[Event "x"]\n[Result "½-½"]\n\n1. e4 e5 ½-½', ['2 1/2-1/2']],
    ['[Event "x"]\n\n1. e4 e5 1 - 0', ['2 1-0']],
    ['[Event "x"]\n\n1. e4 e5 0–1', ['2 0-1']],
    ['[Event "x"]\n\n1. e4 e5 {0-1}', ['2 0-1']],
    ['[Event "x"]\n\n1. e4 {0-1} e5', ['2 *']],
    ['[Event "x"]\n[Result "0-1"]\n\n1. e4 e5 1-0', ['1: the Result tag is 0-1, but the moves end in 1-0']],
    ['[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 *', ['2 1-0']],
    ['[Event "x"]\n[Result "*"]\n\n1. e4 e5 0-1', ['2 0-1']],
    ['[Event "x"]\n[Result "*"]\n\n1. e4 e5 *', ['2 *']],
    ['1. f3 e5 2. g4 Qh4#0-1\n1. e4 e5*', ['4 0-1', '2 *']],
    ['1. e4 e5 2. Rd1-0', ["1: 'Rd1-0' is not a legal move here"]],
    ['1. e4 e5 1-0.\n\n1. d4 ½-½.', ['2 1-0', '1 1/2-1/2']],
    [`${HEADER}1. e4 e52.Nf3 1-0`, ["4: 'e52.Nf3' is not a legal move here"]],
    [`${HEADER}1. e4 d5 2. exd Qxd 1-0`, ["4: 'Qxd' is not a legal move here"]],
    ['[Event "x"]\n[Result "?"]\n\n1. e4 e5 1-0', ['2 1-0']],
    [`${HEADER}1. e3 e6 2. ee 1-0`, ["4: 'ee' is not a legal move here"]],
    [`${HEADER}1. e4 e5 2. N`, ["4: 'N' is not a legal move here"]],
    [`${HEADER}1. e4 e5 2. Nf`, ["4: 'Nf' is not a legal move here"]],
    [`${HEADER}1. e4 e5 2. O-`, ["4: 'O-' is not a legal move here"]],
    [`${HEADER}1. e4 (1. d4 1-0) e5 1-0`, ['2 1-0']],
    [`${HEADER}1. e4 e5 1-0 and White won\nby the way`, ['2 1-0']],
    [`${HEADER}1. e4 e5 1-0\n\n-- \nJohn Doe, 1. Street 5`, ['2 1-0']],
    ['1. e4 e5 1-0 1. d4 d5 0-1 1. c4 *', ['2 1-0', '2 0-1', '1 *']],
    ['1.e4 e5 1-0\n1.d4 d5 0-1\n', ['2 1-0', '2 0-1']],
    ['e2e4 e7e5 1-0\nd2d4 0-1\n', ['2 1-0', '1 0-1']],
    ['[Event "x"]\n\n1. e4 e5', ['2 *']],
    ['1. e4 e5\n', ['2 *']],
    ['[pgn]1. e4 e5 1-0[/pgn]', ['2 1-0']],
    [`${HEADER}1. e4 e5 White resigns 1-0`, ['2 1-0']],
    [`${HEADER}1. e4 e5 2. Ke3 1-0`, ["4: 'Ke3' is not a legal move here"]],
    [`${HEADER}1. e4 e5 (2. Nf3 Nc6 1-0`, ['2 1-0']],
    ['1. e4 Nf6 2. Be2 Ng8 3. Bf1N Nf6 4. Be2 Rg8N 1-0', ['8 1-0']],
    ['[FEN "k7/4P3/8/8/8/8/8/K7 w - - 0 1"]\n\n1. e8N Kb8 1-0', ['2 1-0']],
    ['[FEN "k3n3/4P3/8/8/8/8/8/K7 w - - 0 1"]\n\n1. e8N Kb8 1-0', ["3: 'e8N' is not a legal move here"]],
    ['[Event "x"]\n[Result "0-0"]\n\n1. e4 e5 0-0', ["4: '0-0' is not a result"]],
    ['[Event "x"]\n[Result "won"]\n\n1. e4', ["1: 'won' is not a result"]],
  ])('the games and results of %j are read', (text, games) => {
    expect(gamesOf(text)).toEqual(games);
  });

  test('a result in the tag or in the moves overrides an asterisk, and the repair is reported', () => {
    const repairs = (tag: string, token: string): readonly string[] =>
      readGame(draftsOf(`[Result "${tag}"]\n\n1. e4 ${token}`)[0]!).game.repairs;
    expect(repairs('1-0', '*')).toEqual(['result from the tag']);
    expect(repairs('*', '1-0')).toEqual(['result from the moves']);
  });

  test.each([
    ['1. e4 e5\n\n1. d4 d5\n\n1. c4 c5\n', ['2 *', '2 *', '2 *']],
    ['1.e4 e5 2.Nf3\n1 d4 d5\n', ['3 *', '2 *']],
    ['1. e4\n(1. d4 d5)\n1. ... e5 1-0', ['2 1-0']],
    ['1. e4 (1. d4\n1. c4) 1... e5 1-0', ['2 1-0']],
    ['1. e4 e5 2. Nf3\nNc6 3. Bb5', ['5 *']],
    ['1. e4 e5\n1 - 0\n1. d4 1/2', ['2 1-0', '1 1/2-1/2']],
    ['e2e4 e7e5\ne2e4 c7c5 g1f3\n', ['2 *', '3 *']],
    ['d4 d5\nc4 e6\n', ['4 *']],
    ['e4 e5 Nf3\nd4 d5\n', ['3 *', '2 *']],
    ['e4 e5 Nf3\nNc6 Bb5\n', ['5 *']],
    ['e2e4 e7e5\nd2d4 d7d5\nc2c4 d7d8\ng2g3 g7g6\n', ['2 *', '2 *', '1 *', '2 *']],
    ['{x} d4 d5 1-0\n{y} {z} Pe4 1/2\n{x\ny} c4 0-1', ['2 1-0', '1 1/2-1/2', '1 0-1']],
    ['1 . d4 d5 1-0\n1 e4 e5 0-1', ['2 1-0', '2 0-1']],
  ])('games without tags are separated in %j', (text, games) => {
    expect(
      draftsOf(text)
        .flatMap(gamesOfLines)
        .map((draft) => readGame(draft).game),
    ).toMatchObject(games.map((game) => ({ moves: { length: Number(game[0]) }, result: game.slice(2) })));
  });

  test('common spellings of a result are accepted, and other text is rejected', () => {
    expect(['1-0', '1–0', '1:0', '1 - 0', ' 0-1 ', '1/2', '½', '1/2–1/2', '*'].map(parseResult)).toEqual([
      '1-0',
      '1-0',
      '1-0',
      '1-0',
      '0-1',
      '1/2-1/2',
      '1/2-1/2',
      '1/2-1/2',
      '*',
    ]);
    expect(['', '1', '0', '0-0', '1-1', '10', '1-0-0', 'x'].map(parseResult)).toEqual(new Array(8).fill(null));
  });
});

describe('move notation', () => {
  test.each([
    '1. e4 1. ... e5 2 . Nf3 2 ... Nc6',
    '1.e4 e5 2.Nf3 Nc6',
    '1. e4... e5 2. Nf3,Nc6',
    '1. e4,e5 2. Nf3 Nc6',
    '1… e4 e5 2… Nf3 Nc6',
    'e4 e5 Nf3 Nc6',
    '1. Pe4 Pe5 2. ♘f3 ♞c6',
    '1. e2e4 e7e5 2. g1f3 b8c6',
    '1. e2-e4 e7–e5 2. Ng1-f3 Nb8‑c6',
    '1. e4∓ e5⩲ 2. Nf3± Nc6=',
    '1. e4 ± e5 TN 2. Nf3 D Nc6 □',
    '1. e4!? $5 e5?! $10 $146 2. Nf3 +/- Nc6 -+',
    '1.e4 e5 2.Nf3 ⊕ Nc6 ∞ RR',
    '(1. d4) 1. e4 (1. -- e5) e5 2. Nf3 (2. Z0) Nc6',
    '1) e4 e5 2: Nf3 Nc6',
    '1. e4N e5TN 2. Nf3D Nc6N',
    '1. e4 ch= e5 mate!! 2. Nf3 Nc6',
    '1. e4 dbl. ch e5 dis. ch. 2. Nf3: Nc6:',
  ])('move numbers and annotations are skipped in %s', (movetext) => {
    const { game, fault } = readMovetext(`${movetext} *`);
    expect(fault).toBeNull();
    expect(game.moves).toEqual(readMovetext('e4 e5 Nf3 Nc6 *').game.moves);
  });

  test.each([
    [
      '1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Bd7',
      ['bxa8=Q', 'bxa8Q', 'bxa8(Q)', 'bxa8=(Q)', 'bxa8/Q', 'bxa8=q', 'b:a8=Q', 'ba8Q', 'b7xa8=Q+', 'b7a8q'],
    ],
    [
      '1. e4 d5 2. e5 f5',
      ['exf6', 'ef', 'ef6:', 'exf6N', 'exf6ep', 'exf6 e.p.', 'exf6e.p.', 'ef6', 'e:f6', 'e5f6', 'exf', 'PxP'],
    ],
    [
      '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5',
      ['O-O', '0-0', 'o-o', 'OO', '00', 'O‑O', 'O–O', 'e1g1', 'O-O!?', 'Ke1g1', 'e1h1'],
    ],
    [
      '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6',
      ['Qxf7#', 'Qxf7++', 'Qxf7mate', 'Qxf7 mate', 'Qxf7 #', 'Q:f7+', 'Qf7', 'Qh5xf7 ch'],
    ],
  ])('after %s, all spellings of a move are equivalent', (moves, forms) => {
    const [first] = forms;
    const wanted = readMovetext(`${moves} ${first} *`).game.moves;
    for (const form of forms) {
      const { game, fault } = readMovetext(`${moves} ${form} *`);
      expect([form, fault, game.moves]).toEqual([form, null, wanted]);
    }
  });

  test('a promotion without a piece is a fault', () => {
    const text = '1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Bd7 5. bxa8 *';
    expect(readMovetext(text).fault?.what).toBe("'bxa8' is not a legal move here");
  });

  test('move annotations are stored as NAG numbers', () => {
    const { glyphs } = readMovetext('1. e4! e5?? 2. Nf3 $3 ± Nc6 N 3. Bb5+!? *').game;
    expect([...glyphs]).toEqual([
      [0, [1]],
      [1, [4]],
      [2, [3, 16]],
      [3, [146]],
      [4, [5]],
    ]);
  });

  test.each(['--', 'Z0', '0000', '@@@@', 'null', 'pass', '--!', '<>'])(
    'a null move %s ends the usable moves',
    (word) => {
      const { game, fault } = readMovetext(`1. e4 e5 2. ${word} Nc6 3. Ke5 1-0`);
      expect([game.moves.length, game.result, fault, game.repairs]).toEqual([2, '1-0', null, ['null move']]);
    },
  );

  test('piece letters of another language are reported', () => {
    const { fault } = readMovetext('1. e4 e5 2. Sf3 Sc6 1-0');
    expect(fault).toMatchObject({ what: "'Sf3' is not a legal move here", isForeign: true });
  });
});

describe('variants and terminations', () => {
  const tags = (name: string, value: string, more: [string, string][] = []): Map<string, string> =>
    new Map([[name, value], ...more]);

  test.each([
    '',
    'Standard',
    'standard',
    'Normal',
    'Chess',
    'chess960',
    'Chess 960',
    'Fischerandom',
    'fischer-andom',
    'From Position',
    '?',
  ])('the variant %j is supported', (value) => {
    expect(variantOf(tags('Variant', value))).toBe('');
  });

  test.each([
    ['3-Check', 'Three-check'],
    ['threeCheck', 'Three-check'],
    ['King Of The Hill', 'King of the Hill'],
    ['atomic', 'Atomic'],
    ['Horde', 'Horde'],
    ['RacingKings', 'Racing Kings'],
    ['Gothic Chess', 'Gothic Chess'],
  ])('the variant %j is %s', (value, name) => {
    expect(variantOf(tags('Variant', value))).toBe(name);
  });

  test.each([
    ['White won on time', 'time'],
    ['X won on time', 'time'],
    ['Time forfeit', 'time'],
    ['Time Forfeit ', 'time'],
    ['timeout', 'time'],
    ['White loses on time', 'time'],
    ['Flag fell', 'time'],
    ['X won - game abandoned', 'abandoned'],
    ['abandoned', 'abandoned'],
    ['disconnect', 'disconnected'],
    ['Black disconnects', 'disconnected'],
    ['forfeit', 'forfeit'],
    ['illegal move', 'illegal move'],
    ['stalled connection', 'stalled'],
    ['rules infraction', 'rules infraction'],
    ['death', 'death'],
    ['emergency', 'emergency'],
    ['unterminated', 'unterminated'],
  ])('the termination %j excludes the game', (phrase, reason) => {
    expect(terminationOf(tags('Termination', phrase))).toEqual({ reason, isKnown: true });
  });

  test.each([
    'Normal',
    'adjudication',
    'checkmate',
    'White won by resignation',
    'Game drawn by agreement',
    'stalemate',
    'Game drawn by repetition',
    'Game drawn by insufficient material',
    'Bot wins by Checkmate',
    '',
  ])('the termination %j keeps the game', (phrase) => {
    expect(terminationOf(tags('Termination', phrase))).toEqual({ reason: null, isKnown: true });
  });

  test.each([
    ['Black forfeits on time', 'time'],
    ['White ran out of time and Black has no material to mate', 'time'],
    ['Game drawn because both players ran out of time', 'time'],
    ['+0.31/12 0.1s, White loses on time', 'time'],
    ['White disconnected and forfeits', 'disconnected'],
    ['Black forfeits by disconnection', 'disconnected'],
    ['Black resigns', null],
    ['White was in time trouble', null],
    ['Game drawn by mutual agreement', null],
  ])('the last comment %j gives the reason %j', (comment, reason) => {
    const { game } = readMovetext(`1. e4 {in time trouble, Black loses on time} e5 {${comment}} 1-0`);
    expect(exclusionOf(game)).toBe(reason);
  });

  test('player names in the termination are ignored', () => {
    const players: [string, string][] = [
      ['White', 'TimeLord'],
      ['Black', 'flag.man'],
    ];
    expect(terminationOf(tags('Termination', 'TimeLord won by checkmate', players)).reason).toBeNull();
    expect(terminationOf(tags('Termination', 'flag.man won by resignation', players)).reason).toBeNull();
    expect(terminationOf(tags('Termination', 'TimeLord won on time', players)).reason).toBe('time');
    expect(terminationOf(tags('Termination', 'time won on time', [['White', 'time']])).reason).toBe('time');
  });

  test('an unknown termination keeps the game and is reported', () => {
    expect(terminationOf(tags('Termination', 'the cat sat on the board'))).toEqual({ reason: null, isKnown: false });
  });
});

test('a game with SetUp "1" requires a FEN tag', () => {
  expect(gamesOf('[SetUp "1"]\n\n1. e4 1-0')[0]).toMatch(/invalid FEN tag: missing, although the tag SetUp is 1/);
  expect(gamesOf('[SetUp "0"]\n\n1. e4 1-0')[0]).not.toMatch(/SetUp/);
});

test('a Chess960 game without Variant tag is detected by the castling rights of its FEN', () => {
  const text = '[FEN "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"]\n\n1. O-O-O O-O 1-0';
  expect(gamesOf(text)).toEqual(['2 1-0']);
  expect(gamesOf('[FEN "8/8/8/8/8/8/PPPPPPPP/8 w - - 0 1"]\n\n1. e4 1-0')[0]).toMatch(/invalid FEN tag/);
});

describe('parsing time is linear in the length', () => {
  const texts: [string, (size: number) => string][] = [
    ['comments in a variation', (n) => `1. e4 e5 (\n${'{a} e5$1\n'.repeat(n / 10)}) 1-0`],
    ['comments with braces', (n) => `1. e4 {x} y e5 ${'{a} } b\n'.repeat(n / 8)} 1-0`],
    ['open brackets', (n) => `1. e4 ${'('.repeat(n)} e5 1-0`],
    ['tag openings', (n) => `1. e4 ${'[x "'.repeat(n / 4)} e5 1-0`],
    ['square brackets', (n) => `1. e4 ${'['.repeat(n)} e5 1-0`],
    ['unclosed tag lines', (n) => '[Event "x\n'.repeat(n / 10)],
    ['a header of tags', (n) => `${Array.from({ length: n / 16 }, (_, i) => `[T${i} "value"]\n`).join('')}\n1. e4 1-0`],
    ['blanks', (n) => `1. e4${' '.repeat(n)}e5 1-0`],
    ['blanks after digits', (n) => `1. e4 ${`1${' '.repeat(50)}`.repeat(n / 50)}`],
    ['a word of marks', (n) => `1. e4 ${'+-'.repeat(n / 2)}x e5 1-0`],
    ['Event lines in comments', (n) => `${HEADER}1. e4 {\n${'[Event "x"]\n'.repeat(n / 12)}`],
    ['moves', (n) => `${'Nf3 Nf6 Ng1 Ng8 '.repeat(n / 160)} *`],
  ];
  const milliseconds = (text: string): number => {
    const began = process.cpuUsage();
    for (const draft of draftsOf(text)) readGame(draft);
    return process.cpuUsage(began).user / 1000;
  };
  test.each(texts)('parsing time is linear: %s', (_, text) => {
    milliseconds(text(20_000));
    const shorter = Math.max(20, milliseconds(text(180_000)));
    // At 5.6 times the length, a quadratic time would be 31 times as long
    expect(milliseconds(text(1_000_000))).toBeLessThan(15 * shorter);
  });
});
