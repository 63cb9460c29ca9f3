import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postmasterOf, startSandbox } from './sandbox-process.js';

describe('a sandbox as a child process', () => {
  let dataFolder: string;

  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'sluice-sandbox-process-'));
  });
  afterEach(async () => {
    await rm(dataFolder, { recursive: true, force: true });
  });

  async function stubbed(text: string): Promise<readonly string[]> {
    const file = join(dataFolder, 'stub.mjs');
    await writeFile(file, text);
    return [file];
  }

  it('is ready when it has printed its line, and is ended by Ctrl-C', async () => {
    const sandbox = await startSandbox({
      dataFolder,
      port: 4711,
      arguments: ['--reset'],
      environment: { SLUICE_STUB: 'from the caller' },
      program: await stubbed(`
        process.on('SIGINT', () => process.exit(0));
        process.stderr.write(process.env.SLUICE_STUB + ' ' + process.argv.slice(2).join(' ') + '\\n');
        process.stdout.write('starting\\nSluice is ready on http://127.0.0.1:4711\\n');
        setInterval(() => {}, 1000);
      `),
    });
    expect(sandbox.url).toBe('http://127.0.0.1:4711');
    expect(await sandbox.stop()).toMatchObject({ code: 0, signal: null });
    expect(sandbox.output()).toContain(
      `from the caller --port 4711 --data ${dataFolder} --reset\n`,
    );
  });

  it('can be killed at once', async () => {
    const sandbox = await startSandbox({
      dataFolder,
      program: await stubbed(`
        process.on('SIGINT', () => {});
        process.stdout.write('Sluice is ready on http://127.0.0.1:1\\n');
        setInterval(() => {}, 1000);
      `),
    });
    expect(await sandbox.kill()).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('says what was printed when it ends before it is ready', async () => {
    const stub = await stubbed(`process.stderr.write('no such flag\\n'); process.exit(2);`);
    await expect(startSandbox({ dataFolder, program: stub })).rejects.toThrow(
      /ended with 2 before it was ready; it printed:\nno such flag/,
    );
  });

  it('says so when it stays silent', async () => {
    const stub = await stubbed(`setInterval(() => {}, 1000);`);
    await expect(startSandbox({ dataFolder, program: stub, readyWithinMs: 300 })).rejects.toThrow(
      'was not ready within 300 ms',
    );
  });

  it('finds no postmaster where none runs', async () => {
    await writeFile(join(dataFolder, 'postmaster.pid'), '4194305\nfolder\n0\n5432\n');
    expect(await postmasterOf(dataFolder)).toBeUndefined();
  });
});
