import {
  deletePostgresData,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@sluice/embedded-postgres';
import { ACCOUNT, seedFile, SHORT_WAITS, withClient } from '@sluice/kill-test';
import {
  type ClusterProcess,
  endOrphans,
  isAlive,
  killPostmaster,
  postmasterOf,
  type SandboxProcess,
  type SeededRandom,
  startCluster,
  startSandbox,
  startTcpProxy,
  type TcpProxy,
} from '@sluice/testing/programs';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLOCK = new URL('jumping-clock.mjs', import.meta.url).href;
/** Room for the payments of a round, and little to fill up. */
const ROOM = '96m';
/** It replays its log first. */
const BACK_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
const SERVER_SETTINGS = { max_connections: '150' };

/** What an installation is made of. */
interface InstallationKind {
  readonly isCluster: boolean;
  readonly hasVolume: boolean;
}

/**
 * A sandbox, or a cluster with two processes that pay, whose database is a server beside it, behind a wire that can be cut, on a small volume
 * that can be filled, and whose clocks can be set.
 */
export class Installation {
  readonly account = ACCOUNT;
  /** Sentences about what went wrong by itself. */
  readonly mishaps: string[] = [];
  #gateway: SandboxProcess | ClusterProcess | undefined;
  #port = 0;

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly wire: TcpProxy,
    private readonly kind: InstallationKind,
  ) {}

  /** Whether there is a volume that can be filled: mounting one needs an administrator. */
  get hasVolume(): boolean {
    return this.kind.hasVolume;
  }

  static async start(isCluster: boolean): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-history-'));
    await mkdir(join(folder, 'volume'));
    await mkdir(join(folder, 'clocks'));
    await writeFile(join(folder, 'seed.json'), seedFile());
    const postgres = await startEmbeddedPostgres(join(folder, 'server'), {
      settings: SERVER_SETTINGS,
    });
    const hasVolume = mount(join(folder, 'volume'));
    const place = join(folder, 'volume', 'database');
    if (hasVolume) await mkdir(place, { mode: 0o700 });
    const statements = hasVolume
      ? [
          `CREATE TABLESPACE volume LOCATION '${place}'`,
          'CREATE DATABASE history TABLESPACE volume',
        ]
      : ['CREATE DATABASE history'];
    await administer(postgres.url, statements);
    const wire = await startTcpProxy(postgres.url);
    const installation = new Installation(folder, postgres, wire, { isCluster, hasVolume });
    try {
      await installation.startGateway();
    } catch (error) {
      await installation.stop();
      throw error;
    }
    return installation;
  }

  /** Where the gateway is, or was. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The superuser's way to the database, not over the wire. */
  get databaseUrl(): string {
    return withDatabase(this.postgres.url);
  }

  get bookFile(): string {
    return join(this.folder, 'data', 'simulator', 'book.jsonl');
  }

  async startGateway(): Promise<void> {
    const clock = `--import=${CLOCK}?folder=${join(this.folder, 'clocks')}`;
    const options = {
      dataFolder: join(this.folder, 'data'),
      arguments: [
        ...['--seed', join(this.folder, 'seed.json'), '--database', withDatabase(this.wire.url)],
        ...['--throttle', '0', '--log-level', 'warn'],
        ...(this.kind.isCluster ? ['--instances', 'payments=2', '--node-options', clock] : []),
      ],
      environment: { ...SHORT_WAITS, ...(this.kind.isCluster ? {} : { NODE_OPTIONS: clock }) },
      port: this.#port,
    };
    this.#gateway = this.kind.isCluster ? await startCluster(options) : await startSandbox(options);
    this.#port = Number(new URL(this.#gateway.url).port);
  }

  /** The processes that pay: the sandbox itself, or the cluster's payments. */
  async #payingProcesses(): Promise<readonly number[]> {
    const gateway = this.#gateway;
    if (gateway === undefined) return [];
    if (!('members' in gateway)) return [gateway.pid];
    return (await gateway.members('payments')).map(({ pid }) => pid);
  }

  /** `kill -9` of one process that pays, and a start of it. */
  async killPaying(random: SeededRandom, restAfterMs: number): Promise<void> {
    if (this.kind.isCluster) {
      // Whoever keeps the cluster starts it again.
      process.kill(random.pick(await this.#payingProcesses()), 'SIGKILL');
      return;
    }
    await this.#gateway?.kill();
    this.#gateway = undefined;
    // The machine is gone too, as far as PostgreSQL can tell.
    this.wire.resetConnections();
    await pause(restAfterMs);
    await this.startGateway();
  }

  /** It is started again by itself; over when it takes connections. */
  async killPostgres(): Promise<void> {
    const postmaster = await postmasterOf(join(this.folder, 'server'));
    if (postmaster !== undefined) await killPostmaster(postmaster);
    const giveUpAt = performance.now() + BACK_WITHIN_MS;
    for (;;) {
      try {
        await administer(this.postgres.url, []);
        return;
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
        await pause(LOOK_EVERY_MS);
      }
    }
  }

  /** Cuts all connections just as the next request has left for the server. */
  async cutAtRequest(): Promise<void> {
    await this.wire.nextRequest();
    this.wire.resetConnections();
  }

  /** Cuts all connections when the server has done what it was asked and its answer has not passed. */
  async cutAtAnswer(waitMs: number): Promise<void> {
    this.wire.mode = 'holdAnswers';
    await this.wire.nextAnswer();
    await pause(waitMs);
    this.wire.resetConnections();
    this.wire.mode = 'forward';
  }

  /** Sets the clock of one process that pays, for a while. */
  async jump(random: SeededRandom, jumpMs: number, forMs: number): Promise<void> {
    const file = join(this.folder, 'clocks', String(random.pick(await this.#payingProcesses())));
    await writeFile(file, String(jumpMs));
    await pause(forMs);
    await rm(file);
  }

  async setReadOnly(isReadOnly: boolean): Promise<void> {
    await administer(this.postgres.url, [
      isReadOnly
        ? 'ALTER SYSTEM SET default_transaction_read_only = on'
        : 'ALTER SYSTEM RESET default_transaction_read_only',
      'SELECT pg_reload_conf()',
    ]);
  }

  /** Leaves not a block free on the database's volume. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(join(this.folder, 'volume'));
    // Somebody may have been quicker: then it is full all the more.
    await writeFile(join(this.folder, 'volume', 'ballast'), Buffer.alloc(bavail * bsize)).catch(
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      },
    );
  }

  async empty(): Promise<void> {
    await rm(join(this.folder, 'volume', 'ballast'), { force: true });
  }

  /** Notes a gateway that has ended although nobody killed it, and starts it again. */
  async revive(): Promise<void> {
    if (this.#gateway !== undefined && isAlive(this.#gateway.pid)) return;
    if (this.#gateway !== undefined) {
      const tail = this.#gateway.output().trimEnd().split('\n').slice(-5).join('\n    ');
      this.mishaps.push(`The gateway ended by itself; it printed last:\n    ${tail}`);
    }
    await this.startGateway();
  }

  async stop(): Promise<void> {
    await this.#gateway?.stop();
    await this.wire.close();
    await this.postgres.stop();
    await endOrphans(join(this.folder, 'server'));
    if (this.hasVolume) spawnSync('umount', [join(this.folder, 'volume')]);
    await deletePostgresData(join(this.folder, 'server'));
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function administer(url: string, statements: readonly string[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

function withDatabase(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.pathname = '/history';
  return url.href;
}

function mount(folder: string): boolean {
  const words = ['-t', 'tmpfs', '-o', `size=${ROOM},mode=0755`, 'tmpfs', folder];
  return process.platform === 'linux' && spawnSync('mount', words).status === 0;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
