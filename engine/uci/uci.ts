// The UCI protocol: each input line has an effect and output lines. The session performs no input or output itself. The host passes it the
// lines and, from another thread, the flags that stop a search.

import { FenError, formatFen, parseFen, STARTPOS } from '../board/fen.js';
import { state } from '../board/position.js';
import { WHITE } from '../board/types.js';
import { bench, benchLine } from '../commands/bench.js';
import { control, type Limits, PONDER_HIT, type SearchInfo, STOP, search, WAKE } from '../engine.js';
import { PARAMS } from '../search/params.js';
import { timeBudget } from '../search/root/limits.js';
import { weakened } from '../strength/strength.js';
import { HELP, skipUnknown } from './command.js';
import { formatBestMove, formatInfo, formatRootMove } from './format.js';
import { parseGo, setUpPosition } from './go.js';
import { divide, flipPosition, formatBoard, formatEvaluation } from './inspect.js';
import { declareOptions, identify, parseSetOption } from './options.js';
import { EngineSetup, type Port, sendMessage } from './setup.js';
import { SearchThreads } from './threads.js';
import { answerWhy, type KnownLine } from './why.js';

const isRaised = (flag: number): boolean => Atomics.load(control.flags, flag) !== 0;

// Control characters could manipulate the terminal
function unknownCommand(text: string): string {
  const shown = text.slice(0, 40).replace(/\p{Cc}/gu, '?');
  return `unknown command: ${shown}${text.length > 40 ? '…' : ''} (help lists the commands)`;
}

/** A UCI conversation: position and last search between input lines. */
export class UciSession {
  private readonly options: ReturnType<typeof declareOptions>;
  private readonly threads: SearchThreads;
  private readonly setup: EngineSetup;
  /** The last valid `position` line. */
  private positionLine = 'position startpos';
  private isDebugging = false;
  /** The best line of the last search of the current position with the current weights. */
  private lastLine: KnownLine | null = null;

  private readonly commands: Readonly<Record<string, (words: readonly string[], line: string) => void>> = {
    uci: () => this.writeAll(identify(this.options)),
    debug: ([state]) => {
      this.isDebugging = state?.toLowerCase() === 'on';
    },
    isready: () => {
      this.threads.settle();
      this.port.write('readyok');
    },
    setoption: (_, line) => this.setOption(line),
    ucinewgame: () => this.setup.clearHash(),
    position: (_, line) => this.setPosition(line),
    go: (words) => this.go(words),
    d: () => this.writeAll(formatBoard()),
    eval: () => this.writeAll(formatEvaluation()),
    why: (words) => this.writeAll(answerWhy(words, this.lastLine)),
    flip: () => {
      flipPosition();
      this.setPosition(`position fen ${formatFen()}`);
    },
    bench: ([depth]) => {
      if (depth === undefined) this.bench(undefined);
      else if (/^\d{1,15}$/.test(depth)) this.bench(Number(depth));
      else sendMessage(this.port, `error: bench takes a whole number, not '${depth}'`);
    },
    help: () => this.writeAll(HELP),
  };

  constructor(private readonly port: Port) {
    this.options = declareOptions(port.memory, port.tunes ? PARAMS : undefined);
    this.threads = new SearchThreads(port.spawn);
    this.setup = new EngineSetup(port, this.threads, () => {
      this.lastLine = null;
    });
    parseFen(STARTPOS);
  }

  /** Executes one input line. A search returns when it has ended. */
  execute(input: string): void {
    const line = skipUnknown(input);
    const [word, ...words] = line.split(/\s+/);
    const name = word.toLowerCase();
    if (Object.hasOwn(this.commands, name)) this.commands[name](words, line);
    else if (input.trim() !== '' && line === '') sendMessage(this.port, unknownCommand(input.trim()));
  }

  private writeAll(lines: readonly string[]): void {
    for (const line of lines) this.port.write(line);
  }

  private setOption(line: string): void {
    const setting = parseSetOption(line, this.options);
    if (typeof setting === 'string') return sendMessage(this.port, setting);
    this.threads.settle();
    setting.apply(this.setup);
    if (setting.helpers) this.threads.tell(setting.name, { kind: 'line', line });
  }

  private setPosition(line: string): void {
    try {
      const wrong = setUpPosition(line);
      this.positionLine = line;
      this.lastLine = null;
      // A thread that starts later receives only the last position, which must be valid
      this.threads.tell('position', { kind: 'line', line });
      if (wrong !== null) sendMessage(this.port, `error: ${wrong}`);
    } catch (error) {
      if (!(error instanceof FenError)) throw error;
      sendMessage(this.port, `error: ${error.message} in: ${line}`);
    }
  }

  private go(words: readonly string[]): void {
    const { settings } = this.setup;
    const asked = parseGo(words);
    if (asked.kind === 'perft') return this.perft(asked.depth);
    if (asked.illegal.length > 0)
      sendMessage(this.port, `error: illegal searchmoves ignored: ${asked.illegal.join(' ')}`);
    const isWeakened = settings.limitStrength;
    const limits = isWeakened ? weakened(asked.limits, settings.elo) : asked.limits;
    if (this.isDebugging) this.sayPlannedTime(limits);
    if (isWeakened) this.threads.rest();
    else this.threads.start(words);
    const report = (info: SearchInfo): void => {
      if (info.multipv === 1 && info.bound === 'exact') this.lastLine = info;
      this.port.write(formatInfo(info, settings.showWdl));
    };
    const result = search(limits, report, {
      ...settings,
      onRootMove: (progress) => this.port.write(formatRootMove(progress)),
      onPoll: this.port.flush,
    });
    this.threads.stop();
    this.awaitLeave(limits);
    this.port.write(formatBestMove(result));
  }

  private sayPlannedTime(limits: Limits): void {
    const { soft, hard } = timeBudget(limits, state.stm === WHITE, this.setup.settings.moveOverhead);
    if (hard < Number.POSITIVE_INFINITY)
      sendMessage(this.port, `planned search time: about ${Math.round(soft)} ms, at most ${Math.round(hard)} ms`);
  }

  /** Waits before `bestmove`: an infinite or pondering search may end early but must not answer before stop or ponderhit. */
  private awaitLeave(limits: Limits): void {
    const mustWait = (): boolean =>
      !isRaised(STOP) && (limits.infinite === true || (limits.ponder === true && !isRaised(PONDER_HIT)));
    while (mustWait()) {
      this.port.flush();
      const seen = Atomics.load(control.flags, WAKE);
      if (mustWait()) this.port.sleep(seen);
    }
  }

  private perft(depth: number): void {
    const counts = divide(depth);
    if (isRaised(STOP)) return sendMessage(this.port, 'perft stopped');
    for (const [move, nodes] of counts) this.port.write(`${move}: ${nodes}`);
    this.writeAll(['', `Nodes searched: ${counts.reduce((sum, [, nodes]) => sum + nodes, 0)}`, '']);
  }

  /** Runs the bench on its own table and positions, then restores the GUI's. */
  private bench(depth: number | undefined): void {
    // Helpers would overtake the bench with lines of other positions
    this.threads.resize(1);
    const result = bench(depth);
    this.setup.restoreHash();
    setUpPosition(this.positionLine);
    // Last, because restoreHash waits for all helpers, and a browser starts new ones only after this command
    this.setup.restoreThreads();
    if (isRaised(STOP)) sendMessage(this.port, 'bench stopped');
    else this.port.write(benchLine(result));
  }
}
