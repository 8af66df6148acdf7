// Which of its two targets the kernel, and the tuner's loops, run as under Node.

/** WebAssembly, or the JavaScript of the same source. */
export type Target = 'js' | 'wasm';

/** Returns the target that HEFT_KERNEL asks for: WebAssembly unless it says js, or there is none; throws an Error for anything else. */
export function wantedTarget(): Target {
  const wanted = process.env['HEFT_KERNEL'] || 'wasm';
  if (wanted !== 'js' && wanted !== 'wasm') throw new Error(`HEFT_KERNEL is js or wasm, not '${wanted}'`);
  return typeof WebAssembly === 'undefined' ? 'js' : wanted;
}
