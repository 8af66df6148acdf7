// The AssemblyScript counterpart of ../primitives.ts: host functions, which engine/search/kernel.ts passes to the module, and operations on
// integers.

@external('host', 'poll')
export declare function poll(): void;
@external('host', 'onRootMove')
export declare function onRootMove(move: Move, number: i32): void;
@external('host', 'isStopRaised')
export declare function isStopRaised(): bool;

export function min(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

export function max(a: i32, b: i32): i32 {
  return a > b ? a : b;
}

export function abs(a: i32): i32 {
  return a < 0 ? -a : a;
}

// Each value is shifted left by nine bits and reduced by its distance from the start, so the maximum also encodes the index, and ties go to
// the first value. Lists of four values or more are read four at a time
export function greatest(values: I32s, from: i32, end: i32): i32 {
  const start = changetype<usize>(values) + (<usize>from << 2);
  const length = end - from;
  if (length < 4) {
    let most = keyOf(start, 0);
    for (let i = 1; i < length; i++) most = max(most, keyOf(start, i));
    return from + (-most & 511);
  }
  let four = fourKeys(start, 0);
  for (let i = 4; i < length - 4; i += 4) four = i32x4.max_s(four, fourKeys(start, i));
  // The last four overlap with those before unless the length is a multiple of four
  four = i32x4.max_s(four, fourKeys(start, length - 4));
  four = i32x4.max_s(four, i32x4.shuffle(four, four, 2, 3, 0, 1));
  four = i32x4.max_s(four, i32x4.shuffle(four, four, 1, 0, 3, 2));
  return from + (-i32x4.extract_lane(four, 0) & 511);
}

function keyOf(start: usize, index: i32): i32 {
  return (load<i32>(start + (<usize>index << 2)) << 9) - index;
}

function fourKeys(start: usize, index: i32): v128 {
  const four = v128.load(start + (<usize>index << 2));
  return i32x4.sub(i32x4.shl(four, 9), i32x4.add(i32x4.splat(index), i32x4(0, 1, 2, 3)));
}
