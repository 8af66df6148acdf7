// The types of ../subset.d.ts for AssemblyScript. A table is an address; an element is loaded from it without a bounds check.

export type Color = i32;
export type Piece = i32;
export type PieceType = i32;
export type Square = i32;
export type Move = i32;

/** An element has the type `Value` in expressions and `Stored` in memory. */
@unmanaged
export class Table<Value, Stored> {
  @inline @operator('[]') get(index: i32): Value {
    return <Value>load<Stored>(changetype<usize>(this) + <usize>index * sizeof<Stored>());
  }
  @inline @operator('[]=') set(index: i32, value: Value): void {
    store<Stored>(changetype<usize>(this) + <usize>index * sizeof<Stored>(), <Stored>value);
  }
}

export type U8s = Table<i32, u8>;
export type I16s = Table<i32, i16>;
export type I32s = Table<i32, i32>;
export type U64s = Table<u64, u64>;
export type F64s = Table<f64, f64>;
