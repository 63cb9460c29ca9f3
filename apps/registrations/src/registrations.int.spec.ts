import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  DetailsToKeep,
  KeepingVault,
  ReferToRegistration,
  RegisterInstrument,
  RegisterInstrumentData,
  RegistrationAnswer,
  RegistrationOutcome,
  RegistrationReply,
  RegistrationView,
  TransactionOutcome,
  TransactionQuery,
} from '@sluice/contracts';
import {
  chainShard,
  type EntityId,
  newMessageId,
  newNdc,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { InProcessBus, type Queries, QueryUnavailable } from '@sluice/messaging';
import {
  createLogger,
  EnvelopeSealer,
  ensureRolesAndSchema,
  FileKeyProvider,
  type ServiceDatabase,
  systemClock,
} from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { RegistrationsModule } from './index.js';

const entityId = 'aaaabbbbccccdddd0000111122223333' as EntityId;
const merchantId = 'aaaabbbbccccdddd0000111122224444' as EntityId;
const foreignEntityId = 'ffffbbbbccccdddd0000111122223333' as EntityId;

/** A vault in a map, which can be away. */
class FakeVault implements KeepingVault {
  readonly kept = new Map<string, DetailsToKeep>();
  readonly asked: string[] = [];
  isAway = false;
  holdsNothing = false;

  async keep(toKeep: DetailsToKeep) {
    this.#ask('keep');
    if (this.holdsNothing) return undefined;
    const { registrationId } = toKeep;
    this.kept.set(registrationId, toKeep);
    return { reference: `kept.${registrationId}`, fingerprint: 'f'.repeat(64) };
  }

  async forgetKept(registrationId: string) {
    this.#ask('forgetKept');
    this.kept.delete(registrationId);
  }

  #ask(what: string): void {
    this.asked.push(what);
    if (this.isAway) throw new Error('the vault is away');
  }
}

let database: TestDatabase;
let own: ServiceDatabase;
let folder: string;
let keys: FileKeyProvider;
let sealer: EnvelopeSealer;
let pool: pg.Pool;
const running: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-registrations-'));
  keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
  sealer = new EnvelopeSealer(keys, systemClock);
  database = await startTestDatabase();
  own = (await ensureRolesAndSchema(database.url, ['registrations'])).registrations;
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
}, 60_000);

afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

afterAll(async () => {
  await pool.end();
  keys.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Payments that say of each payment what they are told here, or nothing of any. */
class FakePayments implements Queries {
  readonly outcomes = new Map<string, Pick<TransactionOutcome, 'status' | 'resultCode'>>();
  isAway = false;

  ask<Answer>(service: string, query: string, parameters: object): Promise<Answer> {
    const { transactionId, entityId: asker } = parameters as TransactionQuery;
    if (this.isAway) return Promise.reject(new QueryUnavailable(query, 'noService'));
    expect([service, query]).toEqual(['payments', 'payments.transactionOutcome']);
    const outcome = asker === entityId ? this.outcomes.get(transactionId) : undefined;
    return Promise.resolve({ outcome } as Answer);
  }
}

/** A process of registrations, on the database that all share. */
async function start(vault = new FakeVault(), payments = new FakePayments()) {
  const bus = new InProcessBus({ drainMs: 1 });
  const service = await RegistrationsModule.start({
    settings: {
      ...{ databaseUrl: own.appUrl, ownerDatabaseUrl: own.ownerUrl, schema: own.schema },
      ...{ leaseMs: 50, sweepIntervalMs: 10 },
    },
    transport: bus.transport('registrations'),
    ...{ vault, queries: payments, keyProvider: keys, commandKeys: keys },
    logger: createLogger({ service: 'registrations', level: 'silent' }),
  });
  running.push(service, bus);
  const ask = async (registrationId: TransactionId, asker = entityId) => {
    const query = { registrationId, entityId: asker };
    return (
      await bus.queries.ask<RegistrationAnswer>(
        ...(['registrations', 'registrations.registration', query] as const),
      )
    ).registration;
  };
  return {
    vault,
    payments,
    ask,
    send: async (command: RegisterInstrument | ReferToRegistration): Promise<RegistrationReply> => {
      const options = { deadlineMs: 20_000 };
      const result = await bus.commands.send<RegistrationReply>('registrations', command, options);
      if (result.kind !== 'replied') throw new Error(`no reply: ${result.kind}`);
      return result.reply;
    },
    /** What becomes of a registration. */
    until: async (id: TransactionId, is: (view: RegistrationView | undefined) => boolean) => {
      while (!is(await ask(id))) await delay(5);
    },
    end: async () => {
      await service.close();
      await bus.close();
    },
  };
}

const context = () => ({
  ...{ entityId, channelName: 'demo', ndc: newNdc(entityId), mode: 'INTERNAL' as const },
  ...{ manualChargebacks: true, receivedAtMs: Date.now(), actor: 'token-node' },
});

function message<Type extends string, Data>(type: Type, id: TransactionId, data: Data) {
  const messageId = newMessageId(Date.now());
  return {
    ...{ id: messageId, type, schemaVersion: 1, key: chainShard(id), correlationId: 'ndc' },
    ...{ causationId: messageId, timeToLiveMs: 25_000, data },
  };
}

async function registration(
  changes: Partial<RegisterInstrumentData> & { readonly expiryYear?: string } = {},
): Promise<RegisterInstrument> {
  const { expiryYear = '2034', ...others } = changes;
  const transactionId = newTransactionId(Date.now());
  return message('RegisterInstrument', transactionId, {
    ...{ transactionId, context: context(), merchantId },
    parameters: { merchantTransactionId: 'order-4711' },
    personal: await sealer.seal(transactionId, JSON.stringify({ 'card.holder': 'Jane Jones' })),
    instrument: {
      ...({ kind: 'card', vaultReference: 'vault-0.abc', bin: '420000', last4: '0000' } as const),
      ...{ brand: 'VISA', expiryMonth: '05', expiryYear },
    },
    ...others,
  });
}

function referring(
  registrationId: TransactionId,
  operation: 'deletion' | 'extension',
  asker = entityId,
): ReferToRegistration {
  const transactionId = newTransactionIdInChainOf(registrationId, Date.now());
  return message('ReferToRegistration', registrationId, {
    ...{ transactionId, context: { ...context(), entityId: asker }, parameters: {} },
    ...{ registrationId, operation },
  });
}

function outcomeIn(reply: RegistrationReply): RegistrationOutcome {
  if (reply.kind !== 'outcome') throw new Error(`answered ${reply.kind}`);
  return reply.outcome;
}

async function eventsOf(id: TransactionId): Promise<string[]> {
  const { rows } = await pool.query<{ type: string }>(
    'SELECT type FROM registrations.events WHERE stream_id = $1 ORDER BY version',
    [id],
  );
  return rows.map(({ type }) => type);
}

describe('a registration', () => {
  it('is recorded, kept by the vault, and found with what is personal', async () => {
    const { send, ask, vault } = await start();
    const command = await registration();
    const { transactionId: id } = command.data;
    expect(outcomeIn(await send(command))).toEqual({
      ...{ id, operation: 'registration', status: 'approved', resultCode: '000.100.110' },
    });
    expect(vault.kept.get(id)).toEqual({
      ...{ heldReference: 'vault-0.abc', registrationId: id, merchantId },
    });
    expect(await ask(id)).toMatchObject({
      ...{ id, state: 'kept', entityId, parameters: { merchantTransactionId: 'order-4711' } },
      ...{ personal: { 'card.holder': 'Jane Jones' } },
      instrument: { kind: 'card', vaultReference: `kept.${id}`, last4: '0000' },
    });
    expect(await eventsOf(id)).toEqual(['RegistrationRequested', 'DetailsKept']);
  });

  it('is unknown to every other channel', async () => {
    const { send, ask, vault } = await start();
    const command = await registration();
    const { transactionId: id } = command.data;
    await send(command);
    expect(await ask(id, foreignEntityId)).toBeUndefined();
    expect(await send(referring(id, 'deletion', foreignEntityId))).toEqual({ kind: 'notFound' });
    expect(vault.kept.has(id)).toBe(true);
  });

  it('has nothing personal in clear in its events', async () => {
    const { send } = await start();
    const command = await registration();
    await send(command);
    const { rows } = await pool.query<{ data: string }>(
      'SELECT data::text FROM registrations.events WHERE stream_id = $1',
      [command.data.transactionId],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('Jane');
  });

  it('is made once, however often its command comes', async () => {
    const { send, vault } = await start();
    const command = await registration();
    const replies = await Promise.all([send(command), send(command), send(command)]);
    for (const reply of replies) expect(outcomeIn(reply).status).toBe('approved');
    expect(outcomeIn(await send(command)).status).toBe('approved');
    expect(vault.asked).toEqual(['keep']);
    expect(await eventsOf(command.data.transactionId)).toHaveLength(2);
  });

  it('is made once under one key', async () => {
    const { send } = await start();
    const stamp = { ndc: 'ndc-1', timestamp: 'now', buildNumber: 'one' };
    const keyed = async () => {
      const command = await registration();
      const answer = { id: command.data.transactionId, ...stamp };
      const idempotency = { key: 'a'.repeat(64), fingerprint: 'b'.repeat(64), answer };
      return { ...command, data: { ...command.data, idempotency } };
    };
    const first = await keyed();
    await send(first);
    expect(await send(await keyed())).toMatchObject({
      ...{ kind: 'keyTaken', answer: { id: first.data.transactionId, ...stamp } },
      outcome: { status: 'approved' },
    });
  });

  it('is refused without asking the vault where the request deserves it', async () => {
    const { send, ask, vault } = await start();
    const command = await registration({ rejection: '100.100.101' });
    expect(outcomeIn(await send(command))).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.100.101' },
    });
    expect((await ask(command.data.transactionId))?.state).toBe('never');
    expect(vault.asked).toEqual([]);
  });

  it('was not performed where the vault holds nothing any more', async () => {
    const { send, ask, vault } = await start();
    vault.holdsNothing = true;
    const command = await registration();
    expect(outcomeIn(await send(command))).toMatchObject({
      ...{ status: 'notPerformed', resultCode: '900.100.310' },
    });
    expect((await ask(command.data.transactionId))?.state).toBe('never');
  });

  it('is pending while the vault is away, and kept when it is back', async () => {
    const { send, until, vault } = await start();
    vault.isAway = true;
    const command = await registration();
    const { transactionId: id } = command.data;
    expect(outcomeIn(await send(command)).status).toBe('requested');
    vault.isAway = false;
    await until(id, (view) => view?.state === 'kept');
    expect(vault.kept.has(id)).toBe(true);
  });

  it('is finished by another process if the one that began it is gone', async () => {
    const first = await start();
    first.vault.isAway = true;
    const command = await registration();
    await first.send(command);
    await first.end();
    const second = await start();
    await second.until(command.data.transactionId, (view) => view?.state === 'kept');
  });
});

describe('a registration that was asked for with a payment', () => {
  const approved = { status: 'approved', resultCode: '000.100.110' } as const;

  async function withPayment() {
    const process = await start();
    const paymentId = newTransactionId(Date.now());
    const command = await registration({ paymentId });
    const outcome = outcomeIn(await process.send(command));
    return { ...process, id: command.data.transactionId, paymentId, outcome };
  }

  it('is kept and pending, and can be used as soon as the payment is approved', async () => {
    const { outcome, vault, payments, ask, id, paymentId } = await withPayment();
    expect(outcome).toMatchObject({ status: 'awaitsPayment', resultCode: '000.200.000' });
    expect(vault.kept.has(id)).toBe(true);
    expect((await ask(id))?.state).toBe('requested');
    payments.outcomes.set(paymentId, approved);
    expect(await ask(id)).toMatchObject({
      ...{ state: 'kept', outcome: { status: 'approved' } },
      instrument: { vaultReference: `kept.${id}` },
    });
    expect(await eventsOf(id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationConfirmed'],
    ]);
  });

  it('can be deleted as soon as the payment is approved', async () => {
    const { send, vault, payments, id, paymentId } = await withPayment();
    const early = outcomeIn(await send(referring(id, 'deletion')));
    expect(early).toMatchObject({ status: 'rejected', resultCode: '100.150.201' });
    payments.outcomes.set(paymentId, approved);
    expect(outcomeIn(await send(referring(id, 'deletion'))).status).toBe('approved');
    expect(vault.kept.has(id)).toBe(false);
  });

  it('is confirmed without being asked for', async () => {
    const { payments, id, paymentId } = await withPayment();
    payments.outcomes.set(paymentId, approved);
    while ((await eventsOf(id)).at(-1) !== 'RegistrationConfirmed') await delay(5);
  });

  it('is forgotten if the payment fails', async () => {
    const { vault, payments, ask, id, paymentId } = await withPayment();
    payments.outcomes.set(paymentId, { status: 'declined', resultCode: '800.100.152' });
    while (vault.kept.has(id)) await delay(5);
    expect(await ask(id)).toMatchObject({
      ...{ state: 'never', outcome: { status: 'rejected', resultCode: '800.100.152' } },
    });
    while ((await eventsOf(id)).at(-1) !== 'DetailsForgotten') await delay(5);
  });

  it.each(['requested', 'pending', 'unknown'] as const)(
    'waits while the payment is %s',
    async (status) => {
      const { payments, ask, id, paymentId } = await withPayment();
      payments.outcomes.set(paymentId, { status, resultCode: '000.200.000' });
      expect((await ask(id))?.state).toBe('requested');
      payments.outcomes.set(paymentId, approved);
      expect((await ask(id))?.state).toBe('kept');
    },
  );

  it('waits while payments is away', async () => {
    const { payments, ask, id, paymentId } = await withPayment();
    payments.isAway = true;
    expect((await ask(id))?.state).toBe('requested');
    payments.isAway = false;
    payments.outcomes.set(paymentId, approved);
    expect((await ask(id))?.state).toBe('kept');
  });

  it('is given up once its payment cannot be made any more', async () => {
    const { vault, id } = await withPayment();
    await pool.query(
      `UPDATE registrations.events
       SET metadata = jsonb_set(metadata::jsonb, '{recordedAtMs}', '1')::text::json
       WHERE stream_id = $1 AND version = 1`,
      [id],
    );
    while (vault.kept.has(id)) await delay(5);
    expect(await eventsOf(id)).toContain('RegistrationAbandoned');
  });
});

describe('a deletion', () => {
  it('has the vault forget, and is done once', async () => {
    const { send, ask, until, vault } = await start();
    const command = await registration();
    const { transactionId: id } = command.data;
    await send(command);
    const deletion = referring(id, 'deletion');
    expect(outcomeIn(await send(deletion))).toEqual({
      ...{ id: deletion.data.transactionId, referencedId: id, operation: 'deletion' },
      ...{ status: 'approved', resultCode: '000.100.110' },
    });
    expect(outcomeIn(await send(deletion)).status).toBe('approved');
    expect(vault.kept.has(id)).toBe(false);
    const view = await ask(id);
    expect(view?.state).toBe('ended');
    expect(view?.instrument).not.toHaveProperty('vaultReference');
    expect(outcomeIn(await send(referring(id, 'deletion')))).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.350.101' },
    });
    await until(id, (now) => now?.state === 'ended');
    expect(await eventsOf(id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationDeleted', 'DetailsForgotten'],
    ]);
  });

  it('is good at once while the vault is away, which forgets when it is back', async () => {
    const { send, ask, vault } = await start();
    const command = await registration();
    const { transactionId: id } = command.data;
    await send(command);
    vault.isAway = true;
    expect(outcomeIn(await send(referring(id, 'deletion'))).status).toBe('approved');
    expect((await ask(id))?.state).toBe('ended');
    expect(vault.kept.has(id)).toBe(true);
    // Not after the five seconds of a running service.
    await pool.query('UPDATE registrations.streams SET due_at = now() WHERE stream_id = $1', [id]);
    vault.isAway = false;
    while (vault.kept.has(id)) await delay(5);
  });

  it('of what is not there is answered so', async () => {
    const { send } = await start();
    const id = newTransactionId(Date.now());
    expect(await send(referring(id, 'deletion'))).toEqual({ kind: 'notFound' });
    expect(await eventsOf(id)).toEqual([]);
  });
});

describe('what is kept', () => {
  it('is forgotten when its time is over', async () => {
    const { send, until, vault } = await start();
    const command = await registration({ expiryYear: '2020' });
    const { transactionId: id } = command.data;
    await send(command);
    await until(id, (view) => view?.state === 'ended');
    while (vault.kept.has(id)) await delay(5);
    expect((await eventsOf(id)).slice(0, 3)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationExpired'],
    ]);
  });

  it('is kept for longer when its life is extended', async () => {
    const { send, ask } = await start();
    // Due a year from now at the earliest, so that nothing ends it meanwhile.
    const expiryYear = String(new Date().getUTCFullYear());
    const command = await registration({ expiryYear });
    const { transactionId: id } = command.data;
    await send(command);
    expect(outcomeIn(await send(referring(id, 'extension'))).status).toBe('approved');
    expect(outcomeIn(await send(referring(id, 'extension'))).status).toBe('approved');
    expect(await eventsOf(id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'LifeExtended'],
    ]);
    expect((await ask(id))?.state).toBe('kept');
  });
});
