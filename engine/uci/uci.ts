// The UCI protocol as a function from an input line to output lines. It performs no input or output itself. The host passes it the lines
// and, from another thread, the flags that stop a search.

import { FenError, formatFen, parseFen, STARTPOS } from '../board/fen.js';
import { setChess960, state } from '../board/position.js';
import { WHITE } from '../board/types.js';
import { bench, benchLine } from '../commands/bench.js';
import {
  control,
  type Limits,
  newGame,
  PONDER_HIT,
  type SearchInfo,
  STOP,
  search,
  useWeights,
  WAKE,
} from '../engine.js';
import { dataUrl, readDataUrl, shownName } from '../names.js';
import { PARAMS, setParam } from '../search/params.js';
import { DEFAULT_HASH } from '../search/root/flags.js';
import { timeBudget } from '../search/root/limits.js';
import { dropTable, makeTable, type TableMemory, table, tryTable } from '../search/tt/memory.js';
import { weakened } from '../strength/strength.js';
import { HELP, skipUnknown } from './command.js';
import { formatBestMove, formatInfo, formatMessage, formatRootMove } from './format.js';
import { parseGo, setUpPosition } from './go.js';
import { divide, flipPosition, formatBoard, formatEvaluation } from './inspect.js';
import { declareOptions, defaultUciSettings, identify, type OptionEffects, parseSetOption } from './options.js';
import { createThreads, type Helper, type ThreadMemory } from './threads.js';
import { answerWhy, type KnownLine } from './why.js';

/** Host functions that the UCI layer calls. */
export interface Port {
  /** Sends a line to the GUI. */
  write: (line: string) => void;
  /** Sends pending output immediately, before the thread gets busy or sleeps. */
  flush: () => void;
  /** Returns a file's text; throws if it cannot be read. */
  readFile: (name: string) => string;
  /** Sleeps until the control flag WAKE differs from the value; only in a worker. */
  sleep: (seen: number) => void;
  /** Starts a helper thread, which may use the table at once. A helper that fails must be marked as gone. */
  spawn: (memory: ThreadMemory, table: TableMemory) => Helper;
  /** Frees unused memory immediately. */
  collect: () => void;
  /** Memory of the machine in MiB. */
  memory: number;
  /** Whether the search parameters are offered as options. */
  tunes: boolean;
  /** Text of the weights that an empty EvalFile restores; default: the built-in ones. */
  weights?: string | undefined;
}

// Control characters could manipulate the terminal
function unknownCommand(text: string): string {
  const shown = text.slice(0, 40).replace(/\p{Cc}/gu, '?');
  return `unknown command: ${shown}${text.length > 40 ? '…' : ''} (help lists the commands)`;
}

/** Returns a function that executes one input line. */
export function createUci(port: Port): (line: string) => void {
  const options = declareOptions(port.memory, port.tunes ? PARAMS : undefined);
  const threads = createThreads(port.spawn);
  const settings = defaultUciSettings();
  let hash = DEFAULT_HASH;
  /** Requested number of threads; fewer may run. */
  let threadCount = 1;
  let weightsFile = '';
  /** The last valid `position` line. */
  let positionLine = 'position startpos';
  let isDebugging = false;
  /** The best line of the last search of the current position with the current weights. */
  let lastLine: KnownLine | null = null;

  const say = (text: string): void => port.write(formatMessage(text));
  const writeAll = (lines: readonly string[]): void => {
    for (const line of lines) port.write(line);
  };
  const isRaised = (flag: number): boolean => Atomics.load(control.flags, flag) !== 0;

  const setPosition = (line: string): void => {
    try {
      const wrong = setUpPosition(line);
      positionLine = line;
      lastLine = null;
      // A thread that starts later receives only the last position, which must be valid
      threads.tell('position', { kind: 'line', line });
      if (wrong !== null) say(`error: ${wrong}`);
    } catch (error) {
      if (!(error instanceof FenError)) throw error;
      say(`error: ${error.message} in: ${line}`);
    }
  };

  const shareTable = (): void => threads.tell('table', { kind: 'table', memory: table.memory });

  const beginGame = (): void => {
    threads.settle();
    newGame();
    threads.tell('newGame', { kind: 'newGame' });
  };

  const effects: OptionEffects = {
    set: (changes) => Object.assign(settings, changes),
    setHash: (megabytes) => {
      // The garbage collector ignores shared memory, so old tables would accumulate
      dropTable();
      shareTable();
      threads.settle();
      port.collect();
      if (!tryTable(megabytes, port.collect)) {
        // Helpers occupy address space and may keep the old table alive
        threads.resize(1);
        hash = makeTable([megabytes, hash, 1], port.collect);
        threads.resize(threadCount);
      } else hash = megabytes;
      if (hash !== megabytes) say(`error: not enough memory for a hash of ${megabytes} MB; using ${hash} MB`);
      shareTable();
    },
    clearHash: beginGame,
    setThreads: (count) => {
      threadCount = count;
      // Not at the start: a helper runs this code too, and would keep its first table in memory
      shareTable();
      threads.resize(count);
    },
    setChess960,
    setParam,
    setWeightsFile: (file) => {
      if (file === '' && weightsFile === '') return;
      try {
        const text = file === '' ? port.weights : (readDataUrl(file) ?? port.readFile(file));
        const warning = useWeights(text);
        weightsFile = file;
        lastLine = null;
        // The file may be gone or changed when a helper starts
        const embedded = text === undefined ? '' : dataUrl(text);
        threads.tell('EvalFile', { kind: 'line', line: `setoption name EvalFile value ${embedded}` });
        if (file !== '') say(`weights loaded from ${shownName(file)}`);
        if (warning !== null) say(`warning: ${warning}`);
      } catch (error) {
        say(`error: EvalFile ${shownName(file)}: ${(error as Error).message}`);
      }
    },
  };

  const setOption = (line: string): void => {
    const setting = parseSetOption(line, options);
    if (typeof setting === 'string') return say(setting);
    threads.settle();
    setting.apply(effects);
    if (setting.helpers) threads.tell(setting.name, { kind: 'line', line });
  };

  // An infinite or pondering search may end early but must not answer before stop or ponderhit
  const awaitLeave = (limits: Limits): void => {
    const mustWait = (): boolean =>
      !isRaised(STOP) && (limits.infinite === true || (limits.ponder === true && !isRaised(PONDER_HIT)));
    while (mustWait()) {
      port.flush();
      const seen = Atomics.load(control.flags, WAKE);
      if (mustWait()) port.sleep(seen);
    }
  };

  const go = (words: readonly string[]): void => {
    const asked = parseGo(words);
    if (asked.kind === 'perft') return perft(asked.depth);
    if (asked.illegal.length > 0) say(`error: illegal searchmoves ignored: ${asked.illegal.join(' ')}`);
    const limits = settings.limitStrength ? weakened(asked.limits, settings.elo) : asked.limits;
    if (isDebugging) {
      const { soft, hard } = timeBudget(limits, state.stm === WHITE, settings.moveOverhead);
      if (hard < Number.POSITIVE_INFINITY)
        say(`planned search time: about ${Math.round(soft)} ms, at most ${Math.round(hard)} ms`);
    }
    if (settings.limitStrength) threads.rest();
    else threads.start(words);
    const report = (info: SearchInfo): void => {
      if (info.multipv === 1 && info.bound === 'exact') lastLine = info;
      port.write(formatInfo(info, settings.showWdl));
    };
    const result = search(limits, report, {
      ...settings,
      onRootMove: (progress) => port.write(formatRootMove(progress)),
      onPoll: port.flush,
    });
    threads.stop();
    awaitLeave(limits);
    port.write(formatBestMove(result));
  };

  const perft = (depth: number): void => {
    const counts = divide(depth);
    if (isRaised(STOP)) return say('perft stopped');
    for (const [move, nodes] of counts) port.write(`${move}: ${nodes}`);
    writeAll(['', `Nodes searched: ${counts.reduce((sum, [, nodes]) => sum + nodes, 0)}`, '']);
  };

  // The bench uses its own table and positions; the GUI's are restored
  const runBench = (depth: number | undefined): void => {
    // Helpers would overtake the bench with lines of other positions
    threads.resize(1);
    const result = bench(depth);
    effects.setHash(hash);
    beginGame();
    setUpPosition(positionLine);
    // Last, because beginGame waits for all helpers, and a browser starts new ones only after this command
    threads.resize(threadCount);
    if (isRaised(STOP)) say('bench stopped');
    else port.write(benchLine(result));
  };

  const commands: Readonly<Record<string, (words: readonly string[], line: string) => void>> = {
    uci: () => writeAll(identify(options)),
    debug: ([state]) => {
      isDebugging = state?.toLowerCase() === 'on';
    },
    isready: () => {
      threads.settle();
      port.write('readyok');
    },
    setoption: (_, line) => setOption(line),
    ucinewgame: beginGame,
    position: (_, line) => setPosition(line),
    go,
    d: () => writeAll(formatBoard()),
    eval: () => writeAll(formatEvaluation()),
    why: (words) => writeAll(answerWhy(words, lastLine)),
    flip: () => {
      flipPosition();
      setPosition(`position fen ${formatFen()}`);
    },
    bench: ([depth]) => {
      if (depth === undefined) runBench(undefined);
      else if (/^\d{1,15}$/.test(depth)) runBench(Number(depth));
      else say(`error: bench takes a whole number, not '${depth}'`);
    },
    help: () => writeAll(HELP),
  };

  parseFen(STARTPOS);
  return (input) => {
    const line = skipUnknown(input);
    const [word, ...words] = line.split(/\s+/);
    const name = word.toLowerCase();
    if (Object.hasOwn(commands, name)) commands[name](words, line);
    else if (input.trim() !== '' && line === '') say(unknownCommand(input.trim()));
  };
}
