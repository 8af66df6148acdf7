// What the bundler puts into a program that needs no other file, in place of this module.

/** The script of its threads (worker.ts), and the kernel's modules, deflated and in base64. */
export interface Code {
  worker: string;
  kernel: { search: string; table: string; trace: string };
}

export declare const CODE: Code;
