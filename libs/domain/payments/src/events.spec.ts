import { describe, expect, it } from '@jest/globals';
import {
  type MerchantAccountId,
  paymentEvents,
  type RouteId,
  type Schema,
} from '@sluice/contracts';
import { type PaymentEvent, paymentEventCodec } from './events.js';
import {
  approved,
  card,
  eur,
  happened,
  id,
  initiate,
  metadata,
  NOON_MS,
  outcome,
  refer,
  requestOf,
  storedAndRead,
} from './payment-fixture.js';

const route = {
  ...({ rule: 'weight', candidates: 2, weight: 70, weights: 100, drawn: 12 } as const),
  routeId: 'a'.repeat(32) as RouteId,
  merchantAccountId: 'b'.repeat(32) as MerchantAccountId,
};

const decline = {
  ...{ resultCode: '800.100.190', connectorTxId: 'a', resultDetails: { AcquirerResponse: '58' } },
  ...({ avsResponse: 'F', cvvResponse: 'M' } as const),
};

const redirect = {
  ...({ url: 'https://a.example', method: 'POST', parameters: { a: 'b' } } as const),
  preconditions: [],
};
const review = { decision: 'review', score: 30, resultCode: '000.400.010', fired: ['r'] } as const;
const result = {
  ...({ status: 'Y', flow: 'challenge', goesOn: true, resultCode: '000.400.110' } as const),
  ...{ liabilityShifts: true, proofReference: 'vault-0.p1', eci: '05', version: '2.2.0' },
  ...{ serverTransactionId: 's', dsTransactionId: 'd', acsTransactionId: 'a' },
  ...{ statusReason: '14', challengeCancel: '01', cardholderInfo: 'i', acsSignedContent: 'c' },
};
const appChallenge = {
  ...({ version: '2.2.0', serverTransactionId: 's', dsTransactionId: 'd' } as const),
  ...{ acsTransactionId: 'a', sdkTransactionId: 'k', acsReferenceNumber: 'r' },
  acsSignedContent: 'c',
  acsRenderingType: { acsInterface: '01', acsUiTemplate: '01', deviceUserInterfaceMode: '01' },
};
const authenticated = { kind: 'completed', authenticationId: id(1), result } as const;

/** At least one event of each type, with all its optional fields somewhere. */
const everyEvent: readonly PaymentEvent[] = [
  ...happened(
    initiate('authorization', 10_000, { numberOfCaptures: 2, personal: 'c2VhbGVk' }),
    outcome(id(1), 'unknown'),
    outcome(id(1), 'approved'),
    ...approved(refer('capture', id(2), id(1), { minor: 5_000, personal: 'c2VhbGVk' })),
    refer('refund', id(3), id(2), 9_999),
    refer('chargeback', id(4), id(2), { minor: 6_000, source: 'settlement' }),
    refer('chargebackReversal', id(5), id(4), 6_000),
    ...approved(refer('reauthorization', id(6), id(1), 5_000)),
    refer('refund', id(7), id(2), 10),
    outcome(id(7), 'pending'),
    outcome(id(7), 'declined'),
  ),
  ...happened(
    initiate('debit', 10_000, { assessment: review, authentication: authenticated }),
    outcome(id(1), 'approved'),
    { type: 'DecideReview', transactionId: id(1), nowMs: NOON_MS, decision: 'released' },
  ),
  ...happened(
    initiate('debit', 10_000),
    {
      ...({ type: 'AwaitAuthentication', transactionId: id(1), nowMs: NOON_MS } as const),
      ...{ authenticationId: id(9), expiresAtMs: NOON_MS, redirect, decline },
      resumption: {
        ...{ returnUrl: 'https://a.example', redirectUrl: 'https://a.example' },
        ...{ testDirectives: { a: 'b' }, storedByPaymentId: id(8) },
      },
    },
    {
      ...({ type: 'RecordAppChallenge', transactionId: id(1), nowMs: NOON_MS } as const),
      ...{ authenticationId: id(9), expiresAtMs: NOON_MS, appChallenge },
    },
    {
      ...({ type: 'RecordAuthentication', transactionId: id(1), nowMs: NOON_MS } as const),
      ...{ authenticationId: id(9), result, goesOnBy: { request: requestOf(id(1)), route } },
    },
  ),
  ...happened(
    initiate('debit', 10_000),
    outcome(id(1), 'notPerformed'),
    outcome(id(1), 'approved'),
    {
      type: 'RequestLateApprovalRefund',
      transactionId: id(1),
      nowMs: NOON_MS,
      request: requestOf(id(1)),
    },
    { type: 'RecordLateApprovalRefund', transactionId: id(1), nowMs: NOON_MS, connectorTxId: 'r' },
  ),
  ...happened(initiate('debit', 10_000, { route }), {
    ...{ type: 'RerouteTransaction', transactionId: id(1), nowMs: NOON_MS },
    ...{ ended: { reason: 'notReachable' }, request: requestOf(id(2)), route },
  }),
  ...happened(initiate('debit', 10_000, { route }), {
    ...{ type: 'RerouteTransaction', transactionId: id(1), nowMs: NOON_MS },
    ...{ ended: { reason: 'declined', decline }, request: requestOf(id(2)), route },
  }),
  ...happened(
    initiate('debit', 10_000),
    { type: 'RecordReversal', transactionId: id(1), nowMs: NOON_MS, connectorTxId: 'r' },
    { type: 'RecordLateAnswer', transactionId: id(1), nowMs: NOON_MS, answer: 'notFound' },
  ),
  ...happened(initiate('riskAssessment', 10_000, { assessment: { decision: 'accept', score: 0 } })),
  // A number of fewer than 12 digits, of which the first six are not shown.
  ...happened(
    initiate('debit', 10_000, { rejection: '100.100.700', instrument: { ...card, bin: '' } }),
  ),
  {
    type: 'TransactionApproved',
    data: {
      transactionId: id(1),
      resultCode: '000.100.110',
      connectorTxId: 'a',
      resultDetails: { AcquirerResponse: '00' },
      avsResponse: 'F',
      cvvResponse: 'M',
    },
    metadata,
  },
];

/** Whether a value follows our subset of JSON Schema; an empty list, or what is wrong. */
function violations(schema: Schema, value: unknown, path: string): string[] {
  if (schema.oneOf !== undefined) {
    const fitting = schema.oneOf.filter((each) => violations(each, value, path).length === 0);
    return fitting.length === 1 ? [] : [`${path} fits ${String(fitting.length)} of its forms`];
  }
  if (schema.type === 'object') return objectViolations(schema, value as object, path);
  if (schema.type === 'array') {
    const { items } = schema;
    if (!Array.isArray(value) || items === undefined) return [`${path} is no array`];
    return value.flatMap((item, index) => violations(items, item, `${path}[${String(index)}]`));
  }
  const isRight =
    schema.type === 'integer' ? Number.isSafeInteger(value) : typeof value === schema.type;
  if (!isRight) return [`${path} is no ${schema.type}`];
  const text = String(value);
  if (schema.enum !== undefined && !schema.enum.includes(text)) return [`${path} is not listed`];
  if (schema.pattern === undefined || new RegExp(schema.pattern).test(text)) return [];
  return [`${path} has another form`];
}

function objectViolations(schema: Schema, value: object, path: string): string[] {
  const found: string[] = [];
  for (const key of schema.required ?? []) {
    if (!(key in value)) found.push(`${path}.${key} is missing`);
  }
  for (const [key, field] of Object.entries(value)) {
    const rest = schema.additionalProperties;
    const known = schema.properties?.[key] ?? (typeof rest === 'object' ? rest : undefined);
    if (known === undefined) found.push(`${path}.${key} is not described`);
    else found.push(...violations(known, field, `${path}.${key}`));
  }
  return found;
}

describe('an event of a payment', () => {
  it('has an example of every event', () => {
    const types = new Set(everyEvent.map((event) => event.type));
    expect([...types].sort()).toEqual(Object.keys(paymentEvents).sort());
  });
  it.each(everyEvent.map((event) => [event.type, event] as const))(
    'round-trips %s and follows its schema',
    (type, event) => {
      expect(storedAndRead(event)).toEqual(event);
      const { data } = paymentEventCodec.encode(event);
      expect(violations(paymentEvents[type].data, JSON.parse(data), type)).toEqual([]);
    },
  );
  it.each([
    ['PaymentInitiated', '', 1],
    ['PaymentInitiated', '42000', 1],
    ['TransactionRejected', '42000', 1],
    ['TransactionRejected', '', 0],
    ['TransactionRejected', '420000', 0],
  ] as const)('of %s: a card beginning with %j has %i faults', (type, bin, count) => {
    const schema = paymentEvents[type].data.properties?.['instrument'];
    const ofCards = schema?.oneOf?.find((each) => each.properties?.['kind']?.enum?.[0] === 'card');
    if (ofCards === undefined) throw new Error('no card');
    expect(violations(ofCards, { ...card, bin }, 'card')).toHaveLength(count);
  });
  it('writes amounts as text in minor units', () => {
    const [event] = happened(initiate('debit', 10_000));
    if (event === undefined) throw new Error('no event');
    const { data } = paymentEventCodec.encode(event);
    expect(JSON.parse(data)).toMatchObject({ amount: { minor: '10000', currency: 'EUR' } });
  });
  it('keeps amounts that no number could hold', () => {
    const [event] = happened(
      initiate('debit', 1, { amount: { ...eur(0), minor: 99_999_999_999_999_999_999n } }),
    );
    if (event === undefined) throw new Error('no event');
    expect(storedAndRead(event)).toEqual(event);
  });
});
