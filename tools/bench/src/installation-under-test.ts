import { launched } from '@sluice/testing/programs';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The two ways to run the same services. */
export type Profile = 'sandbox' | 'cluster';

const ENTRIES: Readonly<Record<Profile, string>> = {
  sandbox: 'apps/sandbox/dist/main.js',
  cluster: 'tools/cluster/dist/main.js',
};
const READY_LINE = 'Sluice is ready on http://';
const START_TIMEOUT_MS = 120_000;

/** Two channels, so that nothing can be tuned to one (D-60). */
export const benchChannels = [
  {
    entityId: 'be0c4a0000000000000000000000be01',
    accessToken: 'bench-access-token-of-channel-one',
  },
  {
    entityId: 'be0c4a0000000000000000000000be02',
    accessToken: 'bench-access-token-of-channel-two',
  },
] as const;

/** A sandbox or a cluster, on a data folder of its own. */
export interface InstallationUnderTest {
  readonly profile: Profile;
  readonly port: number;
  /** The process that was started; everything else is below it. */
  readonly pid: number;
  readonly dataFolder: string;
  /** From spawning to the ready line. */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

/** Starts it as `npm start` or `npm run cluster` does, on an empty or a kept folder. */
export async function startUnderTest(
  profile: Profile,
  options: {
    dataDirectory?: string;
    arguments?: readonly string[];
    /** Where to write a CPU profile of the Node process when it ends. */
    profileDirectory?: string;
    /** Variables beside those of this process; undefined takes one away. */
    environment?: Readonly<Record<string, string | undefined>>;
    /** For the sandbox's Node, or for each service's of a cluster. */
    nodeOptions?: readonly string[];
    /** What the seed says of the second channel besides. */
    ofSecondChannel?: object;
    /** Where the build lies; this one unless told. */
    root?: string | undefined;
  } = {},
): Promise<InstallationUnderTest> {
  const scratch = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const seedFile = join(scratch, 'seed.json');
  await writeFile(seedFile, seed(options.ofSecondChannel));
  const port = await freePort();
  const dataFolder = options.dataDirectory ?? join(scratch, 'data');
  const { nodeOptions = [] } = options;
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...(options.profileDirectory === undefined
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${options.profileDirectory}`]),
      ...(profile === 'sandbox' ? nodeOptions : []),
      ...launched(ENTRIES[profile], options.root),
      '--port',
      String(port),
      '--data',
      dataFolder,
      '--seed',
      seedFile,
      ...(options.arguments ?? []),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        // The sandbox refuses variables that it does not know.
        ...(profile === 'cluster' &&
          nodeOptions.length > 0 && { SLUICE_NODE_OPTIONS: nodeOptions.join(' ') }),
        ...options.environment,
      },
    },
  );
  await ready(child);
  return {
    ...{ profile, port, dataFolder },
    pid: child.pid ?? 0,
    readyAfterMs: performance.now() - startedAt,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`it was not ready in time; it printed:\n${printed}`));
    }, START_TIMEOUT_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`it ended with ${String(code)}; it printed:\n${printed}`));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      // The pipe is read to the end, or the request lines would fill it and stop the sandbox.
      if (printed.includes(READY_LINE)) return;
      printed += chunk.toString('utf8');
      if (!printed.includes(READY_LINE)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

function seed(ofSecondChannel: object = {}): string {
  return JSON.stringify({
    channels: benchChannels.map((channel, number) => ({
      entityId: channel.entityId,
      name: `Bench channel ${String(number + 1)}`,
      merchant: 'Bench merchant',
      accessTokens: [channel.accessToken],
      legacyCredentials: [],
      ...(number === 1 && ofSecondChannel),
    })),
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
