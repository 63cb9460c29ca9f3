import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PaymentCommandMessage, paymentMethodOf } from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import { bearer, call, debit, type Parameters, post } from './http-client.js';
import { ScriptedEdge, viewOf } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (parameters: Parameters = {}) =>
  post(`${edge.url}/v1/payments`, { ...debit, ...parameters });
const noCard = {
  'card.number': undefined,
  'card.holder': undefined,
  'card.expiryMonth': undefined,
  'card.expiryYear': undefined,
  'card.cvv': undefined,
};
const UNSERVED = '600.200.500';

/** What the command says of the refusal; the command is what payments records. */
const recorded = ({ data }: PaymentCommandMessage) => ({
  rejection: data.rejection,
  ...('instrument' in data &&
    data.instrument.kind !== 'card' && {
      paymentMethod: paymentMethodOf(data.instrument),
      brand: data.instrument.brand,
    }),
});

/** Which way to pay, its parameters, and what the answer calls it, its brand and its method. */
type Unserved = readonly [
  string,
  Parameters,
  ...(readonly [words: string, paymentBrand: string, paymentMethod: string | undefined]),
];

describe('a payment that is not by card', () => {
  it.each<Unserved>([
    [
      'a virtual account',
      { 'virtualAccount.accountId': 'jane', paymentBrand: 'FOO' },
      ...(['virtual account', 'FOO', 'VA'] as const),
    ],
    [
      'nothing but a brand that nobody knows',
      { paymentBrand: 'FOO' },
      ...(["a brand that is no card's", 'FOO', 'VA'] as const),
    ],
  ])(
    'by %s is refused with an id, recorded, and says what is not served',
    async (_, account, ...[words, paymentBrand, paymentMethod]) => {
      const { status, body } = await pay({ ...noCard, ...account });
      expect(status).toBe(400);
      expect(isTransactionId(body.id)).toBe(true);
      expect(body).toMatchObject({ paymentType: 'DB', paymentBrand, amount: '92.00' });
      expect(body['paymentMethod']).toBe(paymentMethod);
      expect(body.result.code).toBe(UNSERVED);
      expect(body.result.description).toContain(`payment by ${words} is not served`);
      expect(body.result.description).toContain(paymentBrand);
      expect(body.result.description.length).toBeLessThanOrEqual(255);
      expect(recorded(edge.command)).toEqual({
        rejection: UNSERVED,
        brand: paymentBrand,
        ...(paymentMethod !== undefined && { paymentMethod }),
      });
      expect(edge.held).toEqual([]);
    },
  );

  it('reads as it was answered', async () => {
    const { body } = await pay({ ...noCard, paymentBrand: 'FOO' });
    const view = viewOf(JSON.parse(JSON.stringify(edge.command)) as PaymentCommandMessage);
    edge.script.find = () => view;
    const read = await call(`${edge.url}/v1/payments/${body.id}`, { headers: bearer });
    expect(read.status).toBe(200);
    const { ndc: _, timestamp: __, ...answered } = body;
    expect(read.body).toMatchObject(answered);
  });

  it('has a key as any other, whose fingerprint is of what was sent', async () => {
    const unknown = { ...noCard, paymentBrand: 'FOO' };
    const headers = { 'Idempotency-Key': 'order-1' };
    const fingerprint = async (parameters: Parameters) => {
      await post(`${edge.url}/v1/payments`, { ...debit, ...parameters }, headers);
      return edge.command.data.idempotency?.fingerprint;
    };
    expect(await fingerprint(unknown)).toBe(await fingerprint(unknown));
    expect(await fingerprint(unknown)).not.toBe(await fingerprint({ ...unknown, amount: '93.00' }));
  });
});

describe('a brand', () => {
  it.each(['BOOKCARD', 'PAYPAL', 'bookcard'])('%s has no cards here', async (paymentBrand) => {
    const { status, body } = await pay({ paymentBrand });
    expect([status, body.result.code]).toEqual([400, UNSERVED]);
    expect(body.result.description).toContain(`card brand ${paymentBrand.toUpperCase()}`);
    expect(body).toMatchObject({ paymentType: 'DB', paymentMethod: 'CC' });
    expect(body['paymentBrand']).toBe(paymentBrand.toUpperCase());
    expect(new Set(edge.forgotten)).toEqual(new Set(['reference-1']));
  });

  it('that is somebody’s card number is said nowhere', async () => {
    const { body } = await pay({ paymentBrand: '5454545454545454' });
    expect(body.result.code).toBe(UNSERVED);
    expect(JSON.stringify([body, edge.command])).not.toContain('5454545454545454');
    const other = await pay({ ...noCard, paymentBrand: '5454545454545454' });
    expect(JSON.stringify([other.body, edge.command])).not.toContain('5454545454545454');
  });
});

describe('a card payment that asks for more', () => {
  const askedInApp = {
    ...{ 'billing.street1': 'Main Street 1', 'billing.city': 'London', 'billing.country': 'GB' },
    'billing.postcode': 'SW1A 1AA',
  };
  const byMerchant = {
    ...{ 'standingInstruction.source': 'MIT', 'standingInstruction.mode': 'REPEATED' },
    ...{ 'standingInstruction.type': 'UNSCHEDULED' },
    'standingInstruction.initialTransactionId': 'ABC123',
  };
  const inThree = { 'recurring.numberOfInstallments': '3' };

  it.each([
    ['giftCard.pin', { 'giftCard.pin': '1234' }],
    ['authenticationStatus N', { 'threeDSecure.authenticationStatus': 'N' }],
    ['without the shopper', { ...byMerchant, 'threeDSecure.challengeIndicator': '04' }],
  ])('is refused with an id and names %s', async (named, parameters) => {
    const { status, body } = await pay(parameters);
    expect([status, body.result.code]).toEqual([400, UNSERVED]);
    expect(body.result.description).toContain(named);
    expect(isTransactionId(body.id)).toBe(true);
    expect(body).toMatchObject({ paymentType: 'DB', paymentBrand: 'VISA', amount: '92.00' });
    expect(recorded(edge.command)).toEqual({ rejection: UNSERVED });
    // The vault held it for the fingerprint, and has no more use for it.
    expect(new Set(edge.forgotten)).toEqual(new Set(['reference-1']));
  });

  it('in an app whose SDK said nothing that can be read, is refused as that', async () => {
    const { status, body } = await pay({ ...askedInApp, 'threeDSecure.deviceInfo': 'x' });
    expect([status, body.result.code]).toEqual([400, '100.390.117']);
    expect(body.result.description).toContain('threeDSecure.deviceInfo: it is no JSON object');
    expect(recorded(edge.command)).toEqual({ rejection: '100.390.117' });
  });

  it('as a credit in installments, is refused the same', async () => {
    const { status, body } = await pay({ ...inThree, paymentType: 'CD' });
    expect([status, body.result.code, body['paymentType']]).toEqual([400, UNSERVED, 'CD']);
    expect(body.result.description).toContain('only DB and PA by card are paid in installments');
    expect(recorded(edge.command)).toEqual({ rejection: UNSERVED });
  });

  it.each(['DB', 'PA'])('as %s in installments, is made, and answered with them', async (type) => {
    const { status, body } = await pay({ ...inThree, paymentType: type });
    expect([status, body['recurring']]).toEqual([200, { numberOfInstallments: '3' }]);
    expect(edge.command.data).toMatchObject({ parameters: inThree });
    const wrong = await pay({ 'recurring.numberOfInstallments': '100', paymentType: type });
    expect(wrong.body.result.parameterErrors).toMatchObject([
      { name: 'recurring.numberOfInstallments', value: '100' },
    ]);
  });

  it.each([
    ['RB', {}],
    ['PA', { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }],
    ['PA', { 'standingInstruction.industryPractice': 'REAUTHORIZATION' }],
  ])('or %s of it with %j, is refused the same', async (paymentType, parameters) => {
    const { body: first } = await pay({ paymentType: 'PA' });
    const reference = { entityId: debit.entityId, amount: '1.00', currency: 'EUR', paymentType };
    const url = `${edge.url}/v1/payments/${first.id}`;
    for (const [named, value] of [
      ['customParameters[3DS2_enrolled]', 'true'],
      ['recurring.numberOfInstallments', '3'],
    ] as const) {
      const demand = { ...reference, ...parameters, [named]: value };
      const { status, body } = await post(url, demand);
      expect([status, body.result.code, body.referencedId]).toEqual([400, UNSERVED, first.id]);
      expect(body.result.description).toContain(named);
      expect(recorded(edge.command)).toEqual({ rejection: UNSERVED });
    }
    expect((await post(url, { ...reference, ...parameters })).status).toBe(200);
  });
});
