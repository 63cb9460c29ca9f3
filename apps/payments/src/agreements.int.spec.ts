import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { InitiatePaymentData } from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import {
  context,
  OTHER_ENTITY_ID,
  PaymentsProcess,
  PaymentsWorld,
  reference,
} from '../test/payments-fixture.js';

const BROKEN = '600.200.501';

let world: PaymentsWorld;
/** Two instances, which share nothing but the database. */
let one: PaymentsProcess;
let other: PaymentsProcess;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  one = await PaymentsProcess.start(world);
  other = await PaymentsProcess.start(world);
});

afterEach(() => {
  world.connector.behaviour = 'approve';
  world.connector.letGo();
});

afterAll(async () => {
  await Promise.all([one.die(), other.die()]);
  await world.close();
});

const said = (terms: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(terms).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );

function begun(terms: Readonly<Record<string, string>>): Promise<TransactionId> {
  return one.paid('debit', 1_000, {
    parameters: said({ mode: 'INITIAL', source: 'CIT', ...terms }),
  });
}

function later(agreementId: string, terms: Readonly<Record<string, string>> = {}) {
  return { parameters: said({ mode: 'REPEATED', source: 'MIT', agreementId, ...terms }) };
}

async function paidLater(
  process: PaymentsProcess,
  agreementId: string,
  terms: Readonly<Record<string, string>> = {},
): Promise<string> {
  return (await process.outcome(process.initiation('debit', 500, later(agreementId, terms))))
    .resultCode;
}

const APPROVED = '000.100.110';

describe('an agreement of three installments', () => {
  it('takes two later payments, on whichever instance, and no third', async () => {
    const first = await begun({ numberOfInstallments: '3' });
    expect(await paidLater(other, first)).toBe(APPROVED);
    expect(await paidLater(one, first)).toBe(APPROVED);
    const { status, resultCode, resultDescription } = await other.outcome(
      other.initiation('debit', 500, later(first)),
    );
    expect({ status, resultCode }).toEqual({ status: 'rejected', resultCode: BROKEN });
    expect(resultDescription).toContain('numberOfInstallments of the first payment');
  });

  it('takes one of ten that come at the same time for the last place', async () => {
    const first = await begun({ numberOfInstallments: '2' });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => paidLater(index % 2 === 0 ? one : other, first)),
    ).catch((error: unknown) => [String(error)]);
    expect(outcomes.filter((code) => code === APPROVED)).toHaveLength(1);
  });

  it('counts rebills and later payments together', async () => {
    const first = await begun({ numberOfInstallments: '3' });
    expect((await one.outcome(reference('rebill', first, 500))).status).toBe('approved');
    expect(await paidLater(other, first)).toBe(APPROVED);
    expect((await one.outcome(reference('rebill', first, 500))).resultCode).toBe(BROKEN);
    expect(await paidLater(other, first)).toBe(BROKEN);
  });

  it('takes a rebill or a later payment, not both, if they come together', async () => {
    const first = await begun({ numberOfInstallments: '2' });
    const outcomes = await Promise.all([
      one.outcome(reference('rebill', first, 500)),
      other.outcome(other.initiation('debit', 500, later(first))),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['approved', 'rejected']);
  });

  it('does not count what was declined', async () => {
    const first = await begun({ numberOfInstallments: '2' });
    world.connector.behaviour = 'decline';
    await paidLater(one, first);
    world.connector.behaviour = 'approve';
    expect(await paidLater(other, first)).toBe(APPROVED);
    expect(await paidLater(one, first)).toBe(BROKEN);
  });

  it('counts what is pending, as it may have been booked', async () => {
    const first = await begun({ numberOfInstallments: '2' });
    world.connector.behaviour = 'pending';
    await paidLater(one, first);
    world.connector.behaviour = 'approve';
    expect(await paidLater(other, first)).toBe(BROKEN);
  });

  it('counts what a process has left open that died', async () => {
    const first = await begun({ numberOfInstallments: '2' });
    const dying = await PaymentsProcess.start(world, { settings: { sweepIntervalMs: 60_000 } });
    world.connector.behaviour = 'hang';
    void dying.send(dying.initiation('debit', 500, later(first)), 100);
    const subject = `agreement:${first}`;
    for (;;) {
      const text = 'SELECT FROM payments.marks WHERE subject = $1';
      if ((await world.admin.query(text, [subject])).rowCount === 2) break;
    }
    await dying.die();
    world.connector.behaviour = 'approve';
    expect(await paidLater(other, first)).toBe(BROKEN);
  });

  it('binds a rebill of a later payment, too', async () => {
    const first = await begun({ numberOfInstallments: '2' });
    const { id } = await other.outcome(other.initiation('debit', 500, later(first)));
    expect((await one.outcome(reference('rebill', id, 500))).resultCode).toBe(BROKEN);
  });
});

describe('an agreement', () => {
  it("is known by the name that the merchant gave, and by the acquirer's id", async () => {
    const parameters = said({
      ...{ mode: 'INITIAL', source: 'CIT', agreementId: 'contract-1', numberOfInstallments: '1' },
    });
    const { connectorTxId = '' } = await one.outcome(one.initiation('debit', 100, { parameters }));
    expect(await paidLater(other, 'contract-1')).toBe(BROKEN);
    const byAcquirer = said({
      mode: 'REPEATED',
      source: 'MIT',
      initialTransactionId: connectorTxId,
    });
    const repeated = other.initiation('debit', 100, { parameters: byAcquirer });
    expect((await other.outcome(repeated)).resultCode).toBe(BROKEN);
  });

  it('is known to a payment by registration without a name', async () => {
    const first = await begun({ numberOfInstallments: '1' });
    const parameters = said({ mode: 'REPEATED', source: 'CIT' });
    const repeated = { parameters, storedByPaymentId: first };
    const { resultCode } = await one.outcome(one.initiation('authorization', 500, repeated));
    expect(resultCode).toBe(BROKEN);
  });

  it.each(['agreementId', 'initialTransactionId'])(
    'is none where the first payment was declined, which %s names by our id',
    async (name) => {
      world.connector.behaviour = 'decline';
      const parameters = said({ mode: 'INITIAL', source: 'CIT' });
      const { id } = await one.outcome(one.initiation('debit', 500, { parameters }));
      world.connector.behaviour = 'approve';
      const named = { parameters: said({ mode: 'REPEATED', source: 'MIT', [name]: id }) };
      const refused = await other.outcome(other.initiation('debit', 500, named));
      expect(refused).toMatchObject({
        ...{ status: 'rejected', resultCode: BROKEN },
        resultDescription: expect.stringContaining('the first payment that it names'),
      });
      const foreign = { ...named, context: context(OTHER_ENTITY_ID) };
      expect((await one.outcome(one.initiation('debit', 500, foreign))).status).toBe('approved');
    },
  );

  it.each(['agreementId', 'initialTransactionId'])(
    "is not asked of the shopper's own payment, whose %s names a declined one",
    async (name) => {
      world.connector.behaviour = 'decline';
      const parameters = said({ mode: 'INITIAL', source: 'CIT' });
      const { id } = await one.outcome(one.initiation('debit', 500, { parameters }));
      world.connector.behaviour = 'approve';
      const named = { parameters: said({ mode: 'REPEATED', source: 'CIT', [name]: id }) };
      const paid = await other.outcome(other.initiation('debit', 500, named));
      expect(paid.status).toBe('approved');
    },
  );

  it('is there where a declined one was made again under its name, with terms or none', async () => {
    for (const terms of [{}, { numberOfInstallments: '9' }]) {
      world.connector.behaviour = 'decline';
      const declined = await one.outcome(
        one.initiation('debit', 500, { parameters: said({ mode: 'INITIAL', source: 'CIT' }) }),
      );
      world.connector.behaviour = 'approve';
      await begun({ agreementId: declined.id, ...terms });
      expect(await paidLater(other, declined.id)).toBe(APPROVED);
    }
  });

  it('without terms, named by our id, is taken', async () => {
    expect(await paidLater(other, await begun({}))).toBe(APPROVED);
  });

  it('of another entity, or of another gateway, is taken as given', async () => {
    const first = await begun({ numberOfInstallments: '1' });
    const foreign = { ...later(first), context: context(OTHER_ENTITY_ID) };
    expect((await one.outcome(one.initiation('debit', 500, foreign))).status).toBe('approved');
    expect(await paidLater(other, 'migrated-1', { expiry: '2001-01-01' })).toBe(APPROVED);
  });

  it('takes nothing after its end, and nothing too soon', async () => {
    expect(await paidLater(other, await begun({ expiry: '2001-01-01' }))).toBe(BROKEN);
    expect(await paidLater(other, await begun({ frequency: '0030' }))).toBe(BROKEN);
    expect(await paidLater(other, await begun({ frequency: '0000' }))).toBe(APPROVED);
  });

  it('is in the stream of a later payment', async () => {
    const first = await begun({ numberOfInstallments: '9' });
    const { id } = await other.outcome(other.initiation('debit', 500, later(first)));
    const { rows } = await world.admin.query<{ agreement: object }>(
      "SELECT data->'agreement' AS agreement FROM payments.events WHERE stream_id = $1 AND version = 1",
      [id],
    );
    expect(rows).toEqual([
      {
        agreement: {
          firstPaymentId: first,
          terms: { 'standingInstruction.numberOfInstallments': '9' },
        },
      },
    ]);
  });
});

describe('a later payment of the merchant by a registration', () => {
  let registrations = 0;
  const newRegistration = () => {
    registrations += 1;
    return newTransactionId(registrations);
  };
  const by = async (
    registrationId: TransactionId,
    terms: Readonly<Record<string, string>>,
    stored: Pick<InitiatePaymentData, 'storedTerms' | 'storedByPaymentId'> = {},
  ) => {
    const parameters = { registrationId, ...said(terms) };
    return one.outcome(one.initiation('debit', 500, { parameters, ...stored }));
  };
  const first = { mode: 'INITIAL', source: 'CIT' };
  const repeated = { mode: 'REPEATED', source: 'MIT' };

  it('is under the agreement that was made by it, whatever name it sends', async () => {
    const registration = newRegistration();
    await by(registration, { ...first, numberOfInstallments: '2' });
    expect((await by(registration, repeated)).resultCode).toBe(APPROVED);
    expect((await by(registration, repeated)).resultCode).toBe(BROKEN);
    const bogus = { ...repeated, agreementId: 'bogus' };
    expect((await by(registration, bogus)).resultCode).toBe(BROKEN);
    const elsewhere = { ...repeated, agreementId: await begun({ numberOfInstallments: '9' }) };
    expect((await by(registration, elsewhere)).resultCode).toBe(BROKEN);
    expect((await by(registration, { mode: 'REPEATED', source: 'CIT' })).resultCode).toBe(APPROVED);
    expect((await by(newRegistration(), bogus)).resultCode).toBe(APPROVED);
  });

  it('is under the latest agreement, or the older one that it names', async () => {
    const registration = newRegistration();
    const { id: older } = await by(registration, { ...first, numberOfInstallments: '1' });
    expect((await by(registration, repeated)).resultCode).toBe(BROKEN);
    const { id: latest } = await by(registration, first);
    const storedBy = { storedByPaymentId: older };
    expect((await by(registration, repeated, storedBy)).resultCode).toBe(APPROVED);
    const named = async (agreementId: string) =>
      (await by(registration, { ...repeated, agreementId }, storedBy)).resultCode;
    expect(await named(older)).toBe(BROKEN);
    expect(await named(latest)).toBe(APPROVED);
    await by(registration, { ...first, numberOfInstallments: '1' });
    expect((await by(registration, repeated, storedBy)).resultCode).toBe(BROKEN);
    expect(await named(latest)).toBe(APPROVED);
  });

  it('is under what was agreed when that was stored, until something else is agreed', async () => {
    const registration = newRegistration();
    const stored = { storedTerms: said({ numberOfInstallments: '2' }) };
    const { id } = await by(registration, repeated, stored);
    expect((await one.outcome(reference('rebill', id, 500))).resultCode).toBe(APPROVED);
    expect((await by(registration, repeated, stored)).resultCode).toBe(BROKEN);
    expect((await one.outcome(reference('rebill', id, 500))).resultCode).toBe(BROKEN);
    const bogus = { ...repeated, agreementId: 'bogus' };
    expect((await by(registration, bogus, stored)).resultCode).toBe(BROKEN);
    await by(registration, first, stored);
    expect((await by(registration, repeated, stored)).resultCode).toBe(APPROVED);
  });

  it('is refused where it names a declined payment as its first one, whatever else is agreed', async () => {
    const registration = newRegistration();
    world.connector.behaviour = 'decline';
    const { id: agreementId } = await by(registration, first);
    world.connector.behaviour = 'approve';
    const named = { ...repeated, agreementId };
    const stored = { storedTerms: said({ numberOfInstallments: '9' }) };
    expect((await by(registration, named)).resultCode).toBe(BROKEN);
    expect((await by(registration, named, stored)).resultCode).toBe(BROKEN);
    await by(registration, first);
    expect((await by(registration, named)).resultCode).toBe(BROKEN);
  });

  it('takes one of ten that come together for the last place of what was agreed so', async () => {
    const registration = newRegistration();
    const stored = { storedTerms: said({ numberOfInstallments: '2' }) };
    expect((await by(registration, repeated, stored)).resultCode).toBe(APPROVED);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => by(registration, repeated, stored)),
    );
    expect(outcomes.filter(({ resultCode }) => resultCode === APPROVED)).toHaveLength(1);
  });

  it('has the place again that a reversal gave back', async () => {
    const agreed = await begun({ numberOfInstallments: '2' });
    const { id } = await other.outcome(other.initiation('authorization', 500, later(agreed)));
    expect(await paidLater(other, agreed)).toBe(BROKEN);
    expect((await one.outcome(reference('reversal', id, 500))).resultCode).toBe(APPROVED);
    expect(await paidLater(other, agreed)).toBe(APPROVED);
    expect(await paidLater(other, agreed)).toBe(BROKEN);
  });
});
