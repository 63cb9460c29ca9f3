import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TokenRefusal, vaultReferenceOf } from '@sluice/contracts';
import { debit, type Parameters, post } from './http-client.js';
import { entityId, merchantEntityId, personalOf, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const TOKEN = '{"version":"EC_v1","data":"secret of the token"}';
const byToken: Parameters = {
  ...debit,
  ...{ 'card.number': undefined, 'card.holder': undefined, 'card.cvv': undefined },
  ...{ 'card.expiryMonth': undefined, 'card.expiryYear': undefined },
  ...{ paymentBrand: 'APPLEPAY', 'applePay.paymentToken': TOKEN },
};
const pay = (parameters: Parameters = {}, headers: Readonly<Record<string, string>> = {}) =>
  post(`${edge.url}/v1/payments`, { ...byToken, ...parameters }, headers);

const card = {
  ...({ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA', brandDetected: true } as const),
  ...({ expiryMonth: '05', expiryYear: '2034', wallet: 'applePay', numberType: 'DPAN' } as const),
};
const held = {
  ...({ kind: 'held', fingerprint: 'of the token', reference: 'reference-of-token' } as const),
  ...{ card, holder: 'Jane Jones', eci: '05' },
};

/** The instrument of the last command that began a payment. */
function instrument() {
  const { data } = edge.command;
  if (!('instrument' in data)) throw new Error('no payment was begun');
  return data.instrument;
}

describe('a payment with the token of a wallet', () => {
  it('is the vault’s to open, for the channel and its merchant, and its amount', async () => {
    await pay({ 'sender.accountNumber': '4711' });
    const [asked] = edge.tokens;
    expect(asked).toMatchObject({
      ...{ wallet: 'applePay', amount: { minor: '9200', currency: 'EUR' } },
      entityIds: [entityId, merchantEntityId],
      usedBy: edge.command.data.transactionId,
      toHold: { kind: 'wallet' },
    });
    expect(asked).not.toHaveProperty('brand');
    const details = Object.entries(asked?.toHold.details ?? {});
    expect(details.map(([name, detail]) => [name, detail.reveal()])).toContainEqual([
      ...['applePay.paymentToken', TOKEN],
    ]);
    // The vault holds what was in it: edge hands over nothing else.
    expect(edge.held).toEqual([]);
  });

  it('goes on as a payment by the card that was in it', async () => {
    edge.script.open = () => held;
    const { body } = await pay();
    expect(instrument()).toEqual({ ...card, vaultReference: 'reference-of-token' });
    expect(edge.command.data.parameters).toMatchObject({
      ...{ 'card.numberType': 'DPAN', 'threeDSecure.eci': '05' },
    });
    expect(personalOf(edge.command)).toMatchObject({ 'card.holder': 'Jane Jones' });
    expect(body).toMatchObject({
      ...{ paymentBrand: 'APPLEPAY', brandResult: 'VISA', paymentMethod: 'WA' },
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones' },
      threeDSecure: { eci: '05' },
    });
  });

  it('names the card’s brand where the merchant does', async () => {
    edge.script.open = () => {
      const { brandDetected: _, ...ofVisa } = card;
      return { ...held, card: ofVisa };
    };
    const { body } = await pay({ paymentBrand: 'VISA' });
    expect(edge.tokens[0]?.brand).toBe('VISA');
    expect(body['paymentBrand']).toBe('VISA');
    expect(body).not.toHaveProperty('brandResult');
  });

  it('says nothing of the token, wherever', async () => {
    edge.script.open = () => held;
    await pay();
    const said = [edge.commands, edge.logged].map((all) => JSON.stringify(all)).join('');
    expect(said).not.toContain('secret of the token');
    expect(said).not.toContain('EC_v1');
  });

  it('is used by one request, and by whatever repeats it', async () => {
    const key = { 'Idempotency-Key': 'order-1' };
    await pay({}, key);
    await pay({}, key);
    await pay({}, { 'Idempotency-Key': 'order-2' });
    const [first, again, other] = edge.tokens.map(({ usedBy }) => usedBy);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    const { idempotency } = edge.command.data;
    await pay({ amount: '93.00' }, { 'Idempotency-Key': 'order-2' });
    expect(edge.command.data.idempotency?.fingerprint).not.toBe(idempotency?.fingerprint);
  });

  it('has the same fingerprint when the repetition comes too late', async () => {
    const key = { 'Idempotency-Key': 'order-3' };
    edge.script.open = () => held;
    await pay({}, key);
    const { fingerprint } = edge.command.data.idempotency ?? {};
    edge.script.open = () =>
      ({ ...{ kind: 'refused', fingerprint: 'of the token' }, reason: 'expired' }) as const;
    await pay({}, key);
    expect(edge.command.data.idempotency?.fingerprint).toBe(fingerprint);
  });

  it.each<[TokenRefusal, string]>([
    ['altered', '200.100.603'],
    ['usedBefore', '800.110.100'],
    ['otherAmount', '100.550.701'],
    ['noKeys', '600.200.500'],
  ])('that is refused as %s is recorded as refused, and has no card', async (reason, code) => {
    edge.script.open = () => ({ kind: 'refused', fingerprint: 'of the token', reason });
    await pay({ createRegistration: 'true' });
    expect(edge.command.data).toMatchObject({
      ...{ rejection: code, instrument: { kind: 'wallet', brand: 'APPLEPAY', wallet: 'applePay' } },
    });
    expect(vaultReferenceOf(instrument())).toBeUndefined();
    expect(edge.registrations).toEqual([]);
  });

  it.each<[string, Parameters, string]>([
    ['of nothing', { amount: '0.00' }, '100.550.300'],
    ['by a brand of no cards', { paymentBrand: 'BOOKCARD' }, '100.100.700'],
    ['with a gift card beside it', { 'giftCard.pin': '1234' }, '600.200.500'],
  ])('that is refused anyway does not use the token up: %s', async (_, parameters, code) => {
    await pay(parameters);
    expect(edge.command.data.rejection).toBe(code);
    expect(edge.tokens).toEqual([]);
  });

  it('is refused by name beside the brand of another wallet, and not used up', async () => {
    const { status, body } = await pay({ paymentBrand: 'GOOGLEPAY' });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    const message = 'contradicts paymentBrand, which is that of another wallet';
    expect(body.result.parameterErrors).toEqual([{ name: 'applePay.paymentToken', message }]);
    expect([edge.tokens, edge.commands]).toEqual([[], []]);
  });

  it('is refused with a proof that is of no card like the one in it', async () => {
    edge.script.open = () => held;
    const proof = { 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' };
    const saying = (eci: string, status: string) =>
      pay({ ...proof, 'threeDSecure.eci': eci, 'threeDSecure.authenticationStatus': status });
    // What no network has is refused at once; of what is another network's, the token says so.
    for (const [eci, status, opened] of [['05', 'A', 0] as const, ['02', 'Y', 1] as const]) {
      const { status: answered, body } = await saying(eci, status);
      expect([answered, body.result]).toMatchObject([
        400,
        { code: '200.300.404', parameterErrors: [{ name: 'threeDSecure.eci' }] },
      ]);
      expect(edge.tokens).toHaveLength(opened);
    }
    expect(edge.commands).toEqual([]);
    expect((await saying('05', 'Y')).status).toBe(200);
  });

  it('is answered with 503 while the vault is away, and nothing is begun', async () => {
    edge.script.open = () => {
      throw new Error('away');
    };
    const { status, body } = await pay();
    expect([status, body.result.code]).toEqual([503, '800.800.800']);
    expect(edge.commands).toEqual([]);
  });

  it('stores the card that was in it, with its holder', async () => {
    edge.script.open = () => held;
    edge.script.register = (command) => ({
      kind: 'replied',
      reply: {
        kind: 'outcome',
        outcome: {
          ...{ id: command.data.transactionId, operation: 'registration' },
          ...{ status: 'awaitsPayment', resultCode: '000.200.000' },
        },
      },
    });
    await pay({ createRegistration: 'true' });
    const [registration] = edge.registrations;
    expect(registration?.data).toMatchObject({
      instrument: { ...card, vaultReference: 'reference-of-token' },
      paymentId: edge.command.data.transactionId,
    });
    expect(registration?.data).not.toHaveProperty('rejection');
    expect(personalOf(registration!)).toMatchObject({ 'card.holder': 'Jane Jones' });
  });
});
