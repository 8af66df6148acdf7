// The UCI protocol: a line in, lines out. No input or output of its own; the edge feeds it lines and, from another thread, the
// flags that stop a search.

import { bench } from '../bench.js';
import { FenError, parseFen, STARTPOS } from '../board/fen.js';
import { forgetHistory, makeMove } from '../board/makemove.js';
import { divide } from '../board/perft.js';
import { halfmoveClock, setChess960 } from '../board/position.js';
import { parseUciMove } from '../board/rules.js';
import {
  control,
  DEFAULT_MOVE_OVERHEAD,
  newGame,
  PONDER_HIT,
  STOP,
  search,
  setHashSize,
  setWeights,
  WAKE,
} from '../engine.js';
import { checkWeightSet, weightVectors } from '../eval/weight-set.js';
import { tableMemory } from '../search/tt.js';
import { createCrew, type Helper } from './crew.js';
import { formatBestMove, formatBoard, formatEvaluation, formatInfo, formatMessage } from './format.js';
import { parseGo } from './go.js';
import { identify, parseSetOption, type Setting } from './options.js';

/** What the edge lends the protocol. */
export interface Port {
  /** Sends a line to the GUI. */
  write: (line: string) => void;
  /** Returns a file's text; throws if there is none. */
  readFile: (name: string) => string;
  /** Sleeps until the control flag WAKE differs from the value; in a worker only. */
  sleep: (seen: number) => void;
  /** Starts the thread of a helper. */
  spawn: () => Helper;
}

/** Plies without capture or pawn move after which a game that still goes on ignores the rules anyway. */
const LONG_SINCE_DRAWN = 1000;

/** Returns the protocol: a function that carries out one line of input. */
export function createUci(port: Port): (line: string) => void {
  const options = { multiPv: 1, moveOverhead: DEFAULT_MOVE_OVERHEAD };
  const crew = createCrew(port.spawn);
  const shareTable = (): void => crew.tell('table', { kind: 'table', memory: tableMemory() });
  const say = (text: string): void => port.write(formatMessage(text));
  const writeAll = (lines: readonly string[]): void => {
    for (const line of lines) port.write(line);
  };

  const position = (line: string, words: readonly string[]): void => {
    const movesAt = words.indexOf('moves');
    const end = movesAt < 0 ? words.length : movesAt;
    const fen = words[1] === 'startpos' ? STARTPOS : words.slice(words[1] === 'fen' ? 2 : 1, end).join(' ');
    try {
      parseFen(fen);
    } catch (error) {
      if (!(error instanceof FenError)) throw error;
      return say(`error: ${error.message} in: ${line.trim()}`);
    }
    for (const text of words.slice(end + 1)) {
      const move = parseUciMove(text.toLowerCase());
      if (move === 0) return say(`error: illegal move ${text}; it and the moves after it are ignored`);
      makeMove(move);
      // Nothing before a capture or pawn move can be repeated, and no game without any is too long for the history
      if (halfmoveClock() === 0 || halfmoveClock() >= LONG_SINCE_DRAWN) forgetHistory();
    }
  };

  const loadWeights = (file: string): void => {
    try {
      const { mg, eg } = weightVectors(checkWeightSet(JSON.parse(port.readFile(file))));
      setWeights(mg, eg);
      newGame();
      say(`weights loaded from ${file}`);
    } catch (error) {
      say(`error: EvalFile ${file}: ${(error as Error).message}`);
    }
  };

  const apply: Record<string, (value: Setting['value']) => void> = {
    Hash: (value) => {
      setHashSize(Number(value));
      shareTable();
    },
    'Clear Hash': () => beginGame(),
    Threads: (value) => crew.resize(Number(value)),
    MultiPV: (value) => {
      options.multiPv = Number(value);
    },
    'Move Overhead': (value) => {
      options.moveOverhead = Number(value);
    },
    UCI_Chess960: (value) => setChess960(value === true),
    EvalFile: (value) => {
      if (value !== '') loadWeights(String(value));
    },
  };

  const setOption = (line: string): void => {
    const setting = parseSetOption(line);
    if (typeof setting === 'string') say(setting);
    else {
      crew.settle();
      apply[setting.name]?.(setting.value);
      if (setting.name === 'UCI_Chess960' || setting.name === 'EvalFile')
        crew.tell(setting.name, { kind: 'line', line });
    }
  };

  const beginGame = (): void => {
    crew.settle();
    newGame();
    crew.tell('newGame', { kind: 'newGame' });
  };

  const go = (words: readonly string[]): void => {
    const asked = parseGo(words);
    if (asked.kind === 'perft') return perft(asked.depth);
    const { limits } = asked;
    crew.start(words);
    const result = search(limits, (info) => port.write(formatInfo(info)), options);
    crew.stop();
    // An infinite search, and one on the opponent's time, may end but must not answer before it is told to
    const flag = (index: number): boolean => Atomics.load(control.flags, index) !== 0;
    const mustWait = (): boolean =>
      !flag(STOP) && (limits.infinite === true || (limits.ponder === true && !flag(PONDER_HIT)));
    while (mustWait()) {
      const seen = Atomics.load(control.flags, WAKE);
      if (mustWait()) port.sleep(seen);
    }
    port.write(formatBestMove(result));
  };

  const perft = (depth: number): void => {
    let total = 0;
    for (const [move, nodes] of divide(depth)) {
      port.write(`${move}: ${nodes}`);
      total += nodes;
    }
    writeAll(['', `Nodes searched: ${total}`, '']);
  };

  const runBench = (depth: number | undefined): void => {
    const { nodes, ms } = bench(depth);
    port.write(`${nodes} nodes ${Math.round((1000 * nodes) / Math.max(1, ms))} nps`);
  };

  parseFen(STARTPOS);
  shareTable();
  return (line) => {
    const words = line.trim().split(/\s+/);
    switch (words[0].toLowerCase()) {
      case 'uci':
        return writeAll(identify());
      case 'isready':
        crew.settle();
        return port.write('readyok');
      case 'setoption':
        return setOption(line);
      case 'ucinewgame':
        return beginGame();
      case 'position':
        crew.tell('position', { kind: 'line', line });
        return position(line, words);
      case 'go':
        return go(words.slice(1));
      case 'd':
        return writeAll(formatBoard());
      case 'eval':
        return writeAll(formatEvaluation());
      case 'bench':
        return runBench(/^\d+$/.test(words[1] ?? '') ? Number(words[1]) : undefined);
      default:
        return undefined;
    }
  };
}
