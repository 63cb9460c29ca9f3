import { ensureRolesAndSchema, type ServiceDatabase } from '@sluice/service';
import {
  type ServiceProcess,
  startServiceProcess,
  startTestDatabase,
  type TestDatabase,
} from '@sluice/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const NUMBERS = [0, 1] as const;
const KEY_BYTES = 32;

/** Two processes of the vault with a database and a key file of their own. */
export class KeptVaults {
  readonly numbers = NUMBERS;
  readonly #processes = new Map<number, ServiceProcess>();
  readonly #urls = new Map<number, string>();
  readonly #keys = new Map<string, string>();
  readonly #owner: pg.Pool;
  readonly #kills = new Map<number, number>();
  #version = 0;

  private constructor(
    private readonly folder: string,
    private readonly database: TestDatabase,
    private readonly service: ServiceDatabase,
  ) {
    this.#owner = new pg.Pool({ connectionString: database.url, max: 1 });
  }

  static async start(): Promise<KeptVaults> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-kept-'));
    const database = await startTestDatabase();
    const { vault } = await ensureRolesAndSchema(database.url, ['vault']);
    const vaults = new KeptVaults(folder, database, vault);
    await vaults.rotate();
    for (const number of NUMBERS) await vaults.#start(number);
    return vaults;
  }

  get urls(): readonly string[] {
    return NUMBERS.map((number) => this.#urls.get(number) ?? '');
  }

  /** By the number of a process: how often it was killed until now, and how often started again. */
  get kills(): ReadonlyMap<number, number> {
    return new Map(this.#kills);
  }

  /** Whether the process that holds these details, by their reference, was killed since then. */
  isHolderKilled(heldReference: string, before: ReadonlyMap<number, number>): boolean {
    const holder = NUMBERS.find((number) => heldReference.startsWith(`${instanceOf(number)}.`));
    if (holder === undefined) throw new Error(`nobody holds ${heldReference}`);
    return this.#kills.get(holder) !== before.get(holder);
  }

  /** Makes a new wrapping key the current one. */
  async rotate(): Promise<void> {
    this.#version += 1;
    this.#keys.set(this.#current, randomBytes(KEY_BYTES).toString('base64'));
    await this.#writeKeys();
  }

  /** Removes every wrapping key but the current one, and starts anew, so that nobody has another. */
  async retireOld(): Promise<void> {
    for (const version of this.#keys.keys()) {
      if (version !== this.#current) this.#keys.delete(version);
    }
    await this.#writeKeys();
    for (const number of NUMBERS) {
      await this.#processes.get(number)?.stop();
      await this.#start(number);
    }
  }

  /** How many kept details have a key that is not under the current version. */
  async leftToWrap(): Promise<number> {
    const { rows } = await this.#owner.query<{ count: number }>({
      name: 'left',
      text: 'SELECT count(*)::integer AS count FROM vault.kept_details WHERE wrapping_key_version <> $1',
      values: [this.#current],
    });
    return rows[0]?.count ?? 0;
  }

  /** How many details are kept. */
  async kept(): Promise<number> {
    const { rows } = await this.#owner.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM vault.kept_details',
    );
    return rows[0]?.count ?? 0;
  }

  /** Ends one at once, as the kernel would, and starts it again where it was. */
  async killAndRestart(number: number): Promise<void> {
    this.#count(number);
    await this.#processes.get(number)?.kill();
    // What it held while it began to die is gone, too: counted before the next one can say so.
    this.#count(number);
    await this.#start(number);
  }

  #count(number: number): void {
    this.#kills.set(number, (this.#kills.get(number) ?? 0) + 1);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((each) => each.kill()));
    await this.#owner.end();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  get #current(): string {
    return `v${this.#version}`;
  }

  async #writeKeys(): Promise<void> {
    const content = { current: this.#current, keys: Object.fromEntries(this.#keys) };
    const path = join(this.folder, 'keys.json');
    await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async #start(number: number): Promise<void> {
    const url = this.#urls.get(number);
    const started = startServiceProcess({
      entry: 'apps/vault/dist/main.js',
      environment: {
        VAULT_DATABASE_URL: this.service.appUrl,
        VAULT_OWNER_DATABASE_URL: this.service.ownerUrl,
        VAULT_FINGERPRINT_KEY: Buffer.alloc(KEY_BYTES, 1).toString('base64'),
        VAULT_KEY_FILE: join(this.folder, 'keys.json'),
        VAULT_INSTANCE: instanceOf(number),
        INTERNAL_PORT: url === undefined ? '0' : new URL(url).port,
      },
    });
    this.#processes.set(number, started);
    const line = await started.logged('Other services are answered.');
    this.#urls.set(number, String(line['url']));
  }
}

function instanceOf(number: number): string {
  return `vault-${number}`;
}
