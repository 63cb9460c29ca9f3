import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import type { ConnectorRequest } from '../connector.js';
import type { PlatformConnector } from './platform-connector.js';
import { CARD, connectorTo } from './platform-subject-fixture.js';
import { said, type ScriptedGateway, startScriptedGateway } from './scripted-gateway-fixture.js';

const TIMEOUT_MS = 5_000;
const ID = '8ac7a4a1845f7e1901845f8f3b0a0001';
const OTHER_ID = '8ac7a4a1845f7e1901845f8f3b0a0002';
const ENTITY = { entityId: '8a8294174b7ecb28014b9699220015ca', accessToken: 'token' };
const request: ConnectorRequest = {
  acquirerReference: 'reference-1',
  operation: 'debit',
  amount: { minor: 9_200n, currency: currency('EUR') },
  mode: 'INTERNAL',
  brand: 'VISA',
};
/** What the other gateway says of it. */
const booked = {
  id: ID,
  merchantTransactionId: 'reference-1',
  paymentType: 'DB',
  amount: '92.00',
  currency: 'EUR',
};
const approval = said('000.100.110', booked);
const UNREADABLE = { kind: 'unknown', reason: 'unreadableAnswer' };
const UNAVAILABLE = { kind: 'unavailable' };

let gateway: ScriptedGateway;
let connector: PlatformConnector;
beforeEach(async () => {
  gateway = await startScriptedGateway();
  connector = connectorTo(gateway.url, ENTITY);
});
afterEach(async () => {
  await connector.close();
  await gateway.close();
});

const submit = (asked: Partial<ConnectorRequest> = {}) => {
  const isReference = asked.originalReference !== undefined;
  return connector.submit({ ...request, ...asked }, isReference ? undefined : CARD, {
    timeoutMs: TIMEOUT_MS,
    beginByMs: performance.now() + TIMEOUT_MS,
  });
};
const options = { timeoutMs: TIMEOUT_MS, original: request };
const inquire = () => connector.inquire('reference-1', options);
const reverse = () => connector.reverse('reference-1', options);
/** A list of the entries of a query. */
const list = (...payments: readonly object[]) => said('000.000.100', { payments });

describe('a submission', () => {
  it('is sent with access, and a key for gateways that know one', async () => {
    gateway.answers = [[200, approval]];
    expect(await submit()).toEqual({ kind: 'approved', connectorTxId: ID, resultDetails: {} });
    const [sent, ...others] = gateway.received;
    expect(others).toEqual([]);
    expect(sent).toMatchObject({
      ...{ method: 'POST', path: '/v1/payments' },
      headers: { authorization: 'Bearer token', 'idempotency-key': 'reference-1' },
    });
    expect(sent?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  });

  it('is not sent in clear where money moves', async () => {
    expect(await submit({ mode: 'LIVE' })).toEqual({ kind: 'notPerformed', reason: 'unsupported' });
    expect(gateway.received).toEqual([]);
  });

  const rubbish: readonly (readonly [string, number, unknown])[] = [
    ['a web page', 200, '<html><body>Welcome</body></html>'],
    ['a web page that refuses', 400, '<html>'],
    ['nothing', 200, ''],
    ['two megabytes', 200, `{"a":"${'a'.repeat(2 * 1024 * 1024)}"}`],
    ['half of it', 200, JSON.stringify(approval).slice(0, 100)],
    ['JSON of somebody else', 200, { status: 'ok' }],
    ['a text', 200, '"approved"'],
    ['null', 200, 'null'],
    ['a list', 200, '[]'],
    ['no ndc', 200, { ...approval, ndc: undefined }],
    ['an ndc that is no text', 200, { ...approval, ndc: 7 }],
    ['no code', 200, { ...approval, result: {} }],
    ['a code that is none', 200, { ...approval, result: { code: 'approved' } }],
    ['a result that is none', 200, { ...approval, result: '000.100.110' }],
    ['no id', 200, { ...approval, id: undefined }],
    ['an id that is none', 200, { ...approval, id: '../v1' }],
    ['another reference', 200, { ...approval, merchantTransactionId: 'reference-2' }],
    ['no reference', 200, { ...approval, merchantTransactionId: undefined }],
    ['more money', 200, { ...approval, amount: '92.01' }],
    ['less money', 200, { ...approval, amount: '91.99' }],
    ['no money', 200, { ...approval, amount: undefined }],
    ['money as a number', 200, { ...approval, amount: 92 }],
    ['money that is none', 200, { ...approval, amount: '9.2e1' }],
    ['other money', 200, { ...approval, currency: 'USD' }],
    ['money that nobody knows', 200, { ...approval, currency: 'XXA' }],
    ['another type', 200, { ...approval, paymentType: 'PA' }],
    ['no type', 200, { ...approval, paymentType: undefined }],
    ['an approval of live money for a test', 200, said('000.000.000', booked)],
    ['an approval as a failure', 400, approval],
    ['an approval from elsewhere', 302, approval],
    ['a decline from elsewhere', 302, said('800.100.151', booked)],
    ['a decline of another', 400, said('800.100.151', { ...booked, merchantTransactionId: 'b' })],
    ['a decline of nothing', 400, said('800.100.151', { id: ID })],
    ['a refusal that is none', 200, said('200.300.404')],
    ['a pending one without id', 200, said('000.200.000', { ...booked, id: undefined })],
  ];
  it.each(rubbish)('is unknown after %s', async (_, status, body) => {
    gateway.answers = [[status, body]];
    expect(await submit()).toEqual(UNREADABLE);
    expect(gateway.received).toHaveLength(1);
  });

  it('whose answer has come before is unknown: it is about something else', async () => {
    gateway.answers = [[400, said('200.300.404')]];
    expect(await submit()).toEqual({ kind: 'notPerformed', reason: 'refused' });
    expect(await submit()).toEqual(UNREADABLE);
  });

  it.each([
    '900.100.300',
    '900.100.400',
    '000.400.030',
    '999.999.999',
    '800.600.100',
    '200.300.405',
  ])('that the other gateway is not sure about is unknown: %s', async (code) => {
    gateway.answers = [[400, said(code, booked)]];
    expect(await submit()).toEqual({ kind: 'unknown', reason: 'serverError' });
  });

  it.each([500, 502, 503, 504])('is unknown after HTTP %i, whatever it says', async (status) => {
    for (const body of [approval, said('800.100.151', booked), said('200.300.404'), '']) {
      gateway.answers = [[status, body]];
      expect(await submit()).toEqual({ kind: 'unknown', reason: 'serverError' });
    }
  });

  it.each([200, 400])(
    'is declined by the code of the other gateway, by HTTP %i',
    async (status) => {
      const { amount: _, ...withoutAmount } = booked;
      gateway.answers = [[status, said('800.100.153', withoutAmount)]];
      expect(await submit()).toMatchObject({
        ...{ kind: 'declined', resultCode: '800.100.153', connectorTxId: ID },
      });
    },
  );

  it.each([
    [400, '200.300.404', {}],
    [400, '800.120.100', { id: ID }],
    [401, '800.900.300', {}],
    [403, '800.900.300', { id: ID }],
    [403, '800.900.100', {}],
    [404, '700.400.580', {}],
    [400, '600.200.700', {}],
  ])('is refused, and so not performed, by HTTP %i with %s', async (status, code, fields) => {
    gateway.answers = [[status, said(code, fields)]];
    expect(await submit()).toEqual({ kind: 'notPerformed', reason: 'refused' });
  });

  it('has what the other gateway says of the card and its bank, card numbers masked', async () => {
    const resultDetails = {
      ...{ AcquirerResponse: '00', ConnectorTxID1: 'theirs', Note: 'card 4200000000000000' },
      ...{ 'a b': 'no name', Long: 'x'.repeat(2_049), Number: 7 },
    };
    const result = { code: '000.400.000', avsResponse: 'F', cvvResponse: 'X' };
    gateway.answers = [[200, { ...approval, ndc: 'checks', result, resultDetails }]];
    const outcome = await submit();
    expect(outcome).toMatchObject({ resultCode: '000.400.000', avsResponse: 'F' });
    expect(outcome).not.toHaveProperty('cvvResponse');
    expect(outcome).toHaveProperty('resultDetails', {
      AcquirerResponse: '00',
      Note: 'card ************0000',
    });
  });

  it.each<readonly [string, object, string | undefined]>([
    [
      'its standing instruction',
      { mode: 'INITIAL', initialTransactionId: 'S000000000079' },
      'S000000000079',
    ],
    ['no text', { mode: 'INITIAL', initialTransactionId: 79 }, undefined],
    [
      'what was sent with a later payment',
      { mode: 'REPEATED', initialTransactionId: 'S1' },
      undefined,
    ],
    ['a card number', { mode: 'INITIAL', initialTransactionId: '4200000000000000' }, undefined],
  ])('names the first payment of an agreement as the other gateway does: %s', async (...row) => {
    const [, standingInstruction, name] = row;
    gateway.answers = [[200, { ...approval, standingInstruction }]];
    expect(await submit()).toEqual({
      ...{ kind: 'approved', connectorTxId: ID },
      resultDetails: name === undefined ? {} : { CardholderInitiatedTransactionID: name },
    });
  });

  it('names it by the detail alone, too', async () => {
    const resultDetails = { CardholderInitiatedTransactionID: 'S000000000079' };
    gateway.answers = [[200, { ...approval, resultDetails }]];
    expect(await submit()).toMatchObject({ resultDetails });
  });

  it('that waits says where its shopper goes', async () => {
    const redirect = { url: 'https://other.example/go', parameters: [{ name: 'a', value: 'b' }] };
    gateway.answers = [[200, said('000.200.000', { ...booked, redirect })]];
    expect(await submit()).toMatchObject({
      kind: 'pending',
      connectorTxId: ID,
      redirect: { url: 'https://other.example/go', method: 'POST', parameters: { a: 'b' } },
    });
  });

  it('that refers to a transaction goes to its id there', async () => {
    gateway.answers = [
      [200, said('000.100.110', { ...booked, paymentType: 'RF', amount: '1.00' })],
    ];
    const outcome = await submit({
      ...{ operation: 'refund', amount: { minor: 100n, currency: currency('EUR') } },
      ...{ originalReference: 'reference-0', originalConnectorTxId: OTHER_ID },
    });
    expect(outcome).toMatchObject({ kind: 'approved' });
    expect(gateway.received[0]?.path).toBe(`/v1/payments/${OTHER_ID}`);
  });
});

describe('an inquiry', () => {
  it('is by our reference, and asks nobody who may have kept an answer', async () => {
    gateway.answers = [[200, list({ ...approval })]];
    expect(await inquire()).toEqual({
      kind: 'found',
      outcome: { kind: 'approved', connectorTxId: ID, resultDetails: {} },
    });
    expect(gateway.received).toMatchObject([
      { method: 'GET', path: '/v1/query', headers: { 'cache-control': 'no-cache' } },
    ]);
    expect(Object.fromEntries(gateway.received[0]?.form ?? [])).toEqual({
      entityId: ENTITY.entityId,
      merchantTransactionId: 'reference-1',
      includeLinkedTransactions: 'true',
    });
  });

  it.each([
    ['declined', said('800.100.151', { ...booked, amount: undefined })],
    ['pending', said('000.200.000', booked)],
    ['declined', said('900.100.301', booked)],
  ])('finds what is %s', async (kind, entry) => {
    gateway.answers = [[200, list(entry)]];
    expect(await inquire()).toMatchObject({ kind: 'found', outcome: { kind } });
  });

  it('finds nothing only by the word of the other gateway', async () => {
    gateway.answers = [[404, said('700.400.580')]];
    expect(await inquire()).toEqual({ kind: 'notFound' });
  });

  const nothing: readonly (readonly [string, number, unknown])[] = [
    ['a page that is not found', 404, '<html>'],
    ['another not-found', 404, said('200.100.199')],
    ['a not-found by HTTP 200', 200, said('700.400.580')],
    ['a refusal', 403, said('800.900.300')],
    ['too many requests', 400, said('800.120.100')],
    ['a server error', 503, list(approval)],
    ['an empty list', 200, list()],
    ['no list', 200, said('000.000.100')],
    ['a list that is none', 200, said('000.000.100', { payments: { 0: approval } })],
    ['a list of rubbish', 200, said('000.000.100', { payments: [null, 7, 'a', []] })],
    ['another transaction', 200, list({ ...approval, merchantTransactionId: 'reference-2' })],
    ['two of them', 200, list(approval, { ...approval, id: OTHER_ID })],
    ['one without id', 200, list({ ...approval, id: undefined })],
    ['one without code', 200, list({ ...approval, result: undefined })],
    ['an approval of more', 200, list({ ...approval, amount: '92.01' })],
    ['an approval in other money', 200, list({ ...approval, currency: 'USD' })],
    ['an approval without amount', 200, list({ ...approval, amount: undefined })],
    ['an approval of something else', 200, list({ ...approval, paymentType: 'PA' })],
    ['one that is uncertain there, too', 200, list(said('900.100.300', booked))],
    ['two megabytes', 200, list({ ...approval, descriptor: 'a'.repeat(2 * 1024 * 1024) })],
  ];
  it.each(nothing)('learns nothing from %s', async (_, status, body) => {
    gateway.answers = [[status, body]];
    expect(await inquire()).toEqual(UNAVAILABLE);
  });

  it.each([
    ['LIVE', '000.100.110', 'unavailable'],
    ['LIVE', '000.100.112', 'unavailable'],
    ['LIVE', '000.000.000', 'found'],
    ['EXTERNAL', '000.100.112', 'found'],
    ['EXTERNAL', '000.000.000', 'unavailable'],
  ] as const)('takes for approved in mode %s: %s? %s', async (mode, code, kind) => {
    gateway.answers = [[200, list(said(code, booked))]];
    const asked = { timeoutMs: TIMEOUT_MS, original: { ...request, mode } };
    expect(await connector.inquire('reference-1', asked)).toMatchObject({ kind });
  });

  it('reads lists of a hundred transactions', async () => {
    const others = Array.from({ length: 99 }, () => ({
      ...said('000.100.110', { ...booked, paymentType: 'RF', merchantTransactionId: 'other' }),
      descriptor: 'a'.repeat(1_000),
    }));
    gateway.answers = [[200, list(approval, ...others)]];
    expect(await inquire()).toMatchObject({ kind: 'found' });
  });
});

/** A reversal of it, as the list has it. */
const reversal = (code: string, fields: object = {}) =>
  said(code, { ...booked, id: OTHER_ID, paymentType: 'RV', referencedId: ID, ...fields });

describe('a transaction that was undone', () => {
  it.each([
    ['is found as such', reversal('000.100.110'), { kind: 'found', outcome: { kind: 'declined' } }],
    [
      'by a reversal without amount is, too',
      reversal('000.100.110', { amount: undefined }),
      { kind: 'found', outcome: { resultCode: '900.100.301' } },
    ],
    ['may be while that is open', reversal('000.200.000'), UNAVAILABLE],
    [
      'in part is not',
      reversal('000.100.110', { amount: '1.00' }),
      { kind: 'found', outcome: { kind: 'approved' } },
    ],
    ['in vain is not', reversal('700.400.300'), { kind: 'found', outcome: { kind: 'approved' } }],
    [
      'is another one',
      reversal('000.100.110', { referencedId: OTHER_ID }),
      { kind: 'found', outcome: { kind: 'approved' } },
    ],
  ])('%s', async (_, entry, outcome) => {
    gateway.answers = [[200, list({ ...approval }, { ...entry, merchantTransactionId: 'r' })]];
    expect(await inquire()).toMatchObject(outcome);
  });
});

describe('an undo', () => {
  const undone = said('000.100.110', {
    ...{ id: OTHER_ID, merchantTransactionId: 'reference-1-undo' },
    ...{ referencedId: ID, paymentType: 'RV', amount: '92.00', currency: 'EUR' },
  });

  it('reverses all of what it finds, by its id', async () => {
    gateway.answers = [
      [200, list(approval)],
      [200, undone],
    ];
    expect(await reverse()).toEqual({ kind: 'reversed', connectorTxId: ID });
    const [, sent] = gateway.received;
    expect(sent).toMatchObject({ method: 'POST', path: `/v1/payments/${ID}` });
    expect(sent?.headers).not.toHaveProperty('idempotency-key');
    expect(Object.fromEntries(sent?.form ?? [])).toEqual({
      entityId: ENTITY.entityId,
      paymentType: 'RV',
      merchantTransactionId: 'reference-1-undo',
    });
  });

  it('of what is booked wrongly is an undo all the same', async () => {
    gateway.answers = [
      [200, list({ ...approval, amount: '920.00', ndc: 'more' })],
      [200, { ...undone, ndc: 'undone' }],
    ];
    expect(await reverse()).toEqual({ kind: 'reversed', connectorTxId: ID });
  });

  it('finds what is undone already, and sends nothing', async () => {
    gateway.answers = [
      [200, list(approval, reversal('000.100.110', { merchantTransactionId: 'reference-1-undo' }))],
    ];
    expect(await reverse()).toEqual({ kind: 'reversed', connectorTxId: ID });
    expect(gateway.received).toHaveLength(1);
  });

  it.each([
    ['nothing', [404, said('700.400.580')], { kind: 'notFound' }],
    ['a decline', [200, list(said('800.100.151', booked))], UNAVAILABLE],
    ['what is still pending', [200, list(said('000.200.000', booked))], UNAVAILABLE],
    ['no answer that says anything', [200, '<html>'], UNAVAILABLE],
  ] as const)('that finds %s sends nothing', async (_, answer, outcome) => {
    gateway.answers = [answer];
    expect(await reverse()).toEqual(outcome);
    expect(gateway.received).toHaveLength(1);
  });

  it.each([
    ['refuses', [400, said('700.400.300', { merchantTransactionId: 'reference-1-undo' })]],
    ['is pending', [200, { ...undone, result: { code: '000.200.000' } }]],
    ['names something else', [200, { ...undone, referencedId: OTHER_ID }]],
    ['answers something else', [200, { ...undone, merchantTransactionId: 'reference-1' }]],
    ['fails', [503, undone]],
    ['shows a page', [200, '<html>']],
  ] as const)('is not done where the other gateway %s', async (_, answer) => {
    gateway.answers = [[200, list(approval)], [...answer]];
    expect(await reverse()).toEqual(UNAVAILABLE);
  });
});
