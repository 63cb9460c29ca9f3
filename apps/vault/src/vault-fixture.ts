import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { DetailsToHold, KeptBefore, KeptDetails as Kept } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { FileKeyProvider } from '@sluice/service';
import { fixedClock, startTestDatabase, type TestDatabase } from '@sluice/testing';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AuthenticationDetails } from './authentication-details.js';
import { DetailMemory } from './detail-memory.js';
import { DetailVault } from './detail-vault.js';
import { type DataKeyLimits, DataKeys } from './data-keys.js';
import { HeldDetailRows } from './held-detail-rows.js';
import { KeptDetails } from './kept-details.js';
import { OrderAccounts } from './order-accounts.js';
import { migrations } from './schema.js';
import { SavedDetails } from './saved-details.js';
import { SpentDetails } from './spent-details.js';
import { VaultMetrics } from './vault-metrics.js';

export const LIFETIME_MS = 60_000;
export const LIMITS: DataKeyLimits = {
  sliceMs: 60_000,
  usesMax: 1_000,
  cardLifetimeMs: LIFETIME_MS,
};

const COUNTS = {
  held_cards: 'SELECT count(*) FROM vault.held_cards',
  kept_details: 'SELECT count(*) FROM vault.kept_details',
  data_keys: 'SELECT count(*) FROM vault.data_keys',
  used_tokens: 'SELECT count(*) FROM vault.used_tokens',
} as const;

interface Instance {
  readonly vault: DetailVault;
  readonly memory: DetailMemory;
  readonly rows: HeldDetailRows;
  readonly spent: SpentDetails;
  readonly keys: DataKeys;
  readonly kept: KeptDetails;
  readonly accounts: OrderAccounts;
  readonly saved: SavedDetails;
  readonly authentications: AuthenticationDetails;
  readonly clock: ReturnType<typeof fixedClock>;
}

/** A vault's database and instances of the vault on it; made and dropped by jest's hooks. */
export class VaultFixture {
  /** A superuser's pool. */
  owner = new pg.Pool();
  /** The vault's own pool. */
  pool = new pg.Pool();
  /** The names of the statements that a test has sent over `pool`. */
  statements: string[] = [];
  #database: TestDatabase | undefined;
  #folder = '';
  /** What was revealed for the last time is forgotten a moment later, by a timer. */
  readonly #spent: SpentDetails[] = [];

  constructor() {
    beforeAll(() => this.#create());
    beforeEach(() => this.#empty());
    afterAll(() => this.#drop());
  }

  /** An instance of the vault that has this key ring. */
  instance(name: string, ring: KeyRing, limits: Partial<DataKeyLimits> = {}): Instance {
    const clock = fixedClock(Date.parse('2026-03-01T12:00:00Z'));
    const memory = new DetailMemory(LIFETIME_MS);
    const rows = new HeldDetailRows(this.pool, { lifetimeMs: LIFETIME_MS, writeAfterMs: 0 });
    const keys = new DataKeys(this.pool, ring.provider, clock, { ...LIMITS, ...limits });
    const fingerprintKey = createSecretKey(Buffer.alloc(32, 7));
    const metrics = new VaultMetrics();
    const onFailed = (error: unknown): never => {
      throw error;
    };
    const spent = new SpentDetails({ memory, rows, metrics, onFailed });
    this.#spent.push(spent);
    const kept = new KeptDetails({ pool: this.pool, provider: ring.provider, fingerprintKey });
    const parts = { instance: name, fingerprintKey, rows, kept, memory, spent, clock, metrics };
    const vault = new DetailVault({ ...parts, dataKeys: keys });
    const accounts = new OrderAccounts({ vault, kept, metrics });
    const lifetimeMs = LIFETIME_MS;
    const saved = new SavedDetails({ ...parts, dataKeys: keys, lifetimeMs });
    const authentications = new AuthenticationDetails({ ...parts, details: vault, dataKeys: keys });
    return { vault, memory, rows, spent, keys, kept, accounts, saved, authentications, clock };
  }

  /** A key ring with one key, the current one. */
  keyRing(version: string): Promise<KeyRing> {
    return KeyRing.open(this.#folder, version);
  }

  async count(table: keyof typeof COUNTS): Promise<number> {
    const { rows } = await this.owner.query<{ count: string }>(COUNTS[table]);
    return Number(rows[0]?.count);
  }

  async #create(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'sluice-vault-'));
    this.#database = await startTestDatabase();
    const { name, url: ownerUrl } = this.#database;
    this.owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
    const appRole = `${name}_app`;
    const createRole = `CREATE ROLE ${appRole} LOGIN PASSWORD 'app'`;
    await this.owner.query(createRole);
    await this.owner.query('CREATE SCHEMA vault');
    for (const migration of migrations({ schema: 'vault', appRole })) {
      for (const statement of migration.statements) await this.owner.query(statement);
    }
    const url = new URL(ownerUrl);
    url.username = appRole;
    url.password = 'app';
    const options = '-c search_path=vault';
    this.pool = new pg.Pool({ connectionString: url.href, options, max: 3 });
    const query = this.pool.query.bind(this.pool) as (...all: unknown[]) => unknown;
    this.pool.query = ((...all: [{ name?: string }]) => {
      this.statements.push(all[0].name ?? '');
      return query(...all);
    }) as typeof this.pool.query;
  }

  async #empty(): Promise<void> {
    this.statements = [];
    const tables = Object.keys(COUNTS).map((table) => `vault.${table}`);
    const truncating = `TRUNCATE ${tables.join(', ')}`;
    await this.owner.query(truncating);
  }

  async #drop(): Promise<void> {
    for (const spent of this.#spent) await spent.close();
    await this.pool.end();
    await this.owner.end();
    await this.#database?.drop();
    await rm(this.#folder, { recursive: true });
  }
}

/** A key file of its own, as an operator edits it, and the provider that reads it. */
export class KeyRing {
  readonly #path: string;
  readonly #keys: Record<string, string> = {};
  #current = '';

  private constructor(
    path: string,
    readonly provider: FileKeyProvider,
  ) {
    this.#path = path;
  }

  static async open(folder: string, version: string): Promise<KeyRing> {
    const path = join(folder, `${randomUUID()}.json`);
    const first = { current: version, keys: { [version]: randomKey() } };
    await writeFile(path, JSON.stringify(first), { mode: 0o600 });
    const ring = new KeyRing(path, await FileKeyProvider.open(path, { pollIntervalMs: 0 }));
    Object.assign(ring.#keys, first.keys);
    return ring;
  }

  async use(version: string): Promise<void> {
    this.#keys[version] = randomKey();
    this.#current = version;
    await this.#save();
  }

  async retire(version: string): Promise<void> {
    Reflect.deleteProperty(this.#keys, version);
    await this.#save();
  }

  async #save(): Promise<void> {
    await writeFile(this.#path, JSON.stringify({ current: this.#current, keys: this.#keys }));
    await this.provider.reload();
  }
}

function randomKey(): string {
  return randomBytes(32).toString('base64');
}

/** A card number of its own for each index; long enough not to be found by accident. */
export function numberOf(index: number): string {
  return `42000${String(index).padStart(11, '7')}`;
}

/** The card with this index. */
export function card(index = 0): DetailsToHold {
  return {
    kind: 'card',
    details: {
      'card.number': new Detail(numberOf(index)),
      'card.expiryMonth': new Detail('05'),
      'card.expiryYear': new Detail('2034'),
    },
    inMemory: { 'card.cvv': new Detail('918') },
  };
}

/** The account of a direct debit, as it is held once more for its order. */
export function bankAccount(iban: string): DetailsToHold {
  return { kind: 'bankAccount', details: { 'bankAccount.iban': new Detail(iban) } };
}

/** What is kept anew: not for another registration already. */
export function keptAnew(answer: Kept | KeptBefore | undefined): Kept {
  if (answer === undefined || 'keptFor' in answer) throw new Error('not kept anew');
  return answer;
}
