// Files with a single writer, which only appends. A lost or partial write throws an error.

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { attempt, UserError } from './errors.js';
import { writeAll } from './files.js';
import { checkOpenFile } from './folder-guard.js';

export class AppendedFile {
  private readonly fd: number;
  /** Size in bytes after the last `write`. */
  private written = 0;

  /** Opens or creates the file (`w` empties it); throws a UserError if that fails. */
  constructor(
    private readonly file: string,
    private readonly flags: 'a' | 'w' = 'a',
  ) {
    this.fd = attempt(`cannot open ${file}`, () => openSync(file, flags));
  }

  /** Appends the content. Throws a UserError if that fails, or if another program has changed the size of a file opened with `w`. */
  write(content: string | Uint8Array): void {
    attempt(`cannot write ${this.file}`, () => {
      const stats = fstatSync(this.fd);
      if (this.flags === 'w' && stats.isFile() && stats.size !== this.written) {
        throw new UserError(
          `${this.file}: another program has written to it, and its content is incomplete; repeat the command with another name`,
        );
      }
      try {
        writeAll(this.fd, content);
      } finally {
        // A failed write may be partial
        this.written = fstatSync(this.fd).size;
      }
      checkOpenFile(this.fd, this.file);
    });
  }

  /** Appends an entry, given in parts, and syncs it to disk; throws a UserError and leaves the file unchanged if that fails. */
  append(parts: Iterable<string | Uint8Array>): void {
    const { size } = fstatSync(this.fd);
    attempt(`cannot write ${this.file}`, () => {
      try {
        for (const part of parts) writeAll(this.fd, part);
        fsyncSync(this.fd);
        checkOpenFile(this.fd, this.file);
      } catch (error) {
        // A partial entry would merge with the next one
        ftruncateSync(this.fd, size);
        throw error;
      }
    });
  }

  close(): void {
    closeSync(this.fd);
  }
}

/**
 * A file that a run writes in parts, and rewrites when the run is continued. The first write creates or empties the file. A .gz file is
 * compressed part by part, so it can be read at any time.
 */
export class OutputFile {
  private file: AppendedFile | undefined;

  constructor(private readonly name: string) {}

  /** Appends to the file; throws a UserError that names the file on failure. */
  write(content: string | Uint8Array): void {
    this.file ??= new AppendedFile(this.name, 'w');
    this.file.write(this.name.endsWith('.gz') ? gzipSync(content) : content);
  }

  close(): void {
    this.file?.close();
    this.file = undefined;
  }
}
