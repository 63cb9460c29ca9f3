import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DetailsToHold, HeldDetails } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { fixedClock, startTestDatabase, type TestDatabase } from '@sluice/testing';
import { FileKeyProvider, WrappingKeyRetired } from '@sluice/service';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SealBrokenError } from './detail-cipher.js';
import { VaultMetrics } from './vault-metrics.js';
import { DetailMemory } from './detail-memory.js';
import { DetailVault } from './detail-vault.js';
import { type DataKeyLimits, DataKeys } from './data-keys.js';
import { HeldDetailRows } from './held-detail-rows.js';
import { migrations } from './schema.js';

const LIFETIME_MS = 60_000;
const LIMITS: DataKeyLimits = { sliceMs: 60_000, usesMax: 1_000, cardLifetimeMs: LIFETIME_MS };

let database: TestDatabase;
let owner: pg.Pool;
let pool: pg.Pool;
let statements: string[];
let folder: string;

/** A key file of its own, as an operator edits it, and the provider that reads it. */
class KeyRing {
  readonly #path: string;
  readonly #keys: Record<string, string> = {};
  #current = '';

  private constructor(
    path: string,
    readonly provider: FileKeyProvider,
  ) {
    this.#path = path;
  }

  static async with(version: string): Promise<KeyRing> {
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

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-vault-'));
  database = await startTestDatabase();
  owner = new pg.Pool({ connectionString: database.url, max: 2 });
  const appRole = `${database.name}_app`;
  const createRole = `CREATE ROLE ${appRole} LOGIN PASSWORD 'app'`;
  await owner.query(createRole);
  await owner.query('CREATE SCHEMA vault');
  for (const migration of migrations({ schema: 'vault', appRole })) {
    for (const statement of migration.statements) await owner.query(statement);
  }
  const url = new URL(database.url);
  url.username = appRole;
  url.password = 'app';
  pool = new pg.Pool({
    connectionString: url.href,
    options: '-c search_path=vault',
    max: 3,
  });
  const query = pool.query.bind(pool) as (...all: unknown[]) => unknown;
  pool.query = ((...all: [{ name?: string }]) => {
    statements.push(all[0].name ?? '');
    return query(...all);
  }) as typeof pool.query;
});

beforeEach(async () => {
  statements = [];
  await owner.query('TRUNCATE vault.held_cards, vault.data_keys');
});

afterAll(async () => {
  await pool.end();
  await owner.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

interface Instance {
  readonly vault: DetailVault;
  readonly memory: DetailMemory;
  readonly rows: HeldDetailRows;
  readonly keys: DataKeys;
  readonly clock: ReturnType<typeof fixedClock>;
}

function instance(name: string, ring: KeyRing, limits: Partial<DataKeyLimits> = {}): Instance {
  const clock = fixedClock(Date.parse('2026-03-01T12:00:00Z'));
  const memory = new DetailMemory(LIFETIME_MS);
  const rows = new HeldDetailRows(pool, { lifetimeMs: LIFETIME_MS, writeAfterMs: 0 });
  const keys = new DataKeys(pool, ring.provider, clock, { ...LIMITS, ...limits });
  const fingerprintKey = createSecretKey(Buffer.alloc(32, 7));
  const metrics = new VaultMetrics();
  const parts = { instance: name, fingerprintKey, rows, memory, dataKeys: keys, clock, metrics };
  return { vault: new DetailVault(parts), memory, rows, keys, clock };
}

/** A card number of its own for each index; long enough not to be found by accident. */
function numberOf(index: number): string {
  return `42000${String(index).padStart(11, '7')}`;
}

function card(index = 0): DetailsToHold {
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

async function count(table: 'held_cards' | 'data_keys'): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    table === 'held_cards'
      ? 'SELECT count(*) FROM vault.held_cards'
      : 'SELECT count(*) FROM vault.data_keys',
  );
  return Number(rows[0]?.count);
}

describe('a held card', () => {
  it('is revealed whole by its instance, and gone when forgotten', async () => {
    const { vault } = instance('vault-0', await KeyRing.with('v1'));
    const { reference, fingerprint } = await vault.hold(card(1));
    expect(reference).toMatch(/^vault-0\.[0-9a-f]{32}$/);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const revealed = await vault.reveal(reference);
    expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(1));
    expect(revealed?.details['card.cvv']?.reveal()).toBe('918');
    expect(revealed?.details['card.expiryYear']?.reveal()).toBe('2034');
    expect(statements).not.toContain('reveal');
    await vault.forget(reference);
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await count('held_cards')).toBe(0);
    await vault.forget(reference);
  });

  it('is revealed by another instance without its security code (D-42)', async () => {
    const ring = await KeyRing.with('v1');
    const { reference } = await instance('vault-0', ring).vault.hold(card(2));
    const other = instance('vault-1', ring).vault;
    const revealed = await other.reveal(reference);
    expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(2));
    expect(revealed?.details).not.toHaveProperty(['card.cvv']);
    await other.forget(reference);
    expect(await count('held_cards')).toBe(0);
  });

  it('has the same fingerprint as the same card', async () => {
    const { vault } = instance('vault-0', await KeyRing.with('v1'));
    const first = await vault.hold(card(3));
    const second = await vault.hold(card(3));
    const other = await vault.hold(card(4));
    expect(first.fingerprint).toBe(second.fingerprint);
    expect(first.reference).not.toBe(second.reference);
    expect(other.fingerprint).not.toBe(first.fingerprint);
  });

  it.each([
    '',
    'vault-0',
    `vault-0.${'0'.repeat(32)}`,
    `v.${'0'.repeat(31)}\u0000`,
    'x'.repeat(999),
  ])('is not behind a reference nobody gave: %j', async (reference) => {
    const { vault } = instance('vault-0', await KeyRing.with('v1'));
    expect(await vault.reveal(reference)).toBeUndefined();
    await vault.forget(reference);
  });

  it('does not open from another card’s row (S-KEY-01)', async () => {
    const ring = await KeyRing.with('v1');
    const { vault } = instance('vault-0', ring);
    const held = await Promise.all(
      Array.from({ length: 10 }, (_, index) => vault.hold(card(index))),
    );
    const { rows } = await owner.query<{ nonce: Buffer; ciphertext: Buffer }>(
      'SELECT nonce, ciphertext FROM vault.held_cards ORDER BY reference',
    );
    const references = held.map(({ reference }) => reference).sort();
    for (const [index, reference] of references.entries()) {
      const { nonce, ciphertext } = rows[(index + 1) % rows.length]!;
      await owner.query(
        'UPDATE vault.held_cards SET nonce = $2, ciphertext = $3 WHERE reference = $1',
        [reference, nonce, ciphertext],
      );
    }
    const other = instance('vault-1', ring).vault;
    for (const { reference } of held) {
      await expect(other.reveal(reference)).rejects.toThrow(SealBrokenError);
    }
  });

  it('expires by the database’s clock, and by the monotonic clock in memory', async () => {
    const ring = await KeyRing.with('v1');
    const { vault, clock, rows } = instance('vault-0', ring);
    const { reference } = await vault.hold(card(5));
    await owner.query("UPDATE vault.held_cards SET expires_at = now() - interval '1 second'");
    expect(await instance('vault-1', ring).vault.reveal(reference)).toBeUndefined();
    clock.advance(LIFETIME_MS);
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await rows.sweepExpired(10)).toBe(1);
    expect(await count('held_cards')).toBe(0);
  });

  it('is swept in bounded steps, and only when expired', async () => {
    const { vault, rows } = instance('vault-0', await KeyRing.with('v1'));
    await Promise.all(Array.from({ length: 30 }, (_, index) => vault.hold(card(index))));
    expect(await rows.sweepExpired(10)).toBe(0);
    await owner.query("UPDATE vault.held_cards SET expires_at = now() - interval '1 second'");
    await vault.hold(card(99));
    expect([await rows.sweepExpired(20), await rows.sweepExpired(20)]).toEqual([20, 10]);
    expect(await count('held_cards')).toBe(1);
  });
});

describe('concurrent callers', () => {
  it('share statements, inserts and deletes alike', async () => {
    const { vault } = instance('vault-0', await KeyRing.with('v1'));
    await vault.hold(card());
    statements = [];
    const held = await Promise.all(
      Array.from({ length: 256 }, (_, index) => vault.hold(card(index))),
    );
    expect(statements.filter((name) => name === 'hold').length).toBeLessThanOrEqual(4);
    expect(await count('held_cards')).toBe(257);
    statements = [];
    await Promise.all([
      ...held.map(({ reference }) => vault.forget(reference)),
      ...held.map((_, index) => vault.hold(card(index))),
    ]);
    expect(statements.length).toBeLessThanOrEqual(5);
    expect(statements).toContain('hold-and-forget');
    expect(await count('held_cards')).toBe(257);
  });

  it('are refused when the database falls behind, and all hear of its failure', async () => {
    const failing = new HeldDetailRows(
      { query: () => Promise.reject(new Error('database is down')) } as unknown as pg.Pool,
      { lifetimeMs: LIFETIME_MS, writeAfterMs: 0 },
    );
    const results = await Promise.allSettled(
      Array.from({ length: 11_000 }, (_, index) => failing.delete(`vault-0.${index}`)),
    );
    const messages = results.map((result) =>
      result.status === 'rejected' ? (result.reason as Error).message : 'fulfilled',
    );
    expect(new Set(messages)).toEqual(new Set(['database is down', 'The vault is busy.']));
    expect(messages.filter((message) => message === 'The vault is busy.').length).toBeLessThan(
      1_100,
    );
  });
});

describe('data keys', () => {
  it('are replaced after so many uses, and each tells how many it had (S-KEY-02)', async () => {
    const { vault, keys } = instance('vault-0', await KeyRing.with('v1'), { usesMax: 10 });
    await Promise.all(Array.from({ length: 95 }, (_, index) => vault.hold(card(index))));
    await keys.sweep();
    const { rows } = await owner.query<{ uses: string; cards: string }>(
      `SELECT uses, (SELECT count(*) FROM vault.held_cards c WHERE c.data_key_id = k.data_key_id)
         AS cards FROM vault.data_keys k ORDER BY uses DESC`,
    );
    expect(rows.map(({ uses }) => Number(uses))).toEqual([...Array<number>(9).fill(10), 5]);
    expect(rows.every(({ uses, cards }) => uses === cards)).toBe(true);
  });

  it('are replaced after their slice of time', async () => {
    const { vault, clock } = instance('vault-0', await KeyRing.with('v1'));
    await vault.hold(card(1));
    clock.advance(LIMITS.sliceMs - 1);
    await vault.hold(card(2));
    expect(await count('data_keys')).toBe(1);
    clock.advance(1);
    await vault.hold(card(3));
    expect(await count('data_keys')).toBe(2);
  });

  it('are made once, however many wait for one', async () => {
    const { vault } = instance('vault-0', await KeyRing.with('v1'));
    await Promise.all(Array.from({ length: 100 }, (_, index) => vault.hold(card(index))));
    expect(await count('data_keys')).toBe(1);
  });

  it('are erased when no card can need them, and the card is then gone for good', async () => {
    const ring = await KeyRing.with('v1');
    const { vault, keys } = instance('vault-0', ring);
    const { reference } = await vault.hold(card(1));
    await keys.sweep();
    expect(await count('data_keys')).toBe(1);
    await owner.query("UPDATE vault.data_keys SET erase_after = now() - interval '1 second'");
    await keys.sweep();
    expect(await count('data_keys')).toBe(0);
    expect(await instance('vault-1', ring).vault.reveal(reference)).toBeUndefined();
    expect(await vault.reveal(reference)).toBeUndefined();
  });

  it('are never in the database in clear', async () => {
    const ring = await KeyRing.with('v1');
    const { keys } = instance('vault-0', ring);
    const { key } = await keys.forEncryption();
    const { rows } = await owner.query<{ wrapped: Buffer }>('SELECT wrapped FROM vault.data_keys');
    expect(rows[0]?.wrapped.includes(key.export())).toBe(false);
  });
});

describe('rotation of the wrapping key', () => {
  it('refuses the old version for new keys at once and re-wraps the others', async () => {
    const ring = await KeyRing.with('v1');
    const { vault, keys } = instance('vault-0', ring, { usesMax: 1 });
    const held = await Promise.all(
      Array.from({ length: 20 }, (_, index) => vault.hold(card(index))),
    );
    await ring.use('v2');
    const after = await vault.hold(card(99));
    const versions = async () =>
      (
        await owner.query<{ version: string; keys: number }>(
          `SELECT wrapping_key_version AS version, count(*)::integer AS keys FROM vault.data_keys
           GROUP BY 1 ORDER BY 1`,
        )
      ).rows;
    expect(await versions()).toEqual([
      { version: 'v1', keys: 20 },
      { version: 'v2', keys: 1 },
    ]);
    expect(await keys.rewrap()).toEqual({ rewrapped: 20, unreadable: 0 });
    expect(await versions()).toEqual([{ version: 'v2', keys: 21 }]);
    expect(await keys.rewrap()).toEqual({ rewrapped: 0, unreadable: 0 });
    await ring.retire('v1');
    const other = instance('vault-1', ring).vault;
    for (const { reference } of [...held, after]) {
      expect(await other.reveal(reference)).toBeDefined();
    }
  });

  it('ends the use of a data key that the old version wrapped', async () => {
    const ring = await KeyRing.with('v1');
    const { keys } = instance('vault-0', ring);
    const before = await keys.forEncryption();
    await ring.use('v2');
    expect((await keys.forEncryption()).id).not.toBe(before.id);
  });

  it('leaves what a retired version wrapped unreadable, and says so', async () => {
    const ring = await KeyRing.with('v1');
    const { reference } = await instance('vault-0', ring).vault.hold(card(1));
    await ring.use('v2');
    await ring.retire('v1');
    const other = instance('vault-1', ring);
    await expect(other.vault.reveal(reference)).rejects.toThrow(WrappingKeyRetired);
    expect(await other.keys.rewrap()).toEqual({ rewrapped: 0, unreadable: 1 });
  });

  it('goes on after it was broken off, on several instances at once', async () => {
    const ring = await KeyRing.with('v1');
    const { vault } = instance('vault-0', ring, { usesMax: 1 });
    await Promise.all(Array.from({ length: 300 }, (_, index) => vault.hold(card(index))));
    await ring.use('v2');
    const brokenOff = instance('vault-0', ring).keys;
    let calls = 0;
    const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<unknown>;
    pool.query = ((...all: unknown[]) => {
      calls += 1;
      return calls > 50 ? Promise.reject(new Error('killed')) : query(...all);
    }) as typeof pool.query;
    await expect(brokenOff.rewrap()).rejects.toThrow('killed');
    pool.query = query as typeof pool.query;
    const results = await Promise.all([
      instance('vault-1', ring).keys.rewrap(),
      instance('vault-2', ring).keys.rewrap(),
    ]);
    const rewrapped = results.reduce((sum, result) => sum + result.rewrapped, 0);
    expect(rewrapped).toBe(300 - 49);
  });

  it('is not noticed by payments under way (S-KEY-03)', async () => {
    const ring = await KeyRing.with('v0');
    const { vault, keys } = instance('vault-0', ring, { usesMax: 5 });
    const other = instance('vault-1', ring).vault;
    const held: HeldDetails[] = [];
    let reveals = 0;
    for (let round = 1; round <= 5; round += 1) {
      await ring.use(`v${round}`);
      const rewrapping = keys.rewrap();
      const fresh = await Promise.all(
        Array.from({ length: 100 }, (_, index) => vault.hold(card(index))),
      );
      await Promise.all(
        fresh.map(async ({ reference }, index) => {
          const revealed = await (index % 2 === 0 ? vault : other).reveal(reference);
          expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(index));
          reveals += 1;
        }),
      );
      await rewrapping;
      held.push(...fresh);
    }
    expect(reveals).toBe(500);
    await keys.rewrap();
    for (let round = 0; round < 5; round += 1) await ring.retire(`v${round}`);
    const later = instance('vault-2', ring).vault;
    for (const { reference } of held) expect(await later.reveal(reference)).toBeDefined();
  });
});

describe('the database’s files (S-PCI-02)', () => {
  async function dataFolder(): Promise<string> {
    await owner.query('CHECKPOINT');
    const { rows } = await owner.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]!.data_directory;
  }

  /** The files that contain one of the needles. */
  async function filesWith(folder: string, needles: readonly Buffer[]): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      if (needles.some((needle) => bytes.includes(needle))) found.push(path);
    }
    return found;
  }

  function formsOf(text: string): Buffer[] {
    return [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(Buffer.from(text).toString('hex')),
      Buffer.from(Buffer.from(text).toString('base64').slice(0, 20)),
    ];
  }

  it('have no card in clear, and the write-ahead log nothing of a held card at all', async () => {
    const { vault } = instance('vault-0', await KeyRing.with('v1'));
    const held = await Promise.all(
      Array.from({ length: 200 }, (_, index) => vault.hold(card(index + 1_000))),
    );
    const needles = [1_000, 1_050, 1_199].flatMap((index) => formsOf(numberOf(index)));
    const { rows } = await owner.query<{ ciphertext: Buffer }>(
      'SELECT ciphertext FROM vault.held_cards LIMIT 1',
    );
    const ciphertext = rows[0]!.ciphertext;
    const folder = await dataFolder();
    expect(await filesWith(folder, needles)).toEqual([]);
    expect(await filesWith(join(folder, 'pg_wal'), [ciphertext])).toEqual([]);
    await Promise.all(held.map(({ reference }) => vault.forget(reference)));
    expect(await filesWith(await dataFolder(), needles)).toEqual([]);
  });

  it('would show a card that was written in clear', async () => {
    const planted = numberOf(2_000);
    await owner.query('CREATE TABLE vault.planted (text text)');
    await owner.query('INSERT INTO vault.planted VALUES ($1)', [planted]);
    expect(await filesWith(await dataFolder(), formsOf(planted))).not.toEqual([]);
    await owner.query('DROP TABLE vault.planted');
  });
});
