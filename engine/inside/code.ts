// The code that a program in one file carries. The bundler replaces this module by it.

/** The script of its threads (worker.ts), and the kernel's modules, deflated and in base64. */
export interface Code {
  worker: string;
  kernel: { search: string; table: string; trace: string };
}

export declare const CODE: Code;
