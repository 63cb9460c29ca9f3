import {
  deletePostgresData,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@sluice/embedded-postgres';
import { ACCOUNT, seedFile, SHORT_WAITS, withClient } from '@sluice/kill-test';
import {
  endOrphans,
  isAlive,
  killPostmaster,
  postmasterOf,
  type SandboxProcess,
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
const SERVER_SETTINGS = { max_connections: '150' };

/**
 * A sandbox whose database is a server beside it, behind a wire that can be cut, on a small volume
 * that can be filled, and whose clock can be set.
 */
export class Installation {
  readonly account = ACCOUNT;
  /** Sentences about what went wrong by itself. */
  readonly mishaps: string[] = [];
  #sandbox: SandboxProcess | undefined;
  #port = 0;

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly wire: TcpProxy,
    /** Whether there is a volume that can be filled: mounting one needs an administrator. */
    readonly hasVolume: boolean,
  ) {}

  static async start(): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-history-'));
    await mkdir(join(folder, 'volume'));
    await writeFile(join(folder, 'clock'), '0');
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
    const installation = new Installation(folder, postgres, wire, hasVolume);
    await installation.startSandbox();
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

  async startSandbox(): Promise<void> {
    const sandbox = await startSandbox({
      dataFolder: join(this.folder, 'data'),
      arguments: [
        ...['--seed', join(this.folder, 'seed.json'), '--database', withDatabase(this.wire.url)],
        ...['--throttle', '0', '--log-level', 'warn'],
      ],
      environment: {
        ...SHORT_WAITS,
        NODE_OPTIONS: `--import ${CLOCK}`,
        JUMPING_CLOCK_FILE: join(this.folder, 'clock'),
      },
      port: this.#port,
    });
    this.#port = Number(new URL(sandbox.url).port);
    this.#sandbox = sandbox;
  }

  async killSandbox(): Promise<void> {
    await this.#sandbox?.kill();
    this.#sandbox = undefined;
    // The machine is gone too, as far as PostgreSQL can tell.
    this.wire.resetConnections();
  }

  /** It is started again by itself. */
  async killPostgres(): Promise<void> {
    const postmaster = await postmasterOf(join(this.folder, 'server'));
    if (postmaster !== undefined) await killPostmaster(postmaster);
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

  async setClock(jumpMs: number): Promise<void> {
    await writeFile(join(this.folder, 'clock'), String(jumpMs));
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

  /** Notes a sandbox that has ended although nobody killed it, and starts it again. */
  async revive(): Promise<void> {
    if (this.#sandbox !== undefined && isAlive(this.#sandbox.pid)) return;
    if (this.#sandbox !== undefined) {
      const tail = this.#sandbox.output().trimEnd().split('\n').slice(-5).join('\n    ');
      this.mishaps.push(`The gateway ended by itself; it printed last:\n    ${tail}`);
    }
    await this.startSandbox();
  }

  async stop(): Promise<void> {
    await this.#sandbox?.stop();
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
