import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.js';
import { KeptProcess, StartRefused } from './kept-process.js';

let folder: string;
let kept: KeptProcess | undefined;
const heard: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-kept-'));
  heard.length = 0;
});
afterEach(async () => {
  await kept?.stop();
  await rm(folder, { recursive: true });
});

/** A service in a few lines: answers its probes, and does what the text says. */
async function keep(text: string, nodeOptions: readonly string[] = []): Promise<KeptProcess> {
  const [port = 0] = await freePorts(1);
  const entry = join(folder, 'service.mjs');
  const server = `import { createServer } from 'node:http';
const listen = () => createServer((q, a) => a.end('ok')).listen(process.env.MANAGEMENT_PORT);
`;
  await writeFile(entry, server + text);
  kept = new KeptProcess(
    {
      ...{ name: 'service', service: 'vault', entry, management: `http://127.0.0.1:${port}` },
      environment: { MANAGEMENT_PORT: String(port), SECRET: 'of the environment' },
      nodeOptions,
    },
    {
      onLine: (_name, line) => {
        heard.push(line);
        return line.startsWith('{') ? (JSON.parse(line) as never) : undefined;
      },
      onNews: (_name, sentence) => heard.push(sentence),
      onSpawned: () => undefined,
    },
  );
  return kept;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a kept process', () => {
  it('is started again when it is killed, with the same environment', async () => {
    const one = await keep(
      `listen(); console.log(process.env.SECRET, process.env.MANAGEMENT_PORT);`,
    );
    await one.start();
    const first = one.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await until(() => heard.includes('is back'));
    expect(one.pid).not.toBe(first);
    expect(heard).toContain('has ended (SIGKILL) and is started again');
    const told = heard.filter((line) => line.startsWith('of the environment'));
    expect(told).toHaveLength(2);
    expect(told[0]).toBe(told[1]);
  });

  it('is started by a Node.js that is told what its plan says', async () => {
    const options = ['--title=a kept service'];
    const one = await keep(`listen(); console.log(process.title);`, options);
    await one.start();
    await until(() => heard.length > 0);
    expect(heard).toEqual(['a kept service']);
  });

  it('that ends at once again and again waits longer each time', async () => {
    const one = await keep(`process.exit(1);`);
    const started = one.start();
    await until(() => heard.some((line) => line.endsWith('in 1 s')));
    one.kill();
    await expect(started).rejects.toThrow(StartRefused);
    expect(heard).toEqual([
      'has ended (exit code 1) and is started again',
      'has ended (exit code 1) and is started again in 0.5 s',
      'has ended (exit code 1) and is started again in 1 s',
    ]);
  });

  it('whose settings are refused is not started again: its sentence is the reason', async () => {
    const one = await keep(`
      console.log(JSON.stringify({ level: 'error', msg: 'VAULT_KEY_FILE must be set.' }));
      process.exitCode = 2;`);
    await expect(one.start()).rejects.toThrow('VAULT_KEY_FILE must be set.');
    expect(one.pid).toBeUndefined();
  });

  it('may finish what it has begun when it is to stop, and stays away then', async () => {
    const one = await keep(`listen();
      process.on('SIGTERM', () => setTimeout(() => { console.log('finished'); process.exit(0); }, 50));`);
    await one.start();
    await one.stop();
    expect(heard).toEqual(['finished']);
    expect(one.pid).toBeUndefined();
  });
});
