// The part of the WebAssembly interface that is used here. TypeScript declares it only in its DOM types, which are not loaded.

declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared?: boolean });
    readonly buffer: ArrayBuffer | SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Global {
    value: number;
  }
  class Module {
    constructor(bytes: ArrayBufferView | ArrayBuffer);
    private readonly brand: unknown;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
