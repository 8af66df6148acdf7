// Whether the evaluation counts its terms. Each WebAssembly module is compiled with a value of its own (scripts/wasm.mjs): the one that
// plays without, the tuner's with counts. The reference counts.

export const TRACING: boolean = true;
