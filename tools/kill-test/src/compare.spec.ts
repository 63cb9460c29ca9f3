import { describe, expect, it } from '@jest/globals';
import { isStandalone, operations } from '@sluice/contracts';
import { disagreements, operationNames } from './compare.js';
import type {
  Attempt,
  BookedEffect,
  Evidence,
  MerchantRequest,
  ReadBack,
  RecordedTransaction,
} from './records.js';

/** One request on all sides; the planted mistakes change one side of it. */
interface Case {
  request: MerchantRequest;
  recorded?: RecordedTransaction;
  booked?: BookedEffect;
  read?: ReadBack;
  /** Of an id that is not recorded. */
  otherRead?: ReadBack;
}

const approved = (id: string): Attempt => ({
  kind: 'answered',
  status: 200,
  code: '000.100.110',
  id,
});
const refused = (id: string, code: string): Attempt => ({
  kind: 'answered',
  status: 400,
  code,
  id,
});
const lost: Attempt = { kind: 'indefinite', why: 'reset' };

function paid(name: string, attempts: readonly Attempt[] = [approved(name)]): Case {
  return {
    request: {
      reference: `ref-${name}`,
      operation: 'DB',
      amountMinor: 500n,
      currency: 'EUR',
      attempts,
    },
    recorded: {
      id: name,
      streamId: name,
      reference: `ref-${name}`,
      operation: 'debit',
      amountMinor: 500n,
      currency: 'EUR',
      outcome: 'approved',
      resultCode: '000.100.110',
      acquirerReference: `acq-${name}`,
    },
    booked: {
      acquirerReference: `acq-${name}`,
      operation: 'debit',
      amountMinor: 500n,
      currency: 'EUR',
      status: 'approved',
    },
    read: { id: name, shownId: name, status: 200, code: '000.100.110' },
  };
}

/** A chain with everything that happens in a run: paid, declined, refused, lost, reversed, keyed. */
function world(): Case[] {
  const declined = paid('declined', [
    { kind: 'answered', status: 400, code: '800.100.152', id: 'declined' },
  ]);
  const rejected = paid('rejected', [refused('rejected', '700.400.200')]);
  const reversed = paid('reversed', [lost]);
  const notPerformed = paid('notPerformed', [refused('notPerformed', '900.100.310')]);
  const refusedThere = paid('refusedThere', [refused('refusedThere', '900.100.200')]);
  const tooLate = paid('tooLate', [refused('tooLate', '900.100.310')]);
  const pendingThenPaid = paid('pendingThenPaid', [
    { kind: 'answered', status: 200, code: '000.200.000', id: 'pendingThenPaid' },
  ]);
  const keyed = paid('keyed', [lost, approved('keyed'), approved('keyed')]);
  const unsent = paid('unsent', [{ kind: 'notSent' }]);
  const busy = paid('busy', [{ kind: 'answered', status: 400, code: '800.600.100' }]);
  const vanished = paid('vanished', [lost]);
  const chargedBack = paid('chargedBack', [
    { kind: 'answered', status: 200, code: '000.100.206', id: 'chargedBack' },
  ]);
  return [
    paid('one'),
    paid('two'),
    chargeback(chargedBack),
    paid('lostAndFound', [lost]),
    pendingThenPaid,
    { ...keyed, request: { ...keyed.request, idempotencyKey: 'key' } },
    settled(declined, 'declined', '800.100.152', 'declined'),
    without(settled(rejected, 'rejected', '700.400.200'), 'acquirerReference'),
    settled(reversed, 'reversedAfterUnknown', '900.100.301', 'reversed'),
    settled(notPerformed, 'notPerformed', '900.100.310'),
    settled(refusedThere, 'notPerformed', '900.100.200'),
    without(settled(tooLate, 'rejected', '900.100.310'), 'acquirerReference'),
    { request: unsent.request },
    { request: busy.request },
    { request: vanished.request },
  ];
}

function settled(
  { request, recorded, booked, read }: Case,
  outcome: RecordedTransaction['outcome'],
  resultCode: string,
  status?: BookedEffect['status'],
): Case {
  return {
    request,
    recorded: { ...recorded!, outcome, resultCode },
    read: { ...read!, code: resultCode },
    ...(status === undefined ? {} : { booked: { ...booked!, status } }),
  };
}

/** A fact that no acquirer was asked about. */
function chargeback(one: Case): Case {
  const settledOne = settled(one, 'approved', '000.100.206');
  const { request, recorded, read } = without(settledOne, 'acquirerReference');
  return {
    request: { ...request, operation: 'CB' },
    recorded: { ...recorded!, operation: 'chargeback' },
    read: read!,
  };
}

function without(one: Case, field: 'acquirerReference'): Case {
  const { [field]: _left, ...recorded } = one.recorded!;
  return { ...one, recorded };
}

function evidenceOf(cases: readonly Case[]): Evidence {
  return {
    merchant: cases.map(({ request }) => request),
    recorded: cases.flatMap(({ recorded }) => recorded ?? []),
    book: cases.flatMap(({ booked }) => booked ?? []),
    readBack: cases.flatMap(({ read, otherRead }) => [read ?? [], otherRead ?? []].flat()),
  };
}

/** A keyed request, and its repetition that nobody replied to: pending, with an id of its own. */
function repeated(code = '000.200.000', shownId = 'keyed'): (one: Case) => Case {
  const repetition: Attempt = { kind: 'answered', status: 200, code, id: 'again' };
  return (one) => ({
    ...one,
    request: { ...one.request, attempts: [...one.request.attempts, repetition] },
    otherRead: { id: 'again', shownId, status: 200, code: '000.100.110' },
  });
}

/** The world with one case replaced, and everything else as it should be. */
function with_(name: string, change: (one: Case) => Case): Evidence {
  return evidenceOf(
    world().map((one) => (one.request.reference === `ref-${name}` ? change(one) : one)),
  );
}

function rulesBroken(evidence: Evidence): string[] {
  return [...new Set(disagreements(evidence).map(({ rule }) => rule))].sort();
}

describe('the three-way comparison', () => {
  it('is content with a world in which everything agrees', () => {
    expect(disagreements(evidenceOf(world()))).toEqual([]);
  });

  const book =
    (change: Partial<BookedEffect>) =>
    (one: Case): Case => ({
      ...one,
      booked: { ...one.booked!, ...change },
    });
  const recorded =
    (change: Partial<RecordedTransaction>) =>
    (one: Case): Case => ({
      ...one,
      recorded: { ...one.recorded!, ...change },
    });
  const answered =
    (...attempts: Attempt[]) =>
    (one: Case): Case => ({
      ...one,
      request: { ...one.request, attempts },
    });

  const planted: [string, Evidence, string[]][] = [
    ['a lost payment', with_('one', ({ request }) => ({ request })), ['acknowledged and lost']],
    [
      'a lost pending payment',
      with_('pendingThenPaid', ({ request }) => ({ request })),
      ['acknowledged and lost'],
    ],
    [
      'a lost payment that was charged',
      with_('one', ({ request, booked }) => ({ request, booked: booked! })),
      ['acknowledged and lost', 'booked without event'],
    ],
    [
      'a charge of an unanswered request that nobody knows',
      with_('lostAndFound', ({ request, booked }) => ({ request, booked: booked! })),
      ['booked without event'],
    ],
    [
      'an approval without a charge',
      with_('one', book({ status: 'declined' })),
      ['approved and not booked'],
    ],
    [
      'an approval that was undone',
      with_('one', book({ status: 'reversed' })),
      ['approved and not booked'],
    ],
    [
      'a charge that was called a decline',
      with_('declined', book({ status: 'approved' })),
      ['charged and not approved'],
    ],
    [
      'a charge that was called reversed',
      with_('reversed', book({ status: 'approved' })),
      ['charged and not approved'],
    ],
    [
      'a charge under way that was called not performed',
      with_('notPerformed', (one) => ({
        ...one,
        booked: { ...paid('notPerformed').booked!, status: 'pending' },
      })),
      ['charged and not approved'],
    ],
    [
      'another amount at the acquirer',
      with_('one', book({ amountMinor: 50_000n })),
      ['booked otherwise'],
    ],
    [
      'another currency at the acquirer',
      with_('one', book({ currency: 'JPY' })),
      ['booked otherwise'],
    ],
    [
      'another operation at the acquirer',
      with_('one', book({ operation: 'refund' })),
      ['booked otherwise'],
    ],
    [
      'another amount in the events',
      with_('one', recorded({ amountMinor: 5n })),
      ['booked otherwise', 'other amount'],
    ],
    [
      'another currency in the events',
      with_('one', recorded({ currency: 'USD' })),
      ['booked otherwise', 'other currency'],
    ],
    [
      'another operation in the events',
      with_('one', recorded({ operation: 'credit' })),
      ['booked otherwise', 'other operation'],
    ],
    [
      'an outcome left unknown',
      with_('lostAndFound', recorded({ outcome: 'unknown' })),
      ['charged and not approved', 'left open', 'read and events differ'],
    ],
    [
      'an outcome left requested',
      with_('lostAndFound', recorded({ outcome: 'requested' })),
      ['charged and not approved', 'left open', 'read and events differ'],
    ],
    [
      'an outcome left pending',
      with_('pendingThenPaid', recorded({ outcome: 'pending' })),
      ['charged and not approved', 'left open', 'read and events differ'],
    ],
    [
      'an approval without any call',
      with_('one', (one) => without(one, 'acquirerReference')),
      ['approved without a call', 'booked without event'],
    ],
    [
      'a payment that nobody asked for',
      with_('two', recorded({ reference: 'ref-other' })),
      ['nobody asked for it'],
    ],
    [
      'a payment of a request that was never sent',
      with_('one', answered({ kind: 'notSent' })),
      ['nobody asked for it'],
    ],
    [
      'a success that became a decline',
      with_('two', answered(approved('declined'))),
      ['answer and events differ', 'answer changed'],
    ],
    [
      'something not performed that became a refusal',
      with_('rejected', answered(refused('rejected', '900.100.310'))),
      ['answer and events differ', 'answer changed'],
    ],
    [
      'a defect in an answer',
      with_('one', answered({ kind: 'answered', status: 500, code: '999.999.999' })),
      ['defect answered'],
    ],
    [
      'a success without id',
      with_('busy', answered({ kind: 'answered', status: 200, code: '000.100.110' })),
      ['success without id'],
    ],
    [
      'a payment whose merchant was told that the gateway is down',
      with_('one', answered({ kind: 'answered', status: 503, code: '800.800.800' })),
      ['refused and charged'],
    ],
    [
      'a payment whose merchant was told to come back',
      with_('one', answered({ kind: 'answered', status: 400, code: '800.600.100' })),
      ['refused and charged'],
    ],
    [
      'a payment whose input was refused',
      with_('one', answered({ kind: 'answered', status: 400, code: '200.300.404' })),
      ['refused and charged'],
    ],
    [
      'one key with two payments',
      with_('keyed', answered(approved('keyed'), approved('two'))),
      ['one key, two transactions'],
    ],
    [
      "a repetition whose id shows another request's payment",
      with_('keyed', repeated('000.200.000', 'two')),
      ['acknowledged and lost', 'one key, two transactions', 'read without event'],
    ],
    [
      'a repetition that was said to be paid under an id that nothing has',
      with_('keyed', repeated('000.100.110')),
      ['acknowledged and lost', 'one key, two transactions', 'read without event'],
    ],
    [
      'a second id without a key',
      with_('one', (one) => repeated('000.200.000', 'one')(one)),
      ['acknowledged and lost', 'read without event'],
    ],
    [
      'a read of another transaction',
      with_('one', (one) => ({ ...one, read: { ...one.read!, shownId: 'two' } })),
      ['another is read'],
    ],
    [
      'a read that shows something else',
      with_('one', (one) => ({ ...one, read: { ...one.read!, code: '800.100.152' } })),
      ['answer changed', 'read and events differ'],
    ],
    [
      'a payment that cannot be read',
      with_('one', (one) => ({ ...one, read: { id: 'one', status: 404, code: '700.400.580' } })),
      ['answer changed', 'not readable'],
    ],
    [
      'a read of what no event has',
      with_('vanished', (one) => ({
        ...one,
        read: { id: 'ghost', status: 200, code: '000.100.110' },
      })),
      ['read without event'],
    ],
    [
      'a payment that was not read',
      with_('lostAndFound', ({ read: _read, ...one }) => one),
      ['not read'],
    ],
  ];

  it.each(planted)('finds %s', (_name, evidence, rules) => {
    expect(rulesBroken(evidence)).toEqual(rules);
  });

  it('finds a double charge', () => {
    const { merchant, recorded, book, readBack } = evidenceOf(world());
    const twice = { merchant, recorded, readBack, book: [...book, book[0]!] };
    expect(rulesBroken(twice)).toEqual(['booked twice']);
  });

  it('finds a request that was recorded twice, each with its own charge', () => {
    const again = paid('again');
    const second = { ...again, recorded: { ...again.recorded!, reference: 'ref-one' } };
    const { request: _never, ...rest } = second;
    const { merchant, ...others } = evidenceOf([...world(), second]);
    expect(rest.recorded.reference).toBe('ref-one');
    const evidence = { merchant: merchant.slice(0, -1), ...others };
    expect(rulesBroken(evidence)).toEqual(['recorded twice']);
  });

  it('finds two payments under one acquirer reference', () => {
    const evidence = with_('two', recorded({ acquirerReference: 'acq-one' }));
    expect(rulesBroken(evidence)).toEqual([
      'booked without event',
      'one reference, two transactions',
    ]);
  });

  it.each(['000.200.000', '900.100.300'])(
    'lets an id that was answered %s to a repetition show what its key has made (D-36)',
    (code) => {
      expect(disagreements(with_('keyed', repeated(code)))).toEqual([]);
    },
  );

  it('lets a refusal share its code with a decline', () => {
    const evidence = with_('rejected', recorded({ outcome: 'declined' }));
    expect(disagreements(evidence)).toEqual([]);
  });
});

describe('the operations that are compared', () => {
  it('are all that an acquirer or an issuer is part of', () => {
    const compared = operations.filter((operation) => !isStandalone(operation));
    expect(Object.values(operationNames).sort()).toEqual(compared.sort());
  });
});
