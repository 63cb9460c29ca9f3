import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegistrationAnswer } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  entityId,
  foreignEntityId,
  merchantId,
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

describe('a registration', () => {
  it('is recorded, kept by the vault, and found with what is personal', async () => {
    const { send, ask, vault } = await world.start();
    const command = await world.registration();
    const { transactionId: id } = command.data;
    expect(outcomeIn(await send(command))).toEqual({
      ...{ id, operation: 'registration', status: 'approved', resultCode: '000.100.110' },
    });
    expect(vault.kept.get(id)).toEqual({
      ...{ heldReference: 'vault-0.abc', registrationId: id, merchantId },
      scope: `${entityId}|INTERNAL`,
    });
    expect(await ask(id)).toMatchObject({
      ...{ id, state: 'kept', entityId, parameters: { merchantTransactionId: 'order-4711' } },
      ...{ personal: { 'card.holder': 'Jane Jones' } },
      instrument: { kind: 'card', vaultReference: `kept.${id}`, last4: '0000' },
    });
    expect(await world.eventsOf(id)).toEqual(['RegistrationRequested', 'DetailsKept']);
  });

  it('is read as it was after an earlier event, and never later (R-WH-07)', async () => {
    const { send, query } = await world.start();
    const command = await world.registration();
    const { transactionId: id } = command.data;
    await send(command);
    await send(referring(id, 'deletion'));
    const at = (atVersion: number) =>
      query<RegistrationAnswer>('registration', { registrationId: id, entityId, atVersion });
    expect((await at(1)).registration).toMatchObject({ id, state: 'requested' });
    expect((await at(2)).registration).toMatchObject({
      ...{ id, state: 'kept', personal: { 'card.holder': 'Jane Jones' } },
    });
    expect((await at(3)).registration).toMatchObject({ id, state: 'ended' });
    expect(await at(0)).toEqual({});
  });

  it('says in its events that an address is to be called, unless a payment says so', async () => {
    const { send } = await world.start();
    const said = { notificationUrl: 'https://shop.example/told?shopper=jane-jones' };
    const alone = await world.registration({ said });
    const paymentId = newTransactionId(Date.now());
    const withPayment = await world.registration({ said, paymentId });
    for (const command of [alone, withPayment]) await send(command);
    const called = async ({ data }: typeof alone) => {
      const events = await world.recorded(data.transactionId);
      expect(JSON.stringify(events)).not.toContain('jane-jones');
      return events.map(({ metadata }) => metadata.hasNotificationUrl);
    };
    expect(await called(alone)).toEqual([true, true]);
    expect(await called(withPayment)).toEqual([undefined, undefined]);
  });

  it('is unknown to every other channel', async () => {
    const { send, ask, vault } = await world.start();
    const command = await world.registration();
    const { transactionId: id } = command.data;
    await send(command);
    expect(await ask(id, foreignEntityId)).toBeUndefined();
    expect(await send(referring(id, 'deletion', foreignEntityId))).toEqual({ kind: 'notFound' });
    expect(vault.kept.has(id)).toBe(true);
  });

  it('has nothing personal in clear in its events', async () => {
    const { send } = await world.start();
    const command = await world.registration();
    await send(command);
    const { rows } = await world.pool.query<{ data: string }>(
      'SELECT data::text FROM registrations.events WHERE stream_id = $1',
      [command.data.transactionId],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('Jane');
  });

  it('is made once, however often its command comes', async () => {
    const { send, vault } = await world.start();
    const command = await world.registration();
    const replies = await Promise.all([send(command), send(command), send(command)]);
    for (const reply of replies) expect(outcomeIn(reply).status).toBe('approved');
    expect(outcomeIn(await send(command)).status).toBe('approved');
    expect(vault.asked).toEqual(['keep']);
    expect(await world.eventsOf(command.data.transactionId)).toHaveLength(2);
  });

  it('is made once under one key', async () => {
    const { send } = await world.start();
    const stamp = { ndc: 'ndc-1', timestamp: 'now', buildNumber: 'one' };
    const keyed = async () => {
      const command = await world.registration();
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
    const { send, ask, vault } = await world.start();
    const command = await world.registration({ rejection: '100.100.101' });
    expect(outcomeIn(await send(command))).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.100.101' },
    });
    expect((await ask(command.data.transactionId))?.state).toBe('never');
    expect(vault.asked).toEqual([]);
  });

  it('was not performed where the vault holds nothing any more', async () => {
    const { send, ask, vault } = await world.start();
    vault.holdsNothing = true;
    const command = await world.registration();
    expect(outcomeIn(await send(command))).toMatchObject({
      ...{ status: 'notPerformed', resultCode: '900.100.310' },
    });
    expect((await ask(command.data.transactionId))?.state).toBe('never');
  });

  it('is pending while the vault is away, and kept when it is back', async () => {
    const { send, until, vault } = await world.start();
    vault.isAway = true;
    const command = await world.registration();
    const { transactionId: id } = command.data;
    expect(outcomeIn(await send(command)).status).toBe('requested');
    vault.isAway = false;
    await until(id, (view) => view?.state === 'kept');
    expect(vault.kept.has(id)).toBe(true);
  });

  it('is finished by another process if the one that began it is gone', async () => {
    const first = await world.start();
    first.vault.isAway = true;
    const command = await world.registration();
    await first.send(command);
    await first.end();
    const second = await world.start();
    await second.until(command.data.transactionId, (view) => view?.state === 'kept');
  });
});

describe('a deletion', () => {
  it('has the vault forget, and is done once', async () => {
    const { send, ask, until, vault } = await world.start();
    const command = await world.registration();
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
    expect(await world.eventsOf(id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationDeleted', 'DetailsForgotten'],
    ]);
  });

  it('is good at once while the vault is away, which forgets when it is back', async () => {
    const { send, ask, vault } = await world.start();
    const command = await world.registration();
    const { transactionId: id } = command.data;
    await send(command);
    vault.isAway = true;
    expect(outcomeIn(await send(referring(id, 'deletion'))).status).toBe('approved');
    expect((await ask(id))?.state).toBe('ended');
    expect(vault.kept.has(id)).toBe(true);
    // Not after the five seconds of a running service.
    await world.pool.query('UPDATE registrations.streams SET due_at = now() WHERE stream_id = $1', [
      id,
    ]);
    vault.isAway = false;
    while (vault.kept.has(id)) await delay(5);
  });

  it('of what is not there is answered so', async () => {
    const { send } = await world.start();
    const id = newTransactionId(Date.now());
    expect(await send(referring(id, 'deletion'))).toEqual({ kind: 'notFound' });
    expect(await world.eventsOf(id)).toEqual([]);
  });
});

describe('what is done to a registration that names no mode', () => {
  it('has the mode of the registration, and is refused for another', async () => {
    const { send, ask } = await world.start();
    const { data, ...command } = await world.registration();
    const context = { ...data.context, mode: 'EXTERNAL' } as const;
    await send({ ...command, data: { ...data, context } });
    const { transactionId: id } = data;
    expect(outcomeIn(await send(referring(id, 'deletion')))).toMatchObject({
      ...{ status: 'rejected', resultCode: '700.100.600' },
    });
    const { data: asked, ...deletion } = referring(id, 'deletion');
    const { mode: _, ...without } = asked.context;
    expect(outcomeIn(await send({ ...deletion, data: { ...asked, context: without } }))).toEqual({
      ...{ id: asked.transactionId, referencedId: id, operation: 'deletion' },
      ...{ status: 'approved', resultCode: '000.100.112' },
    });
    expect((await ask(id))?.state).toBe('ended');
  });
});

describe('what is kept', () => {
  it('is forgotten when its time is over', async () => {
    const { send, until, vault } = await world.start();
    const command = await world.registration({ expiryYear: '2020' });
    const { transactionId: id } = command.data;
    await send(command);
    await until(id, (view) => view?.state === 'ended');
    while (vault.kept.has(id)) await delay(5);
    expect((await world.eventsOf(id)).slice(0, 3)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationExpired'],
    ]);
  });

  it('is kept for longer when its life is extended', async () => {
    const { send, ask } = await world.start();
    // Due a year from now at the earliest, so that nothing ends it meanwhile.
    const expiryYear = String(new Date().getUTCFullYear());
    const command = await world.registration({ expiryYear });
    const { transactionId: id } = command.data;
    await send(command);
    expect(outcomeIn(await send(referring(id, 'extension'))).status).toBe('approved');
    expect(outcomeIn(await send(referring(id, 'extension'))).status).toBe('approved');
    expect(await world.eventsOf(id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'LifeExtended', 'LifeExtended'],
    ]);
    expect((await ask(id))?.state).toBe('kept');
  });
});
