import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
      `in use by Sluice, process number ${process.pid} on port 8080, running since 20`,
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
      `The data folder ${file} cannot be used: a file is in its place; give another with --data.`,
    );
    await expect(claimFolder(join(file, 'sub'), 0)).rejects.toThrow('a file is in its place');
    await expect(claimFolder('/proc/sluice/data', 0)).rejects.toThrow(FolderUnusable);
  });

  it('is made with the folders above it, for its owner alone', async () => {
    const path = join(folder, 'mit Leerzeichen', 'Ümläut');
    const claims = await Promise.allSettled([claimFolder(path, 0), claimFolder(path, 0)]);
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(statSync(path).mode & 0o077).toBe(0);
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

  it('goes to one of many that start at once after a kill, again and again', async () => {
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(
        pidFile(),
        round % 2 === 0 ? '' : JSON.stringify({ pid: NOBODYS_PID, port: 1 }),
      );
      const claims = await Promise.allSettled(
        Array.from({ length: 16 }, () => claimFolder(folder, 0)),
      );
      expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(readdirSync(folder)).toEqual(['sluice.pid']);
    }
  });

  it('goes on after a start that was killed while it took the folder over', async () => {
    writeFileSync(pidFile(), '');
    const { ino, mtimeNs } = statSync(pidFile(), { bigint: true });
    const right = `${pidFile()}.${ino}-${mtimeNs}`;
    writeFileSync(right, JSON.stringify({ pid: NOBODYS_PID, port: 1, since: 'then' }));
    await claimFolder(folder, 0);
    expect(holder().pid).toBe(process.pid);
    expect(readdirSync(folder)).toEqual(['sluice.pid']);
  });

  it('is kept by its holder while the port is noted', async () => {
    const claimed = await claimFolder(folder, 0);
    for (let port = 1; port <= 50; port += 1) {
      const [claim] = await Promise.allSettled([claimFolder(folder, 0), notePort(claimed, port)]);
      expect(claim.status).toBe('rejected');
    }
    expect(holder().port).toBe(50);
  });

  it('is reset without touching what is not ours, and says what was deleted', async () => {
    await Promise.all(
      ['postgres', 'keys', 'simulator', 'mine'].map((name) => mkdir(join(folder, name))),
    );
    writeFileSync(join(folder, 'postgres.password'), '');
    writeFileSync(join(folder, 'notes.txt'), 'kept');
    const sentence = await resetFolder(await claimFolder(folder, 0));
    expect(readdirSync(folder).sort()).toEqual(['mine', 'notes.txt', 'sluice.pid']);
    expect(sentence).toBe(
      `Deleted from ${folder}: postgres, postgres.password, keys, simulator. ` +
        "What is not Sluice's was left there (2).",
    );
  });

  it('with nothing in it is not said to be reset', async () => {
    expect(await resetFolder(await claimFolder(folder, 0))).toBe(
      `There was nothing to delete in ${folder}.`,
    );
  });

  it('after a first start that was cut off is reset', async () => {
    writeFileSync(pidFile(), JSON.stringify({ pid: NOBODYS_PID, port: 1, since: 'then' }));
    await mkdir(join(folder, 'keys'));
    expect(await resetFolder(await claimFolder(folder, 0))).toBe(`Deleted from ${folder}: keys.`);
  });
});

describe('a folder of somebody else', () => {
  it('is not reset, whatever it calls its things', async () => {
    await Promise.all(['postgres', 'keys', 'simulator'].map((name) => mkdir(join(folder, name))));
    const claimed = await claimFolder(folder, 0);
    await expect(resetFolder(claimed)).rejects.toThrow(FolderUnusable);
    await expect(resetFolder(claimed)).rejects.toThrow(
      `Nothing was deleted: ${folder} is not empty and is no data folder of Sluice.`,
    );
    await claimed.release();
    expect(readdirSync(folder).sort()).toEqual(['keys', 'postgres', 'simulator']);
  });
});
