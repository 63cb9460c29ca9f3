import type { WrittenFile } from '@sluice/connectors';
import { makeWholeFile } from '@sluice/service';
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a process that was killed has left of a file: the name of its unfinished form. */
const UNFINISHED = /\.xml\.[0-9a-f]{12}$/;

/** Where files for the bank are until somebody brings them there. */
export class OutgoingFolder {
  constructor(private readonly path: string) {}

  /** Writes a file of mode 0600, whole or not at all; returns its hash. One that is there stays. */
  async write(
    name: string,
    { content }: Extract<WrittenFile, { readonly kind: 'written' }>,
  ): Promise<string> {
    const text = content.reveal();
    await makeWholeFile(join(this.path, name), text);
    return createHash('sha256').update(text).digest('hex');
  }

  /** Removes what was left unfinished: it has accounts in clear, and nobody's name. */
  async tidy(): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (UNFINISHED.test(name)) await rm(join(this.path, name), { force: true });
    }
  }
}
