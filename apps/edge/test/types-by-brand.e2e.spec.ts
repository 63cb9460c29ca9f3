import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutToComplete, InitiatePayment } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId, type TransactionId } from '@sluice/identifiers';
import { call, formText, type Parameters } from './http-client.js';
import { entityId, registered, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({ refusalsPerSecond: 0, checkoutReadsPerMinute: 0 }));
afterAll(() => edge.close());

const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const TOKEN = { paymentBrand: 'APPLEPAY', 'applePay.paymentToken': '{"version":"EC_v1"}' };
const STORED = 'f'.repeat(32) as TransactionId;
const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };

let id: CheckoutId;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  edge.script.registered = (query) => registered(query, {});
  edge.script.open = () => ({
    ...{ kind: 'held', fingerprint: 'of the token', reference: 'reference-of-token' },
    card: {
      ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA', brandDetected: true },
      ...{ expiryMonth: '05', expiryYear: '2034', wallet: 'applePay', numberType: 'DPAN' },
    },
  });
});

/** What a form is as a payment, where the merchant has said types by brand. */
async function paid(
  types: Parameters,
  told: Parameters,
  changes: Partial<CheckoutToComplete> = {},
): Promise<string> {
  const byBrand = Object.entries(types).map(([brand, type]) => [
    ...[`overridePaymentType[${brand}]`, type],
  ]);
  const parameters = { ...money, ...Object.fromEntries(byBrand) } as Record<string, string>;
  edge.script.toComplete = () => ({
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
    ...{ parameters, registrations: [STORED] },
    ...changes,
  });
  const url = `${edge.url}/v1/checkouts/${id}/payment`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { body } = await call(url, { method: 'POST', headers, body: formText(told) });
  expect(body.result.code).toBe('000.100.110');
  const { data } = edge.command as InitiatePayment;
  expect(JSON.stringify(data.parameters)).not.toContain('overridePaymentType');
  return data.operation;
}

describe('the type that a merchant has said for a brand', () => {
  it.each([
    ['a card, by its number', CARD],
    ['a card, in small letters', { ...CARD, paymentBrand: 'visa' }],
    ['a card, sent as another brand of its scheme', { ...CARD, paymentBrand: 'VISADEBIT' }],
    ['a stored card', { registrationId: STORED }],
    ['a stored card, with its brand', { registrationId: STORED, paymentBrand: 'VISA' }],
    ['the card in a wallet', TOKEN],
  ])('holds for %s', async (_what, told) => {
    expect(await paid({ VISA: 'PA' }, told)).toBe('authorization');
    expect(await paid({ MASTER: 'PA' }, told)).toBe('debit');
  });

  it('holds for the stored card that the merchant has named', async () => {
    const parameters = { ...money, 'overridePaymentType[VISA]': 'PA', registrationId: STORED };
    expect(await paid({}, {}, { parameters, registrations: [] })).toBe('authorization');
  });

  it('is that of the wallet, whatever card is in it', async () => {
    expect(await paid({ APPLEPAY: 'PA', VISA: 'DB' }, TOKEN)).toBe('authorization');
  });
});
