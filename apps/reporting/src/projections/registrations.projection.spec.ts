import { describe, expect, it } from '@jest/globals';
import { registrations } from './registrations.projection.js';
import type { TransactionRow } from './transactions.projection.js';

type Event = Parameters<typeof registrations.fold>[1];

const ID = '0194670a0000abcd0000000000000001';
const UPDATE_ID = '0194670a0000abcd0000000000000002';
const PAYMENT_ID = '0194670a0000abcd0000000000000009';
const metadata = {
  ...{ recordedAtMs: 1_790_000_000_000, entityId: 'e'.repeat(32), channelName: 'demo' },
  ...{ ndc: 'ndc-1', mode: 'INTERNAL', actor: 'a', correlationId: 'c', causationId: 'c' },
};
const instrument = {
  ...{ kind: 'card', vaultReference: 'vault-0.1', bin: '420000', last4: '0000', brand: 'VISA' },
  ...{ expiryMonth: '05', expiryYear: '2034' },
};
const requested = {
  ...{ transactionId: ID, instrument, merchantId: 'b'.repeat(32), personal: 'sealed' },
  parameters: { merchantTransactionId: 'order-4711' },
};
const own = { transactionId: ID, resultCode: '000.100.110' };
const change = { transactionId: UPDATE_ID, referencedId: ID, parameters: {} };

function event(type: string, data: object): Event {
  return { streamId: ID, version: 1, schemaVersion: 1, type, data, metadata } as Event;
}

/** The rows after these events, by their keys. */
function rowsOf(...events: readonly (readonly [type: string, data: object])[]) {
  const rows: Record<string, TransactionRow> = {};
  for (const [type, data] of events) {
    const one = event(type, data);
    const key = registrations.keyOf(one);
    rows[key] = registrations.fold(rows[key], one);
  }
  return rows;
}

describe('the row of a registration', () => {
  it('shows what was stored, by whom, and that it is pending until the vault has it', () => {
    const row = rowsOf(['RegistrationRequested', requested])[ID];
    expect(row).toMatchObject({
      ...{ streamId: ID, operation: 'registration', status: 'requested', paymentMethod: 'CC' },
      ...{ merchantTransactionId: 'order-4711', personal: 'sealed', referencedId: null },
      linkedId: null,
    });
    expect(row?.instrument).toContain('"last4":"0000"');
    expect(JSON.stringify(row)).not.toContain('vault-0.1');
    const kept = rowsOf(['RegistrationRequested', requested], ['DetailsKept', own])[ID];
    expect(kept).toMatchObject({ status: 'approved', resultCode: '000.100.110' });
  });

  it('of a payment waits for that, refers to it, and leaves it its reference', () => {
    const begun = ['RegistrationRequested', { ...requested, paymentId: PAYMENT_ID }] as const;
    expect(rowsOf(begun, ['DetailsKept', own])[ID]).toMatchObject({
      ...{ status: 'requested', referencedId: PAYMENT_ID, merchantTransactionId: null },
      linkedId: PAYMENT_ID,
    });
    const confirmed = rowsOf(begun, ['DetailsKept', own], ['RegistrationConfirmed', own]);
    expect(confirmed[ID]?.status).toBe('approved');
    const abandoned = { ...own, resultCode: '800.100.152' };
    const failed = rowsOf(begun, ['DetailsKept', own], ['RegistrationAbandoned', abandoned]);
    expect(failed[ID]).toMatchObject({ status: 'rejected', resultCode: '800.100.152' });
  });

  it.each([
    ['RegistrationConfirmed', 'approved'],
    ['RegistrationAbandoned', 'rejected'],
  ])('names the payment that has decided in place of its own: %s', (type, status) => {
    const begun = ['RegistrationRequested', { ...requested, paymentId: PAYMENT_ID }] as const;
    const decided = [type, { ...own, paymentId: UPDATE_ID }] as const;
    expect(rowsOf(begun, ['DetailsKept', own], decided)[ID]).toMatchObject({
      ...{ status, referencedId: UPDATE_ID, merchantTransactionId: null, linkedId: UPDATE_ID },
    });
    expect(rowsOf(begun, ['DetailsKept', own], [type, own])[ID]?.referencedId).toBe(PAYMENT_ID);
  });

  it('of an account that was stored before names that one, and shows nothing itself', () => {
    const found = ['ExistingFound', { ...own, registrationId: UPDATE_ID }] as const;
    const bare = { instrument: null, personal: null, paymentMethod: null };
    expect(rowsOf(['RegistrationRequested', requested], found)[ID]).toMatchObject({
      ...{ ...bare, status: 'approved', resultCode: '000.100.110', referencedId: UPDATE_ID },
      ...{ merchantTransactionId: 'order-4711', linkedId: UPDATE_ID },
    });
    const begun = ['RegistrationRequested', { ...requested, paymentId: PAYMENT_ID }] as const;
    expect(rowsOf(begun, found)[ID]).toMatchObject({
      ...{ ...bare, status: 'requested', referencedId: PAYMENT_ID },
    });
    expect(rowsOf(begun, found, ['RegistrationConfirmed', own])[ID]?.status).toBe('approved');
  });

  it('is not changed by another payment that it waits for', () => {
    const begun = ['RegistrationRequested', { ...requested, paymentId: PAYMENT_ID }] as const;
    const other = ['PaymentAwaited', { registrationId: ID, paymentId: UPDATE_ID }] as const;
    expect(rowsOf(begun, other)).toEqual(rowsOf(begun));
  });

  it.each([
    ['DetailsNotKept', [['RegistrationRequested', requested]], 'notPerformed'],
    ['RegistrationRejected', [], 'rejected'],
  ] as const)('after %s says so', (type, before, status) => {
    const data = { ...requested, ...own, resultCode: '100.100.101', resultDescription: 'why' };
    expect(rowsOf(...before, [type, data])[ID]).toMatchObject({
      ...{ status, resultCode: '100.100.101' },
    });
  });

  it('shows nothing any more of what is forgotten', () => {
    const rows = rowsOf(
      ...([['RegistrationRequested', requested]] as const),
      ['DetailsKept', own],
      ['RegistrationExpired', { registrationId: ID }],
      ['DetailsForgotten', { registrationId: ID }],
    );
    expect(rows[ID]).toMatchObject({ instrument: null, personal: null, status: 'approved' });
  });
});

describe('the row of what was done to a registration', () => {
  it('is one of its own, and of a change pending until it is made', () => {
    const begun = ['UpdateRequested', { ...change, revision: 1, personal: 'sealed' }] as const;
    const row = rowsOf(begun)[UPDATE_ID];
    expect(row).toMatchObject({ operation: 'update', status: 'requested', referencedId: ID });
    // Nobody could take it away again when the registration is deleted.
    expect(row?.personal).toBeNull();
    const done = { ...change, resultCode: '000.100.110' };
    expect(rowsOf(begun, ['RegistrationUpdated', done])[UPDATE_ID]?.status).toBe('approved');
    const failed = rowsOf(begun, ['RegistrationNotUpdated', done])[UPDATE_ID];
    expect(failed?.status).toBe('notPerformed');
  });

  it.each([
    ['LifeExtended', 'extension'],
    ['RegistrationDeleted', 'deletion'],
  ])('%s is done at once', (type, operation) => {
    const row = rowsOf([type, { ...change, resultCode: '000.100.110' }])[UPDATE_ID];
    expect(row).toMatchObject({ operation, status: 'approved', resultCode: '000.100.110' });
  });

  it('needs its beginning', () => {
    expect(() => rowsOf(['DetailsKept', own])).toThrow('Nothing was begun');
    const { metadata: _, ...bare } = event('LifeExtended', { ...change, resultCode: '0' });
    expect(() => registrations.fold(undefined, bare as Event)).toThrow('metadata');
  });
});
