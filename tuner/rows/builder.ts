// RowBuilder: collects rows in blocks and then copies them to shared memory, so the peak memory is about twice the size of the rows.

import type { Dataset } from '../dataset/dataset.js';
import type { RowLine } from './line.js';

type Numbers = Int32Array | Uint32Array | Float32Array | Uint8Array | Int16Array;

const BLOCK = 1 << 20;

class Growing<T extends Numbers> {
  private readonly blocks: T[] = [];
  private block: T;
  private filled = 0;

  constructor(private readonly type: new (of: number | SharedArrayBuffer) => T) {
    this.block = new type(BLOCK);
  }

  get length(): number {
    return BLOCK * this.blocks.length + this.filled;
  }

  push(value: number): void {
    if (this.filled === BLOCK) {
      this.blocks.push(this.block);
      this.block = new this.type(BLOCK);
      this.filled = 0;
    }
    this.block[this.filled++] = value;
  }

  /** Appends the first `count` of the values. */
  append(values: ArrayLike<number>, count: number): void {
    for (let i = 0; i < count; i++) this.push(values[i]);
  }

  /** Returns the values in shared memory. The array must not be used afterwards. */
  finish(): T {
    const { type, length } = this;
    const bytes = new type(0).BYTES_PER_ELEMENT * length;
    const whole = new type(new SharedArrayBuffer(bytes));
    let at = 0;
    for (let block = this.blocks.shift(); block !== undefined; block = this.blocks.shift(), at += BLOCK)
      whole.set(block, at);
    whole.set(this.block.subarray(0, this.filled), at);
    return whole;
  }
}

export class RowBuilder {
  private readonly offsets = new Growing(Uint32Array);
  private readonly packed = new Growing(Int32Array);
  private readonly phase = new Growing(Float32Array);
  private readonly rest = new Growing(Float32Array);
  private readonly scale = new Growing(Float32Array);
  private isFixed = false;

  constructor() {
    this.offsets.push(0);
  }

  /** Appends a row: coefficients, phase, rest and scale. */
  add({ entries, count, phase, rest, scale }: RowLine): void {
    this.packed.append(entries, count);
    this.offsets.push(this.packed.length);
    this.phase.push(phase);
    this.rest.push(rest);
    this.scale.push(scale);
    this.isFixed ||= rest !== 0 || scale !== 1;
  }

  /** Appends all rows of another builder, which must not be used afterwards. */
  addAll(other: RowBuilder): void {
    const { offsets, packed, phase, rest = null, scale = null } = other.finish();
    this.isFixed ||= rest !== null;
    const before = this.packed.length;
    this.packed.append(packed, packed.length);
    for (let row = 0; row < phase.length; row++) {
      this.offsets.push(before + offsets[row + 1]);
      this.phase.push(phase[row]);
      this.rest.push(rest?.[row] ?? 0);
      this.scale.push(scale?.[row] ?? 1);
    }
  }

  get rows(): number {
    return this.offsets.length - 1;
  }

  finish(): Pick<Dataset, 'offsets' | 'packed' | 'phase' | 'rest' | 'scale'> {
    const [rest, scale] = [this.rest.finish(), this.scale.finish()];
    return {
      offsets: this.offsets.finish(),
      packed: this.packed.finish(),
      phase: this.phase.finish(),
      ...(this.isFixed && { rest, scale }),
    };
  }
}

/** Collects the results, scores, games and openings of the rows. */
export class GameBuilder {
  private readonly result = new Growing(Uint8Array);
  private readonly score = new Growing(Int16Array);
  private readonly game = new Growing(Uint32Array);
  private readonly opening = new Growing(Uint32Array);

  get games(): number {
    return this.opening.length;
  }

  /** Begins the next game. */
  start(openingHash: number): void {
    this.opening.push(openingHash >>> 0);
  }

  add(result: number, score: number): void {
    this.result.push(result);
    this.score.push(score);
    this.game.push(this.opening.length - 1);
  }

  finish(): Pick<Dataset, 'result' | 'score' | 'game' | 'opening'> {
    const { result, score, game, opening } = this;
    return { result: result.finish(), score: score.finish(), game: game.finish(), opening: opening.finish() };
  }
}
