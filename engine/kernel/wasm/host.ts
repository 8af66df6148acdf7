// The AssemblyScript body of ../host.ts: functions that engine/search/kernel.ts hands to the module.

@external('host', 'poll')
export declare function poll(): void;
@external('host', 'onRootMove')
export declare function onRootMove(move: Move, number: i32): void;
@external('host', 'isStopRaised')
export declare function isStopRaised(): bool;
