import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectorsFor } from '@sluice/connectors';
import type { SecretDetails, TransactionView } from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import { createLogger } from '@sluice/service';
import {
  SECOND_SLUICE_WITHIN_MS,
  type SecondSluice,
  type SecondSluiceEntry,
  seededRandom,
  startSecondSluice,
} from '@sluice/testing';
import process from 'node:process';
import { Writable } from 'node:stream';
import { type FaultyWay, startFaultyWay, type WayFault } from '../test/faulty-way.js';
import { CARD, PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';

const APPROVED = '000.100.110';
const CARD_NUMBER = '4200000000000000';
const shopperResultUrl = 'https://shop.example/result';
/** Long enough for two gateways on a busy machine. */
const CALL_TIMEOUT_MS = 3_000;
const TEST_WITHIN_MS = 60_000;

let other: SecondSluice;
let way: FaultyWay;
let world: PaymentsWorld;
let payments: PaymentsProcess;
let log = '';

beforeAll(async () => {
  [other, world] = await Promise.all([startSecondSluice(), PaymentsWorld.make()]);
  way = await startFaultyWay(other.url);
  const { entityId, accessToken } = other;
  const access = { url: way.url, entityId, accessToken, isPrivate: true };
  const limits = { callTimeoutMs: CALL_TIMEOUT_MS, maxInFlightMs: 500, callsMax: 100 };
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log += chunk.toString('utf8');
      done();
    },
  });
  payments = await PaymentsProcess.start(world, {
    connectors: connectorsFor({ platform: access }, limits),
    settings: {
      ...{ ...limits, sendWindowMs: 2_000, resolveByMs: 12_000 },
      // Inquiries are lost as well, so there are some more of them after "not found" is proof.
      inquireAfterMs: [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 7_000, 8_000, 9_000, 10_000],
    },
    logger: createLogger({ service: 'payments', level: 'debug', destination }),
  });
}, SECOND_SLUICE_WITHIN_MS);

afterAll(async () => {
  await payments.die();
  await world.close();
  await way.close();
  await other.stop();
});

beforeEach(() => {
  way.faultOf = () => 'none';
  way.passed.length = 0;
});

/** What the other gateway has under our id; fails the test if that is not one thing. */
async function theirs(id: string): Promise<SecondSluiceEntry> {
  const [entry, another] = await other.entries(id);
  if (entry === undefined || another !== undefined) throw new Error(`not one entry for ${id}`);
  return entry;
}

/** An approved operation on a payment. */
async function done(...given: Parameters<typeof reference>): Promise<TransactionId> {
  const outcome = await payments.outcome(reference(...given));
  expect(outcome).toMatchObject({ status: 'approved', resultCode: APPROVED });
  return outcome.id;
}

describe('a payment at another Sluice', () => {
  it('is approved, and is one payment there', async () => {
    const id = await payments.paid('debit', 9_200);
    const entry = await theirs(id);
    expect(entry).toMatchObject({ paymentType: 'DB', amount: '92.00', currency: 'EUR' });
    expect(entry.result.code).toBe(APPROVED);
    expect(await payments.view(id)).toMatchObject({ connectorTxId: entry.id });
  });

  it('is declined by the code of the other one', async () => {
    const personal = { 'card.holder': '800.100.153' };
    const initiation = payments.initiation('debit', 9_200, { personal });
    const outcome = await payments.outcome(initiation);
    expect(outcome).toMatchObject({ status: 'declined', resultCode: '800.100.153' });
    expect((await theirs(outcome.id)).result.code).toBe('800.100.153');
  });

  it('is captured, refunded in part, and reversed for the rest', async () => {
    const id = await payments.paid('authorization', 9_200);
    const captured = await done('capture', id, 6_000);
    const refunded = await done('refund', captured, 1_000);
    const reversed = await done('reversal', id);
    const { id: authorization } = await theirs(id);
    const capture = await theirs(captured);
    expect(capture).toMatchObject({
      ...{ paymentType: 'CP', amount: '60.00', referencedId: authorization },
    });
    expect(await theirs(refunded)).toMatchObject({
      ...{ paymentType: 'RF', amount: '10.00', referencedId: capture.id },
    });
    expect(await theirs(reversed)).toMatchObject({
      ...{ paymentType: 'RV', amount: '32.00', referencedId: authorization },
    });
  });

  it('is reversed on its day, and authorized for more', async () => {
    const debit = await payments.paid('debit', 9_200);
    const reversal = await done('reversal', debit);
    expect(await theirs(reversal)).toMatchObject({ paymentType: 'RV', amount: '92.00' });
    const authorization = await payments.paid('authorization', 9_200);
    const more = await done('incrementalAuthorization', authorization, 800);
    expect(await theirs(more)).toMatchObject({ paymentType: 'PA', amount: '8.00' });
    await done('capture', authorization, 10_000);
  });

  it('is refused there where it is refused by name, and nothing is booked', async () => {
    const initiation = payments.initiation('debit', 9_200, {
      parameters: { 'customer.identificationDocType': 'IDCARD' },
    });
    const outcome = await payments.outcome(initiation);
    expect(outcome).toMatchObject({ status: 'notPerformed', resultCode: '900.100.200' });
    expect(await other.entries(outcome.id)).toEqual([]);
  });
});

describe('a payment that another Sluice decides with the shopper', () => {
  /** The shopper’s browser at the other gateway: to the provider’s page, which pays or does not. */
  async function shopperChooses(url: string, choice: string): Promise<string> {
    const there = await fetch(url, { redirect: 'manual' });
    const page = new URL(there.headers.get('location') ?? '', url);
    const chosen = await fetch(new URL(`${page.pathname}/${choice}`, page), {
      method: 'POST',
      redirect: 'manual',
    });
    const back = new URL(chosen.headers.get('location') ?? '', url);
    const home = await fetch(back, { redirect: 'manual' });
    return home.headers.get('location') ?? '';
  }

  const returnUrl = 'https://us.example/redirects/7/return';
  const instrument = { kind: 'virtualAccount', brand: 'PAYPAL' } as const;

  it.each([
    ['approve', 'approved', APPROVED],
    ['cancel', 'declined', '100.396.101'],
  ])('is what the shopper makes of it: %s', async (choice, status, resultCode) => {
    const initiation = payments.initiation('debit', 9_200, {
      ...{ instrument, returnUrl, personal: { shopperResultUrl } },
    });
    const { id, redirect, ...outcome } = await payments.outcome(initiation);
    expect(outcome).toMatchObject({ status: 'pending', resultCode: '000.200.000' });
    const { id: theirId } = await theirs(id);
    expect(redirect).toEqual({
      ...{ url: `${way.url}/redirects/${theirId}`, method: 'GET', parameters: {} },
    });
    const path = encodeURIComponent(`/v1/payments/${theirId}`);
    expect(await shopperChooses(redirect?.url ?? '', choice)).toBe(
      `${returnUrl}?id=${theirId}&resourcePath=${path}`,
    );
    const query = { transactionId: id };
    const answer = await payments.bus.queries.ask('payments', 'payments.shopperReturn', query);
    expect(answer).toEqual({ shopperResultUrl });
    expect(await payments.view(id)).toMatchObject({ status, resultCode });
  });
});

describe('a payment by agreement with a provider', () => {
  const details = { 'virtualAccount.accountId': new Detail('jane.jones@example.org') };
  const brand = 'PAYPAL';

  it('is made at another Sluice without the shopper, from the account alone', async () => {
    const vaultReference = payments.vault.put({ kind: 'virtualAccount', details });
    const initiation = payments.initiation('debit', 9_200, {
      instrument: { kind: 'virtualAccount', brand, vaultReference },
      parameters: {
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.source': 'MIT',
        'standingInstruction.initialTransactionId': 'S000000004711',
      },
    });
    const { id, redirect, ...outcome } = await payments.outcome(initiation);
    expect([redirect, outcome]).toMatchObject([undefined, { status: 'approved' }]);
    expect(await theirs(id)).toMatchObject({ paymentType: 'DB', result: { code: APPROVED } });
  });
});

describe('payments with what was stored here', () => {
  let registrationId: TransactionId;
  // What one test agrees by a registration is found by the next one.
  beforeEach(() => {
    registrationId = newTransactionId(Date.now());
  });
  const said = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
    );

  const { 'card.cvv': _, ...KEPT } = CARD.details;

  /** The kept card, of which no security code is kept; the shopper may give it once more. */
  function byRegistration(
    fields: Readonly<Record<string, string>>,
    storedByPaymentId?: TransactionId,
    details: SecretDetails = KEPT,
  ) {
    const command = payments.initiation('debit', 500);
    const vaultReference = payments.vault.put({ kind: 'card', details });
    return payments.initiation('debit', 500, {
      instrument: { ...command.data.instrument, vaultReference },
      parameters: { ...said(fields), registrationId },
      ...(storedByPaymentId !== undefined && { storedByPaymentId }),
    });
  }

  it('are later ones of the first payment, by the names that both gateways gave it', async () => {
    const parameters = { ...said({ mode: 'INITIAL', source: 'CIT', type: 'RECURRING' }) };
    const first = await payments.paid('debit', 9_200, {
      parameters: { ...parameters, createRegistration: 'true', registrationId },
    });
    const { standingInstruction: given } = await theirs(first);
    expect(given).toMatchObject({ agreementId: first });
    const name = given?.['initialTransactionId'];
    expect(name).toMatch(/^S/);
    expect(await payments.view(first)).toMatchObject({
      resultDetails: { CardholderInitiatedTransactionID: name },
    });
    const later = byRegistration({ mode: 'REPEATED', source: 'MIT', type: 'RECURRING' }, first);
    const { id, ...outcome } = await payments.outcome(later);
    expect(outcome).toMatchObject({ status: 'approved', resultCode: APPROVED });
    expect((await theirs(id)).standingInstruction).toEqual({
      ...{ mode: 'REPEATED', source: 'MIT', type: 'RECURRING' },
      ...{ agreementId: first, initialTransactionId: name },
    });
  });

  it('begin an agreement of their own with INITIAL, which what the merchant initiates goes on with', async () => {
    const stored = await payments.paid('debit', 9_200, {
      parameters: { ...said({ mode: 'INITIAL' }), createRegistration: 'true', registrationId },
    });
    const initial = { mode: 'INITIAL', source: 'CIT', type: 'RECURRING' };
    const first = await payments.outcome(byRegistration(initial, stored, CARD.details));
    expect(first).toMatchObject({ status: 'approved', resultCode: APPROVED });
    const { standingInstruction: given } = await theirs(first.id);
    expect(given).toMatchObject({ ...initial, agreementId: first.id });
    const later = await payments.outcome(
      byRegistration({ mode: 'REPEATED', source: 'MIT', type: 'RECURRING' }, stored),
    );
    expect(later.status).toBe('approved');
    expect((await theirs(later.id)).standingInstruction).toMatchObject({
      agreementId: first.id,
      initialTransactionId: given?.['initialTransactionId'],
    });
  });

  it('are declined with INITIAL where the other gateway wants a security code', async () => {
    const { id, ...outcome } = await payments.outcome(
      byRegistration({ mode: 'INITIAL', source: 'CIT' }),
    );
    expect(outcome).toMatchObject({ status: 'declined', resultCode: '100.100.600' });
    expect(await payments.view(id)).toMatchObject({ resultCode: '100.100.600' });
  });

  it('name the registration where no payment stored it', async () => {
    const later = byRegistration({ mode: 'REPEATED', source: 'MIT' });
    const { id, status } = await payments.outcome(later);
    expect(status).toBe('approved');
    expect((await theirs(id)).standingInstruction).toMatchObject({ agreementId: registrationId });
  });

  it('need no security code when the shopper makes them', async () => {
    const { id, status } = await payments.outcome(byRegistration({}));
    expect(status).toBe('approved');
    expect((await theirs(id)).standingInstruction).toEqual({
      ...{ type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' },
    });
  });
});

describe('a lost answer', () => {
  it.each<[WayFault, string]>([
    ['dropAfter', 'approved'],
    ['slowAnswer', 'approved'],
    ['dropBefore', 'notPerformed'],
    ['late', 'approved'],
  ])(
    'is found out by inquiry: %s, %s',
    async (fault, status) => {
      way.faultOf = ({ method }) => (method === 'POST' ? fault : 'none');
      const { id, ...outcome } = await payments.outcome(payments.initiation('debit', 9_200));
      expect(['unknown', 'approved']).toContain(outcome.status);
      await payments.until(id, status);
      expect(way.passed.filter(({ method }) => method === 'POST')).toHaveLength(1);
      const booked = await other.entries(id);
      expect(booked.map(({ result }) => result.code)).toEqual(
        status === 'approved' ? [APPROVED] : [],
      );
    },
    TEST_WITHIN_MS,
  );
});

describe('two hundred payments with drops and delays', () => {
  const PAYMENTS = 200;
  const AT_ONCE = 12;
  const LOOK_EVERY_MS = 200;
  const FAULTS: readonly WayFault[] = ['dropBefore', 'dropAfter', 'late', 'slowAnswer'];
  const OPEN = ['requested', 'unknown', 'pending'];

  async function ended(id: string): Promise<TransactionView> {
    for (;;) {
      // Two gateways on a busy machine: a look that takes too long is no end.
      const view = await payments.view(id).catch(() => undefined);
      if (view !== undefined && !OPEN.includes(view.status)) return view;
      await new Promise((again) => setTimeout(again, LOOK_EVERY_MS));
    }
  }

  it(
    'are the same in both books',
    async () => {
      const seed = process.env['TEST_SEED'] ?? String(Date.now());
      const random = seededRandom(seed);
      way.faultOf = () => (random.chance(0.3) ? random.pick(FAULTS) : 'none');
      const ends: { id: string; status: string; minor: number }[] = [];
      let begun = 0;
      const each = async (): Promise<void> => {
        while (begun < PAYMENTS) {
          begun += 1;
          const minor = random.integer(1, 1_000_000);
          const personal = random.chance(0.2) ? { 'card.holder': '800.100.153' } : {};
          const command = payments.initiation('debit', minor, { personal });
          const { id } = await payments.outcome(command);
          ends.push({ id, minor, status: (await ended(id)).status });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, each));
      way.faultOf = () => 'none';

      const differing: unknown[] = [];
      for (const end of ends) {
        const book = await other.entries(end.id, 'withLinked');
        const amounts = book
          .filter(({ result }) => result.code === APPROVED)
          .map(({ paymentType, amount }) => `${paymentType} ${amount ?? ''}`);
        const { minor } = end;
        const whole = `DB ${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
        const expected = end.status === 'approved' ? [whole] : [];
        const isSame = JSON.stringify(amounts) === JSON.stringify(expected);
        if (!isSame) differing.push({ ...end, amounts });
      }
      expect({ seed, differing }).toEqual({ seed, differing: [] });
      expect(ends).toHaveLength(PAYMENTS);
      // Each of these happened, so the test was one.
      const statuses = [...new Set(ends.map(({ status }) => status))].sort();
      expect(statuses).toEqual(['approved', 'declined', 'notPerformed']);
    },
    4 * TEST_WITHIN_MS,
  );
});

describe('the number of a card', () => {
  it('is in the request that pays, and in nothing else', async () => {
    const id = await payments.paid('authorization', 9_200);
    const captured = await done('capture', id, 9_200);
    await done('refund', captured, 100);
    way.faultOf = ({ method }) => (method === 'POST' ? 'dropAfter' : 'none');
    const { id: lost } = await payments.outcome(payments.initiation('debit', 9_200));
    await payments.until(lost, 'approved');
    const withNumber = way.passed.filter((each) => JSON.stringify(each).includes(CARD_NUMBER));
    expect(withNumber.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/payments',
      'POST /v1/payments',
    ]);
    const { rows } = await world.admin.query<{ table_name: string }>(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'payments'",
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { table_name: table } of rows) {
      const found = await world.admin.query(
        `SELECT FROM payments."${table}" AS each WHERE to_jsonb(each)::text LIKE $1 LIMIT 1`,
        [`%${CARD_NUMBER}%`],
      );
      expect({ table, found: found.rowCount }).toEqual({ table, found: 0 });
    }
    expect(log).toContain('outcome');
    expect(log).not.toContain(CARD_NUMBER);
    expect(log).not.toContain(other.accessToken);
  });
});
