// The arrays that the loops read and write: a table is an address in memory, and its elements are read without bounds checks. The worker
// that owns the instance sets the addresses, which are exported globals; ../share.ts describes the arrays.

@unmanaged
class Uint8s {
  @operator('[]')
  get(i: i32): i32 {
    return load<u8>(changetype<usize>(this) + <usize>i);
  }
}

@unmanaged
class Uint32s {
  @operator('[]')
  get(i: i32): i32 {
    return load<u32>(changetype<usize>(this) + ((<usize>i) << 2));
  }
}

@unmanaged
class Float32s {
  @operator('[]')
  get(i: i32): f64 {
    return load<f32>(changetype<usize>(this) + ((<usize>i) << 2));
  }
}

@unmanaged
class Float64s {
  @operator('[]')
  get(i: i32): f64 {
    return load<f64>(changetype<usize>(this) + ((<usize>i) << 3));
  }

  @operator('[]=')
  set(i: i32, value: f64): void {
    store<f64>(changetype<usize>(this) + ((<usize>i) << 3), value);
  }
}

export let TERMS: i32 = 0;
export let PLAIN: i32 = 0;
export let FIXED: i32 = 0;
export let STRIP: i32 = 0;

export let STARTS: Uint32s = changetype<Uint32s>(0);
/** Read by row.ts, two bytes at a time. */
export let STREAM: usize = 0;
export let PHASE: Float32s = changetype<Float32s>(0);
export let RESULT: Uint8s = changetype<Uint8s>(0);
export let HELD_OUT: Uint8s = changetype<Uint8s>(0);
export let TARGET: Float32s = changetype<Float32s>(0);
export let WEIGHT: Float32s = changetype<Float32s>(0);
export let REST: Float32s = changetype<Float32s>(0);
export let SCALE: Float32s = changetype<Float32s>(0);
export let WEIGHTS: Float64s = changetype<Float64s>(0);
export let BATCH: Uint32s = changetype<Uint32s>(0);
export let BENDS: Float64s = changetype<Float64s>(0);
export let CURVATURE: Float64s = changetype<Float64s>(0);
export let ODDS: Float64s = changetype<Float64s>(0);
export let ENDGAMES: Float64s = changetype<Float64s>(0);
export let SUMS: Float64s = changetype<Float64s>(0);
export let GRADIENTS: Float64s = changetype<Float64s>(0);
export let GRADIENT: Float64s = changetype<Float64s>(0);
export let ROW_SUMS: Float64s = changetype<Float64s>(0);
export let STRIP_VALUES: Float64s = changetype<Float64s>(0);
