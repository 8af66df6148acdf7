// The transposition table's functions, imported from its own module (search/tt/entries.ts).

@external('tt', 'findEntry')
export declare function findEntry(key: u64, bucketMask: i32): u64;
@external('tt', 'storeEntry')
export declare function storeEntry(key: u64, bucketMask: i32, age: i32, result: i32, news: i32): void;
