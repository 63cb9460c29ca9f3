import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from '../../../tools/build.mjs';
import { type LocalKafka, runningKafka, startLocalKafka, stopKafkaOf } from './index.js';

const START_WITHIN_MS = 90_000;

describe('a local Kafka', () => {
  const folders: string[] = [];
  const started: LocalKafka[] = [];

  afterEach(async () => {
    await Promise.all(started.splice(0).map((kafka) => kafka.stop()));
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-kafka-spec-'));
    folders.push(folder);
    return folder;
  }

  async function start(folder: string, port?: number): Promise<LocalKafka> {
    const kafka = await startLocalKafka({ folder, ...(port !== undefined && { port }) });
    started.push(kafka);
    return kafka;
  }

  it(
    'answers, is found by its folder, and survives a kill on the same port',
    async () => {
      const folder = await newFolder();
      const kafka = await start(folder);
      expect(await answers(kafka.port)).toBe(true);
      expect(await runningKafka(folder)).toMatchObject({ brokers: kafka.brokers, pid: kafka.pid });

      await kafka.kill();
      expect(await answers(kafka.port)).toBe(false);
      expect(await runningKafka(folder)).toBeUndefined();

      const again = await start(folder, kafka.port);
      expect(again.brokers).toBe(kafka.brokers);
      expect(await answers(kafka.port)).toBe(true);
    },
    START_WITHIN_MS,
  );

  it(
    'is stopped by its folder, also by another process',
    async () => {
      const folder = await newFolder();
      const kafka = await start(folder);
      expect(await stopKafkaOf(folder)).toBe(true);
      await kafka.ended;
      expect(await stopKafkaOf(folder)).toBe(false);
    },
    START_WITHIN_MS,
  );

  it(
    'refuses a port that is taken',
    async () => {
      const kafka = await start(await newFolder());
      await expect(start(await newFolder(), kafka.port)).rejects.toThrow('Kafka did not start');
    },
    START_WITHIN_MS,
  );
});

describe('without Java', () => {
  it('says what to install, and the way round', async () => {
    const before = process.env['JAVA_HOME'];
    process.env['JAVA_HOME'] = '/nowhere';
    try {
      const starting = startLocalKafka({ folder: join(tmpdir(), 'never-made') });
      await expect(starting).rejects.toThrow(/Java 17[\s\S]*KAFKA_BROKERS/);
    } finally {
      if (before === undefined) delete process.env['JAVA_HOME'];
      else process.env['JAVA_HOME'] = before;
    }
  });
});

describe('a local Kafka whose Node process was killed', () => {
  it(
    'ends, and its folder goes if it was to',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sluice-kafka-spec-'));
      await build();
      const script = `
        import { startLocalKafka } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
        const folder = ${JSON.stringify(folder)};
        const kafka = await startLocalKafka({ folder, removeFolderAtEnd: true });
        console.log(kafka.port);
        setInterval(() => undefined, 1000);`;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
      const port = Number(printed.toString());
      expect(await answers(port)).toBe(true);
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      while ((await answers(port)) || existsSync(folder)) await pause(20);
    },
    START_WITHIN_MS,
  );
});

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
