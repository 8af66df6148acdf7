// The types of ../subset.d.ts for AssemblyScript. A table is an address; an element is loaded from
// it without a check of bounds.

export type Color = i32;
export type Piece = i32;
export type PieceType = i32;
export type Square = i32;
export type Move = i32;

@unmanaged
export class U8s {
  @inline @operator('[]') get(index: i32): i32 {
    return load<u8>(changetype<usize>(this) + <usize>index);
  }
  @inline @operator('[]=') set(index: i32, value: i32): void {
    store<u8>(changetype<usize>(this) + <usize>index, value);
  }
}

@unmanaged
export class I16s {
  @inline @operator('[]') get(index: i32): i32 {
    return load<i16>(changetype<usize>(this) + (<usize>index << 1));
  }
  @inline @operator('[]=') set(index: i32, value: i32): void {
    store<i16>(changetype<usize>(this) + (<usize>index << 1), value);
  }
}

@unmanaged
export class I32s {
  @inline @operator('[]') get(index: i32): i32 {
    return load<i32>(changetype<usize>(this) + (<usize>index << 2));
  }
  @inline @operator('[]=') set(index: i32, value: i32): void {
    store<i32>(changetype<usize>(this) + (<usize>index << 2), value);
  }
}

@unmanaged
export class U64s {
  @inline @operator('[]') get(index: i32): u64 {
    return load<u64>(changetype<usize>(this) + (<usize>index << 3));
  }
  @inline @operator('[]=') set(index: i32, value: u64): void {
    store<u64>(changetype<usize>(this) + (<usize>index << 3), value);
  }
}

@unmanaged
export class F64s {
  @inline @operator('[]') get(index: i32): f64 {
    return load<f64>(changetype<usize>(this) + (<usize>index << 3));
  }
  @inline @operator('[]=') set(index: i32, value: f64): void {
    store<f64>(changetype<usize>(this) + (<usize>index << 3), value);
  }
}
