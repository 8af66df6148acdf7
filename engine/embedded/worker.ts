// The script of all threads of a program with embedded code, in Node and in browsers. The program prepends a constant that selects the
// entry. Entries are imported on demand, because loaded modules take memory.

/** In a page: the kernel's modules (search, table, trace), deflated and base64-encoded; see library/inline.ts. */
declare const HEFT_KERNEL: readonly string[] | undefined;
/** Under Node: the entry, see parts.ts. */
declare const HEFT_ENTRY: 'worker' | 'command-worker';

if (typeof HEFT_KERNEL !== 'undefined')
  void import('../browser-search.js').then(({ searchInflated }) => searchInflated(HEFT_KERNEL));
else if (HEFT_ENTRY === 'worker') void import('../worker.js');
else void import('../command-worker.js');
