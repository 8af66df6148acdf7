// A file that a run writes in parts and rewrites when it is continued. It is created at the first write. A name in .gz is
// compressed part by part, so that the file can be read at any time.

import { closeSync, openSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { UserError } from '../common/errors.js';
import { writeAll } from '../common/files.js';
import { checkOpenFile } from '../common/folder-guard.js';

export class OutputFile {
  private readonly file: string;
  private fd = -1;

  constructor(file: string) {
    this.file = file;
  }

  /** Adds to the file; throws a UserError that names it. */
  write(content: string | Uint8Array): void {
    try {
      if (this.fd < 0) this.fd = openSync(this.file, 'w');
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      writeAll(this.fd, this.file.endsWith('.gz') ? gzipSync(bytes) : bytes);
      checkOpenFile(this.fd, this.file);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`cannot write ${this.file}: ${(error as Error).message}`);
    }
  }

  close(): void {
    if (this.fd >= 0) closeSync(this.fd);
    this.fd = -1;
  }
}
