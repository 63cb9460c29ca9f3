import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { random } from '@sluice/identifiers';

const NAME_BYTES = 6;

/**
 * Makes a file of mode 0600 unless there is one of that name: whole and on the disk, or not at all.
 * What is being written has another name until then, so a kill in between leaves nothing that a
 * later start would take for a key. If two processes make it at once, one does; both find the same
 * file.
 */
export async function makeWholeFile(path: string, text: string): Promise<void> {
  if (existsSync(path)) return;
  const unfinished = `${path}.${random(NAME_BYTES).toString('hex')}`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(text);
      // Data encrypted under a key that a power cut takes away would be lost.
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a link does not replace what is there already.
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncFolder(dirname(path));
}

/** The name of a file is in its folder, which reaches the disk by itself only some time later. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and keeps their entries in a journal of its own.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
