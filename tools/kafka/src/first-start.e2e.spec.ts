import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Distribution,
  freePort,
  kafkaDistribution,
  runningKafka,
  stopKafkaOf,
} from '@sluice/local-kafka';
import { KAFKA_VERSION } from '@sluice/prerequisites';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const COMMAND = ['../../run.mjs', '../dist/main.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
/** Maven, where this machine has never had a Kafka. */
const ASSEMBLED_WITHIN_MS = 180_000;
const START_WITHIN_MS = 90_000;

/**
 * The command as a process of its own: under jest something else always keeps the event loop alive,
 * so that what waits for nothing does not show.
 */
describe('npm run kafka -- start, with an empty cache folder', () => {
  let distribution: Distribution;
  const folders: string[] = [];
  const brokers: string[] = [];

  beforeAll(async () => {
    distribution = await kafkaDistribution();
  }, ASSEMBLED_WITHIN_MS);

  afterEach(async () => {
    for (const folder of brokers.splice(0)) await stopKafkaOf(folder).catch(() => false);
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-first-start-spec-'));
    folders.push(folder);
    return folder;
  }

  /** A cache folder with the jars alone: as Maven has left it a moment ago. */
  function freshCache(): { readonly base: string; readonly folder: string } {
    const base = newFolder();
    const folder = join(base, 'sluice', `kafka-${KAFKA_VERSION}`);
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(distribution.folder, 'libs'), join(folder, 'libs'));
    return { base, folder };
  }

  async function start(environment: Readonly<Record<string, string>>): Promise<{
    readonly code: number | null;
    readonly printed: string;
    readonly address: string | undefined;
  }> {
    const data = join(newFolder(), 'kafka');
    brokers.push(data);
    const words = ['start', '--port', String(await freePort()), '--folder', data];
    const child = spawn(process.execPath, [...COMMAND, ...words], {
      env: { ...process.env, ...environment, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    }
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, printed, address: (await runningKafka(data))?.brokers };
  }

  it(
    'starts a broker, and keeps the class archive for the next start',
    async () => {
      const { base, folder } = freshCache();
      const { code, printed, address } = await start({ XDG_CACHE_HOME: base });
      expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining('running') });
      expect(printed).toContain(`KAFKA_BROKERS=${String(address)}`);
      expect(readdirSync(folder).sort()).toEqual([
        expect.stringMatching(/^classes-[0-9a-f]{16}\.jsa$/),
        'formatted',
        'libs',
      ]);
    },
    START_WITHIN_MS,
  );

  it(
    'starts a broker although the class archive cannot be made',
    async () => {
      const { base, folder } = freshCache();
      const home = javaWithoutArchives();
      const { code, printed, address } = await start({ XDG_CACHE_HOME: base, JAVA_HOME: home });
      expect({ code, address }).toEqual({ code: 0, address: expect.stringContaining('127.0.0.1') });
      expect(printed).toContain('no room for an archive');
      expect(readdirSync(folder).sort()).toEqual(['formatted', 'libs']);
    },
    START_WITHIN_MS,
  );

  /** A Java home whose machine is the real one, except that it never writes an archive. */
  function javaWithoutArchives(): string {
    const home = newFolder();
    const java = join(home, 'bin', 'java');
    mkdirSync(join(home, 'bin'));
    const refusal = 'echo "no room for an archive"; exit 1';
    writeFileSync(
      java,
      `#!/bin/sh\ncase "$*" in *ArchiveClassesAtExit*) ${refusal} ;; esac\nexec '${distribution.java}' "$@"\n`,
    );
    chmodSync(java, 0o755);
    return home;
  }
});
