import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  claimFolder,
  FolderInUse,
  FolderUnusable,
  type Holder,
  notePort,
  resetFolder,
} from './data-folder.js';

/** Above what Linux gives to any process. */
const NOBODYS_PID = 2 ** 22 + 1;
let folder: string;
const pidFile = (): string => join(folder, 'sluice.pid');
const holder = (): Holder => JSON.parse(readFileSync(pidFile(), 'utf8')) as Holder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-folder-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a data folder', () => {
  it('has one holder, who is named to the second', async () => {
    const claimed = await claimFolder(folder, 0);
    await notePort(claimed, 8080);
    expect(holder()).toMatchObject({ pid: process.pid, port: 8080 });
    const second = claimFolder(folder, 9090);
    await expect(second).rejects.toThrow(FolderInUse);
    await expect(second).rejects.toThrow(
      `in use by the sandbox with process number ${process.pid} on port 8080, running since 20`,
    );
    await claimed.release();
    expect(existsSync(pidFile())).toBe(false);
    expect((await claimFolder(folder, 0)).uncleanStopOf).toBeUndefined();
  });

  it('that cannot be one is refused in a sentence', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(claimFolder(file, 0)).rejects.toThrow(FolderUnusable);
    await expect(claimFolder(file, 0)).rejects.toThrow(
      `The data folder ${file} cannot be used (EEXIST); give another with --data.`,
    );
  });

  it('is taken over from a holder that was killed', async () => {
    writeFileSync(pidFile(), JSON.stringify({ pid: NOBODYS_PID, port: 1, since: 'then' }));
    const claimed = await claimFolder(folder, 0);
    expect(claimed.uncleanStopOf).toMatchObject({ pid: NOBODYS_PID, port: 1 });
    expect(holder().pid).toBe(process.pid);
  });

  it('is taken over when another process has the number now', async () => {
    const stale = { pid: process.pid, port: 1, since: 'then', startTicks: '1' };
    writeFileSync(pidFile(), JSON.stringify(stale));
    const claim = claimFolder(folder, 0);
    // Only Linux tells two processes with one number apart.
    if (process.platform === 'linux') expect((await claim).uncleanStopOf?.pid).toBe(process.pid);
    else await expect(claim).rejects.toThrow(FolderInUse);
  });

  it('goes to one of many that start at once after a kill', async () => {
    writeFileSync(pidFile(), '{"pid": ');
    const claims = await Promise.allSettled(
      Array.from({ length: 8 }, () => claimFolder(folder, 0)),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is reset without touching what is not ours', async () => {
    await Promise.all(
      ['postgres', 'keys', 'simulator', 'mine'].map((name) => mkdir(join(folder, name))),
    );
    writeFileSync(join(folder, 'notes.txt'), 'kept');
    const claimed = await claimFolder(folder, 0);
    await resetFolder(claimed);
    const left = ['postgres', 'keys', 'simulator', 'mine', 'notes.txt', 'sluice.pid'].filter(
      (name) => existsSync(join(folder, name)),
    );
    expect(left).toEqual(['mine', 'notes.txt', 'sluice.pid']);
  });
});
