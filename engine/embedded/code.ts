// The code embedded in single-file programs and the npm package. The bundler replaces this module.

/** Script of the program's threads (worker.ts) as plain text, and the kernel's modules, deflated and base64-encoded. */
export interface Code {
  worker: string;
  kernel: { search: string; table: string; trace: string };
}

export declare const CODE: Code;
