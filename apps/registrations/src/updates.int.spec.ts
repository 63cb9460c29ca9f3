import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReferToRegistration, UpdateRegistration } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  FakeVault,
  foreignEntityId,
  outcomeIn,
  referring,
  RegistrationsWorld,
} from '../test/registrations-fixture.js';

let world: RegistrationsWorld;
beforeAll(async () => {
  world = await RegistrationsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

const expiry = { month: '07', year: '2036' };

async function stored() {
  const process = await world.start();
  const command = await world.registration();
  await process.send(command);
  return { ...process, id: command.data.transactionId };
}

describe('the change of a registration', () => {
  it('gives the card another expiry in the vault, and is recorded before and after', async () => {
    const { send, ask, vault, id } = await stored();
    const command = await world.updating(id, { expiry });
    expect(outcomeIn(await send(command))).toEqual({
      ...{ id: command.data.transactionId, referencedId: id, operation: 'update' },
      ...{ status: 'approved', resultCode: '000.100.110' },
    });
    expect(vault.changes.get(id)).toEqual([{ registrationId: id, revision: 1, expiry }]);
    expect((await ask(id))?.instrument).toMatchObject({
      ...{ expiryMonth: '07', expiryYear: '2036', vaultReference: `kept.${id}` },
    });
    expect((await world.eventsOf(id)).slice(2)).toEqual([
      ...['UpdateRequested', 'RegistrationUpdated'],
    ]);
  });

  it('changes what is personal by name, and leaves the rest', async () => {
    const { send, ask, id } = await stored();
    await send(await world.updating(id, { changed: { 'billing.city': 'Berlin' } }));
    await send(await world.updating(id, { changed: { 'card.holder': 'Jane Doe' } }));
    expect((await ask(id))?.personal).toEqual({
      ...{ 'card.holder': 'Jane Doe', 'billing.city': 'Berlin' },
    });
    const { rows } = await world.pool.query(
      'SELECT data::text FROM registrations.events WHERE stream_id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/Jane|Berlin/);
  });

  it('to another mandate leaves no day on which the one before was signed', async () => {
    const process = await world.start();
    const [first, day] = ['bankAccount.mandate.id', 'bankAccount.mandate.dateOfSignature'];
    const said = { 'bankAccount.holder': 'Jane Jones', [first]: 'M-ONE', [day]: '2026-01-02' };
    const command = await world.registration({
      instrument: { kind: 'bankAccount', vaultReference: 'vault-0.abc', paymentMethod: 'DD' },
      said,
    });
    const id = command.data.transactionId;
    await process.send(command);
    const change = async (changed: Readonly<Record<string, string>>) => {
      await process.send(await world.updating(id, { changed }));
      return (await process.ask(id))?.personal;
    };
    expect(await change({ [first]: 'M-ONE' })).toEqual(said);
    expect(await change({ [first]: 'M-TWO' })).toEqual({
      ...{ 'bankAccount.holder': 'Jane Jones', [first]: 'M-TWO' },
    });
    expect(await change({ [day]: '2026-02-03' })).toMatchObject({ [day]: '2026-02-03' });
    const third = { [first]: 'M-THREE', [day]: '2026-03-04' };
    expect(await change(third)).toMatchObject(third);
  });

  it('is made once, however often its command comes', async () => {
    const { send, vault, id } = await stored();
    const command = await world.updating(id, { expiry });
    const replies = await Promise.all([send(command), send(command), send(command)]);
    expect(replies.map((reply) => outcomeIn(reply).id)).toEqual(
      replies.map(() => command.data.transactionId),
    );
    expect(new Set(vault.changes.get(id)?.map(({ revision }) => revision))).toEqual(new Set([1]));
    expect(await world.eventsOf(id)).toHaveLength(4);
  });

  it.each<[string, (id: TransactionId) => Promise<UpdateRegistration | ReferToRegistration>]>([
    ['is', (id) => world.updating(id, { expiry })],
    ['and an extension is', async (id) => referring(id, 'extension')],
  ])('%s known by its key also after the registration has ended', async (_, asking) => {
    const { send, id } = await stored();
    const keyed = async (key: string) => {
      const command = await asking(id);
      const { transactionId } = command.data;
      const answer = { id: transactionId, ndc: 'ndc-1', timestamp: 'now', buildNumber: 'one' };
      const idempotency = { key: `${key} ${id}`, fingerprint: 'f'.repeat(64), answer };
      return Object.assign(command, { data: { ...command.data, idempotency } });
    };
    const first = await keyed('first');
    await send(first);
    await send(referring(id, 'deletion'));
    expect(await send(await keyed('first'))).toMatchObject({
      ...{ kind: 'keyTaken', answer: { id: first.data.transactionId } },
      outcome: { id: first.data.transactionId, status: 'approved' },
    });
    expect(outcomeIn(await send(await keyed('other'))).resultCode).toBe('100.350.101');
  });

  it('of another channel is unknown', async () => {
    const { send, id, vault } = await stored();
    const { data, ...command } = await world.updating(id, { expiry });
    const context = { ...data.context, entityId: foreignEntityId };
    expect(await send({ ...command, data: { ...data, context } })).toEqual({ kind: 'notFound' });
    expect(vault.changes.size).toBe(0);
  });
});

describe('a change while the vault is away', () => {
  async function pending() {
    const process = await stored();
    process.vault.isAway = true;
    const command = await world.updating(process.id, { expiry });
    const outcome = outcomeIn(await process.send(command));
    return { ...process, command, outcome };
  }
  const untilUpdated = async (id: TransactionId) => {
    while ((await world.eventsOf(id)).at(-1) !== 'RegistrationUpdated') await delay(5);
  };

  it('is pending, and made when it is back', async () => {
    const { vault, ask, id, outcome } = await pending();
    expect(outcome).toMatchObject({ status: 'requested', resultCode: '000.200.000' });
    expect((await ask(id))?.instrument).toMatchObject({ expiryYear: '2034' });
    vault.isAway = false;
    await untilUpdated(id);
    expect((await ask(id))?.instrument).toMatchObject({ expiryYear: '2036' });
  });

  it('is made by another process if the one that had it dies', async () => {
    const { vault, id, end } = await pending();
    await end();
    const other = new FakeVault();
    for (const [key, value] of vault.kept) other.kept.set(key, value);
    await world.start(other);
    await untilUpdated(id);
    expect(other.changes.get(id)?.[0]).toEqual({ registrationId: id, revision: 1, expiry });
  });

  it('makes the next one busy, and a deletion ends it', async () => {
    const { send, ask, vault, id } = await pending();
    expect(await send(await world.updating(id, { expiry }))).toEqual({ kind: 'busy' });
    expect(outcomeIn(await send(referring(id, 'deletion'))).status).toBe('approved');
    vault.isAway = false;
    while ((await world.eventsOf(id)).at(-1) !== 'DetailsForgotten') await delay(5);
    expect(await world.eventsOf(id)).toContain('RegistrationNotUpdated');
    expect((await ask(id))?.state).toBe('ended');
    expect(vault.changes.size).toBe(0);
  });
});
