// The number types of the source that both tsc and AssemblyScript compile: distinct there, all `number` here.

declare type i32 = number;
declare type f64 = number;
