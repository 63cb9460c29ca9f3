import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import {
  APPROVED,
  type Body,
  codeOf,
  type Fields,
  MONEY,
  send as sendTo,
} from './demo-merchant-fixture.js';

const GIFT_CARD = { paymentBrand: 'GIFTCARD', 'giftCard.number': '6006491260550218' };
const PIN = { 'giftCard.pin': '482193' };
const HOLDER = { 'giftCard.holder': 'Mary Morstan' };
const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const SHOWN = { number: '************0218' };
const NOT_SERVED = '600.200.500';

const sandbox = testSandbox();

async function send(method: string, path: string, fields: Fields = {}): Promise<Body> {
  const body = await sendTo(sandbox, [method, path], fields);
  expect(JSON.stringify(body)).not.toMatch(/6006491260550218|482193/);
  return body;
}
const debit = (more: Fields = {}): Promise<Body> =>
  send('POST', '/v1/payments', { ...MONEY, ...GIFT_CARD, ...PIN, ...HOLDER, ...more });

describe('a payment with a gift card', () => {
  it('is approved, read, found by its method, captured and refunded, with its number masked', async () => {
    const merchantTransactionId = 'gift-card-4711';
    const message = { 'giftCard.message': 'Happy birthday, Mary!' };
    const paid = await debit({ ...message, merchantTransactionId });
    const shown = {
      ...{ paymentBrand: 'GIFTCARD', paymentMethod: 'PP' },
      giftCard: { ...SHOWN, holder: 'Mary Morstan', message: 'Happy birthday, Mary!' },
    };
    expect(paid).toMatchObject({ ...shown, result: { code: APPROVED } });
    expect(await send('GET', `/v1/payments/${paid.id}`)).toMatchObject(shown);
    const found = await send('GET', '/v3/query', { merchantTransactionId, paymentMethods: 'PP' });
    expect(found['records']).toMatchObject([{ id: paid.id, ...shown }]);
    const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' };
    expect(await codeOf(send('POST', `/v1/payments/${paid.id}`, refund))).toBe(APPROVED);
    const { id } = await debit({ paymentType: 'PA' });
    const capture = { ...MONEY, paymentType: 'CP' };
    expect(await codeOf(send('POST', `/v1/payments/${id}`, capture))).toBe(APPROVED);
  });

  it('needs no PIN, because not every gift card has one', async () => {
    expect(await codeOf(debit({ 'giftCard.pin': '' }))).toBe(APPROVED);
  });

  it.each([
    ['with a wrong PIN', { 'giftCard.pin': '0000' }, '800.100.166'],
    ['that is declined', { 'customParameters[forceResultCode]': '800.100.203' }, '800.100.203'],
    ['without its number', { 'giftCard.number': '' }, '200.300.404'],
    ['without its brand', { paymentBrand: '' }, '200.300.404'],
    ['beside a card', CARD, NOT_SERVED],
    ['beside a card of that brand', { ...CARD, paymentBrand: 'VISA' }, NOT_SERVED],
    ['beside an account at a provider', { 'virtualAccount.accountId': 'jane' }, NOT_SERVED],
  ])('is refused: %s', async (_, wrong, code) => {
    expect(await codeOf(debit(wrong))).toBe(code);
  });

  it('says what is not divided', async () => {
    const { result } = await debit(CARD);
    expect(result.description).toContain(
      'dividing what is paid between a gift card (giftCard.number) and another account is not served yet',
    );
  });
});

describe('a gift card that is stored', () => {
  const stored = async () =>
    (await send('POST', '/v1/registrations', { ...GIFT_CARD, ...PIN, ...HOLDER })).id;
  const pay = (id: string, more: Fields = {}): Promise<Body> =>
    send('POST', `/v1/registrations/${id}/payments`, { ...MONEY, ...more });

  it('pays again, with its PIN where the shopper gives it, until it is deleted', async () => {
    const id = await stored();
    expect(await send('GET', `/v1/registrations/${id}`)).toMatchObject({ giftCard: SHOWN });
    for (const paid of [await pay(id), await pay(id, PIN)]) {
      const giftCard = { ...SHOWN, holder: 'Mary Morstan' };
      expect(paid).toMatchObject({ giftCard, result: { code: APPROVED } });
    }
    // The PIN of before is kept nowhere, so only one that is sent can be wrong.
    expect(await codeOf(pay(id, { 'giftCard.pin': '0000' }))).toBe('800.100.166');
    expect(await codeOf(send('DELETE', `/v1/registrations/${id}`))).toBe(APPROVED);
    expect(await codeOf(pay(id))).toBe('100.150.203');
  });

  it('is stored with a payment', async () => {
    const paid = await debit({ createRegistration: 'true' });
    expect(await codeOf(pay(String(paid['registrationId'])))).toBe(APPROVED);
  });

  it('is not stored beside a card, and its PIN is no card’s', async () => {
    const both = { ...CARD, ...GIFT_CARD, paymentBrand: 'VISA' };
    expect(await codeOf(send('POST', '/v1/registrations', both))).toBe(NOT_SERVED);
    const card = await send('POST', '/v1/registrations', { ...CARD, paymentBrand: 'VISA' });
    const paid = await pay(card.id, PIN);
    expect(paid.result.code).toBe(NOT_SERVED);
    expect(paid.result.description).toContain('giftCard.pin');
  });

  it('is not compared with a number that is sent again, and says so', async () => {
    const { result } = await pay(await stored(), { 'giftCard.number': '6006491260550219' });
    expect(result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [
        {
          name: 'giftCard.number',
          message: expect.stringMatching(/^cannot be compared with what is stored/),
        },
      ],
    });
  });
});
