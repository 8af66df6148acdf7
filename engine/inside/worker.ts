// The script of all threads of a program in one file, for Node and for browsers. The program puts a constant in front of it that selects the
// entry. Entries are imported on demand, because their modules take memory when they are loaded.

/** In a page: the kernel's modules (search, table, trace), deflated and in base64; see library/inline.ts. */
declare const HEFT_KERNEL: readonly string[] | undefined;
/** Under Node: the entry, see parts.ts. */
declare const HEFT_ENTRY: 'worker' | 'command-worker';

if (typeof HEFT_KERNEL !== 'undefined')
  void import('../browser-search.js').then(({ searchInflated }) => searchInflated(HEFT_KERNEL));
else if (HEFT_ENTRY === 'worker') void import('../worker.js');
else void import('../command-worker.js');
