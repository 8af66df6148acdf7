// The arrays that the loops read and write. Each is a table: an address in memory whose elements are accessed without bounds checks. The
// addresses are exported globals, set by the worker that owns the instance. objective/pass-memory.ts describes the arrays.
// Every module is compiled with the table classes of engine/kernel/wasm/globals.ts.

type F32s = Table<f64, f32>;

export let TERMS: i32 = 0;
export let PLAIN: i32 = 0;
export let FIXED: i32 = 0;
export let STRIP: i32 = 0;

export let STARTS: I32s = changetype<I32s>(0);
/** Read by row.ts, two bytes at a time. */
export let STREAM: usize = 0;
export let PHASE: F32s = changetype<F32s>(0);
export let RESULT: U8s = changetype<U8s>(0);
export let HELD_OUT: U8s = changetype<U8s>(0);
export let TARGET: F32s = changetype<F32s>(0);
export let WEIGHT: F32s = changetype<F32s>(0);
export let REST: F32s = changetype<F32s>(0);
export let SCALE: F32s = changetype<F32s>(0);
export let WEIGHTS: F64s = changetype<F64s>(0);
export let BATCH: I32s = changetype<I32s>(0);
export let PART_SLOPES: F64s = changetype<F64s>(0);
export let CURVATURE: F64s = changetype<F64s>(0);
export let ODDS: F64s = changetype<F64s>(0);
export let ENDGAMES: F64s = changetype<F64s>(0);
export let SUMS: F64s = changetype<F64s>(0);
export let GRADIENTS: F64s = changetype<F64s>(0);
export let GRADIENT: F64s = changetype<F64s>(0);
export let ROW_SUMS: F64s = changetype<F64s>(0);
export let STRIP_VALUES: F64s = changetype<F64s>(0);
