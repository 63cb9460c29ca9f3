import { describe, expect, it } from '@jest/globals';
import { agreementTold, needsFirstPayment } from '@sluice/domain-payments';
import { type Mark, ShardElsewhere } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { context } from '../test/payments-fixture.js';
import { EarlierPaymentsReader } from './earlier-payments.js';

const FIRST = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;

const payment = {
  ...({ operation: 'debit', context: context(), parameters: {} } as const),
  accountFingerprint: 'account',
};

/** What is asked of a store that has these marks. */
function readerOf(marks: readonly Mark[] = []) {
  const asked: (readonly string[])[] = [];
  const under = async (subjects: readonly string[]) => {
    asked.push(subjects);
    return marks.filter(({ subject }) => subjects.includes(subject));
  };
  return { asked, reader: new EarlierPaymentsReader({ marks: { under } } as never) };
}

describe('a payment that belongs to no agreement', () => {
  it('has nothing read: its append depends on that nothing was advised', async () => {
    const { asked, reader } = readerOf();
    expect(await reader.ofNewPayment(payment, false)).toEqual({
      attempts: [],
      claims: { unmarked: ['account:INTERNAL:charge:account'] },
    });
    const { accountFingerprint: _, ...unknown } = payment;
    expect(await reader.ofNewPayment(unknown, false)).toEqual({ attempts: [], claims: {} });
    expect(asked).toEqual([]);
  });

  it('has what was advised read once an append has found something', async () => {
    const subject = 'account:INTERNAL:charge:account';
    const data = { adviceCode: '03' };
    const marked = { subject, transactionId: FIRST, streamId: FIRST, data, version: 0 };
    const { asked, reader } = readerOf([marked]);
    expect(await reader.ofNewPayment(payment, true)).toEqual({ attempts: [data], claims: {} });
    expect(asked).toEqual([[subject]]);
  });
});

describe('a later payment', () => {
  const parameters = { 'standingInstruction.agreementId': 'contract' };
  const subject = `agreement:${FIRST}`;
  const account = 'account:INTERNAL:charge:account';
  const name = `agreementId:${payment.context.entityId}:INTERNAL:contract`;
  const marks: readonly Mark[] = [
    {
      ...{ subject: name, transactionId: FIRST, streamId: FIRST, version: 0 },
      data: { firstPaymentId: FIRST, atMs: 1 },
    },
    {
      ...{ subject, transactionId: FIRST, streamId: FIRST, version: 4 },
      data: { atMs: 1, terms: { 'standingInstruction.frequency': '1' } },
    },
  ];

  it('has the agreement that it names read, and holds the mark of its first payment', async () => {
    const { asked, reader } = readerOf(marks);
    const { agreement, claims } = await reader.ofNewPayment({ ...payment, parameters }, false);
    expect(agreement).toMatchObject({
      firstPaymentId: FIRST,
      authorizedAtMs: new Map([[FIRST, 1]]),
    });
    const heldMark = { subject, transactionId: FIRST, version: 4 };
    // That its account is advised of nothing is what it was decided by, too.
    expect(claims).toEqual({ heldMark, unmarked: [account] });
    expect(asked).toEqual([['account:INTERNAL:charge:account', name], [subject]]);
  });

  it('that names what is not known here depends on that it is not known when it is appended', async () => {
    const later = { ...payment, parameters };
    const { claims } = await readerOf().reader.ofNewPayment(later, false);
    expect(claims).toEqual({ unmarked: [account, name] });
    const byNameAlone = readerOf(marks.slice(0, 1)).reader;
    const { claims: ofNameAlone } = await byNameAlone.ofNewPayment(later, false);
    expect(ofNameAlone).toEqual({ unmarked: [account, subject] });
  });

  it('whose account something is advised of does not depend on that nothing is', async () => {
    const advised = { subject: account, transactionId: FIRST, streamId: FIRST, version: 0 };
    const { reader } = readerOf([...marks, { ...advised, data: { adviceCode: '03' } }]);
    const { attempts, claims } = await reader.ofNewPayment({ ...payment, parameters }, true);
    expect(attempts).toEqual([{ adviceCode: '03' }]);
    expect(claims).not.toHaveProperty('unmarked');
  });

  it('that pays out is under none', async () => {
    const { asked, reader } = readerOf(marks);
    const credit = { ...payment, operation: 'credit', parameters } as const;
    expect(await reader.ofNewPayment(credit, false)).toEqual({
      attempts: [],
      claims: { unmarked: ['account:INTERNAL:payout:account'] },
    });
    expect(asked).toEqual([]);
  });

  it('by what was stored has the agreement of the payment that stored it', async () => {
    const { asked, reader } = readerOf(marks);
    const repeated = { 'standingInstruction.mode': 'REPEATED' };
    const stored = { ...payment, parameters: repeated, storedByPaymentId: FIRST };
    expect((await reader.ofNewPayment(stored, false)).agreement?.firstPaymentId).toBe(FIRST);
    expect(asked).toEqual([['account:INTERNAL:charge:account', subject]]);
  });

  it('under what was agreed at the storing holds the earliest authorization, or depends on none', async () => {
    const registrationId = '019b7d5f2c3a77c5bdcadf51af2041cb';
    const byMerchant = { registrationId, 'standingInstruction.source': 'MIT' };
    const storedTerms = { 'standingInstruction.frequency': '1' };
    const stored = { ...payment, parameters: byMerchant, storedTerms };
    const ofRegistration = `agreement:${registrationId}`;
    const none = await readerOf(marks).reader.ofNewPayment(stored, false);
    expect(none.claims).toEqual({ unmarked: [account, ofRegistration] });
    expect(none.agreement).toMatchObject({ firstPaymentId: registrationId, terms: storedTerms });
    const [second, earliest] = ['2', '1'].map((transactionId) => ({
      ...{ subject: ofRegistration, transactionId, streamId: FIRST, version: 3 },
      data: { atMs: 1 },
    }));
    const { reader } = readerOf([second, earliest] as readonly Mark[]);
    expect((await reader.ofNewPayment(stored, false)).claims).toEqual({
      heldMark: { subject: ofRegistration, transactionId: '1', version: 3 },
      unmarked: [account],
    });
  });
});

it('nothing is advised of an account that nobody knows', async () => {
  const { asked, reader } = readerOf();
  expect(
    await reader.advisedOf({
      ...payment,
      accountFingerprint: undefined,
      metadata: context(),
    } as never),
  ).toEqual([]);
  expect(asked).toEqual([]);
});

describe('the first payment of what the merchant charges by a registration', () => {
  const registrationId = '019b7d5f2c3a77c5bdcadf51af2041cb';
  const ofMerchant = {
    metadata: context(),
    parameters: { registrationId, 'standingInstruction.source': 'MIT' },
  };
  const OLDER = '019b7d5f2c3a77c5bdcadf51af2041c1';
  const STORED = '019b7d5f2c3a77c5bdcadf51af2041c2' as TransactionId;

  /** Of a cell that has the marks, and none of the payments. */
  function readerWith(...firsts: readonly (readonly [id: string, atMs: number])[]) {
    const asked: string[] = [];
    const under = (subjects: readonly string[]) => {
      asked.push(...subjects);
      return Promise.resolve(
        firsts.map(([firstPaymentId, atMs]) => ({ data: { firstPaymentId, atMs } })),
      );
    };
    const readByTransaction = () => Promise.resolve(undefined);
    const reader = new EarlierPaymentsReader({ marks: { under }, readByTransaction } as never);
    return { asked, reader };
  }

  it('is the latest that was made by the registration, which may be younger than the storing', async () => {
    const { asked, reader } = readerWith([OLDER, 1], [FIRST, 2]);
    expect(await reader.firstOf(ofMerchant as never, STORED)).toEqual({ id: FIRST });
    const { entityId, mode } = context();
    expect(asked).toEqual([`registration:${entityId}:${mode}:${registrationId}`]);
  });

  it('is the payment that stored it, where none is marked', async () => {
    expect(await readerWith().reader.firstOf(ofMerchant as never, STORED)).toEqual({ id: STORED });
  });

  it('is none where it was stored without a payment', async () => {
    expect(await readerWith().reader.firstOf(ofMerchant as never, undefined)).toBeUndefined();
  });
});

describe('the first payment by a registration', () => {
  it('is known by its id alone where another cell has it', async () => {
    const reader = new EarlierPaymentsReader({
      marks: { under: () => Promise.resolve([]) },
      readByTransaction: (id: TransactionId) => Promise.reject(new ShardElsewhere(id)),
    } as never);
    const asked = { metadata: payment.context, parameters: {} } as never;
    expect(await reader.firstOf(asked, FIRST)).toEqual({ id: FIRST });
  });
});

describe('what an acquirer is told of an agreement that another cell has', () => {
  const OLDER = '019b7d5f2c3a77c5bdcadf51af2041c1' as TransactionId;
  const registrationId = '019b7d5f2c3a77c5bdcadf51af2041cb';
  const byMerchant = { registrationId, 'standingInstruction.source': 'MIT' };

  async function told(
    parameters: Readonly<Record<string, string>>,
    { stored, marked = [] }: { stored?: TransactionId; marked?: readonly TransactionId[] },
  ) {
    const reader = new EarlierPaymentsReader({
      marks: {
        under: async () => marked.map((firstPaymentId) => ({ data: { firstPaymentId, atMs: 1 } })),
      },
      readByTransaction: (id: TransactionId) => Promise.reject(new ShardElsewhere(id)),
    } as never);
    const later = { id: FIRST, operation: 'debit', parameters, metadata: context() } as never;
    const first = needsFirstPayment(later) ? await reader.firstOf(later, stored) : undefined;
    return agreementTold(later, first);
  }

  it('is our own id of the payment that stored the registration, and no initialTransactionId', async () => {
    expect(await told(byMerchant, { stored: OLDER })).toEqual({
      'standingInstruction.agreementId': OLDER,
    });
  });

  it('is the registration, where no payment stored it', async () => {
    expect(await told(byMerchant, {})).toEqual({
      'standingInstruction.agreementId': registrationId,
    });
  });

  it('is the agreement that is marked here, where a later one is not', async () => {
    expect(await told(byMerchant, { stored: FIRST, marked: [OLDER] })).toEqual({
      'standingInstruction.agreementId': OLDER,
    });
  });

  it.each(['initialTransactionId', 'agreementId'])(
    'is nothing beside the %s of the request',
    async (name) => {
      const named = { ...byMerchant, [`standingInstruction.${name}`]: 'acq-1' };
      expect(await told(named, { stored: OLDER })).toEqual({});
    },
  );
});
