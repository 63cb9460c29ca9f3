import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegisterInstrumentData } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { setTimeout as delay } from 'node:timers/promises';
import { outcomeIn, referring, RegistrationsWorld } from '../test/registrations-fixture.js';

let world: RegistrationsWorld;
beforeAll(async () => {
  world = await RegistrationsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

describe('a registration that was asked for with a payment', () => {
  const approved = { status: 'approved', resultCode: '000.100.110' } as const;

  async function withPayment(changes: Partial<RegisterInstrumentData> = {}) {
    const process = await world.start();
    const paymentId = newTransactionId(Date.now());
    const command = await world.registration({ paymentId, ...changes });
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
    expect(await world.eventsOf(id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationConfirmed'],
    ]);
  });

  it('can be extended as soon as the payment is approved', async () => {
    const { send, payments, id, paymentId } = await withPayment();
    const early = outcomeIn(await send(referring(id, 'extension')));
    expect(early).toMatchObject({ status: 'rejected', resultCode: '100.150.201' });
    expect(early.resultDescription).toMatch(/it can be deleted$/);
    payments.outcomes.set(paymentId, approved);
    expect(outcomeIn(await send(referring(id, 'extension'))).status).toBe('approved');
  });

  it.each(['before', 'after'] as const)(
    'can be deleted %s the payment is approved',
    async (when) => {
      const { send, ask, vault, payments, id, paymentId } = await withPayment();
      if (when === 'after') payments.outcomes.set(paymentId, approved);
      expect(outcomeIn(await send(referring(id, 'deletion'))).status).toBe('approved');
      expect(vault.kept.has(id)).toBe(false);
      payments.outcomes.set(paymentId, approved);
      expect((await ask(id))?.state).toBe('ended');
      expect((await world.eventsOf(id)).slice(-3)).toEqual([
        when === 'before' ? 'RegistrationAbandoned' : 'RegistrationConfirmed',
        ...['RegistrationDeleted', 'DetailsForgotten'],
      ]);
      const again = outcomeIn(await send(referring(id, 'deletion')));
      expect(again).toMatchObject({ status: 'rejected', resultCode: '100.350.101' });
    },
  );

  it('is deleted while payments is away, and nobody is asked about the payment any more', async () => {
    const { send, vault, payments, ask, id } = await withPayment();
    payments.isAway = true;
    expect(outcomeIn(await send(referring(id, 'deletion'))).status).toBe('approved');
    expect(vault.kept.has(id)).toBe(false);
    expect(await ask(id)).toMatchObject({
      ...{ state: 'ended', outcome: { status: 'rejected', resultCode: '100.150.202' } },
    });
  });

  it('is deleted for the other payment, too, that stores the same account', async () => {
    const { send, ask, payments, id } = await withPayment({ mayBeExisting: true });
    const paymentId = newTransactionId(Date.now());
    const other = await world.registration({ paymentId, mayBeExisting: true });
    expect(outcomeIn(await send(other))).toMatchObject({
      ...{ status: 'awaitsPayment', existingId: id },
    });
    expect(outcomeIn(await send(referring(id, 'deletion'))).status).toBe('approved');
    payments.outcomes.set(paymentId, approved);
    // Whoever was told either id means the one that was deleted.
    expect(await ask(other.data.transactionId)).toMatchObject({ id, state: 'ended' });
    while ((await world.eventsOf(other.data.transactionId)).at(-1) !== 'RegistrationConfirmed') {
      await delay(5);
    }
  });

  it('is confirmed without being asked for', async () => {
    const { payments, id, paymentId } = await withPayment();
    payments.outcomes.set(paymentId, approved);
    while ((await world.eventsOf(id)).at(-1) !== 'RegistrationConfirmed') await delay(5);
  });

  it('is forgotten if the payment fails', async () => {
    const { vault, payments, ask, id, paymentId } = await withPayment();
    payments.outcomes.set(paymentId, { status: 'declined', resultCode: '800.100.152' });
    while (vault.kept.has(id)) await delay(5);
    expect(await ask(id)).toMatchObject({
      ...{ state: 'never', outcome: { status: 'rejected', resultCode: '800.100.152' } },
    });
    while ((await world.eventsOf(id)).at(-1) !== 'DetailsForgotten') await delay(5);
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
    expect(await ask(id)).toMatchObject({ state: 'requested', isBehind: true });
    payments.isAway = false;
    expect(await ask(id)).not.toHaveProperty('isBehind');
    payments.outcomes.set(paymentId, approved);
    expect(await ask(id)).toMatchObject({ state: 'kept' });
  });

  it('is neither extended nor refused while payments is away', async () => {
    const { payments, send, id, paymentId } = await withPayment();
    payments.outcomes.set(paymentId, approved);
    payments.isAway = true;
    expect(await send(referring(id, 'extension'))).toEqual({ kind: 'unavailable' });
    expect(await send(await world.updating(id, {}))).toEqual({ kind: 'unavailable' });
    payments.isAway = false;
    expect(outcomeIn(await send(referring(id, 'extension'))).status).toBe('approved');
  });

  it('is given up once its payment cannot be made any more', async () => {
    const { vault, id } = await withPayment();
    await world.pool.query(
      `UPDATE registrations.events
       SET metadata = jsonb_set(metadata::jsonb, '{recordedAtMs}', '1')::text::json
       WHERE stream_id = $1 AND version = 1`,
      [id],
    );
    while (vault.kept.has(id)) await delay(5);
    expect(await world.eventsOf(id)).toContain('RegistrationAbandoned');
  });
});
