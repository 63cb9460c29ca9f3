import { describe, expect, it } from '@jest/globals';
import type { RevealedInstrument } from '@sluice/contracts';
import { currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import type { ConnectorRequest } from '../connector.js';
import { transactionMessage, undoMessage } from './transaction-message.js';
import { CARD } from './platform-subject-fixture.js';

const ENTITY_ID = '8a8294174b7ecb28014b9699220015ca';
const THEIR_ID = '8ac7a4a1845f7e1901845f8f3b0a0001';
const request: ConnectorRequest = {
  acquirerReference: 'reference-1',
  operation: 'authorization',
  amount: { minor: 9_200n, currency: currency('EUR') },
  mode: 'LIVE',
};
const refund = { operation: 'refund', originalReference: 'reference-0' } as const;

function formOf(
  asked: Partial<ConnectorRequest>,
  instrument?: RevealedInstrument,
): Record<string, string> | undefined {
  const message = transactionMessage({ ...request, ...asked }, instrument, ENTITY_ID);
  return message && Object.fromEntries(new URLSearchParams(message.body));
}

const common = {
  ...{ entityId: ENTITY_ID, amount: '92.00', currency: 'EUR' },
  merchantTransactionId: 'reference-1',
};

describe('the request for a new payment', () => {
  it('has the card and what is known of it', () => {
    const parameters = {
      card: { holder: 'Jane Jones' },
      billing: { city: 'Graz' },
      customer: { browser: { language: 'de' } },
      cart: { items: [{ name: 'Boots' }, { name: 'Laces' }] },
    };
    expect(formOf({ brand: 'VISA', parameters }, CARD)).toEqual({
      ...{ ...common, paymentType: 'PA', paymentBrand: 'VISA', 'card.holder': 'Jane Jones' },
      ...{ 'card.number': '4200000000000000', 'card.cvv': '918' },
      ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      ...{ 'billing.city': 'Graz', 'customer.browser.language': 'de' },
      ...{ 'cart.items[0].name': 'Boots', 'cart.items[1].name': 'Laces' },
    });
  });

  it('says in how many installments it is paid, and nothing of what is paid at once', () => {
    const paidIn = (numberOfInstallments: string) =>
      formOf({ parameters: { recurring: { numberOfInstallments } } }, CARD);
    expect(paidIn('3')).toMatchObject({ 'recurring.numberOfInstallments': '3' });
    for (const number of ['0', '1', '01']) {
      expect(paidIn(number)).not.toHaveProperty(['recurring.numberOfInstallments']);
    }
  });

  it.each([
    ['bankAccount', { 'bankAccount.iban': 'DE23100000001234567890' }],
    ['tokenAccount', { 'tokenAccount.number': '4200000000000000', 'tokenAccount.dtvc': '918' }],
    ['virtualAccount', { 'virtualAccount.accountId': 'jane.jones@example.org' }],
  ] as const)('has a %s', (kind, texts) => {
    const details = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, new Detail(text)]),
    );
    const form = formOf({ operation: 'debit', brand: 'ANY' }, { kind, details });
    expect(form).toEqual({ ...common, ...texts, paymentType: 'DB', paymentBrand: 'ANY' });
  });

  it.each([
    ['INTERNAL', 'INTERNAL'],
    ['EXTERNAL', 'EXTERNAL'],
    ['LIVE', undefined],
  ] as const)('in mode %s says so where it is none of money: %s', (mode, testMode) => {
    expect(formOf({ mode }, CARD)?.['testMode']).toBe(testMode);
  });

  it('says where its shopper comes back', () => {
    const returnUrl = 'https://us.example/redirects/1/return';
    expect(formOf({ returnUrl }, CARD)).toMatchObject({ shopperResultUrl: returnUrl });
  });

  it('by a card out of a wallet says which one, and where the shopper was if the merchant told it', () => {
    const wallet = { name: 'applePay', numberType: 'DPAN' } as const;
    const proof = new Detail('AAAAAAAAAAAAAAAAAAAAAAAAAAA=');
    const card = {
      kind: 'card',
      details: { ...CARD.details, 'threeDSecure.verificationId': proof },
    } as const;
    const told = formOf({ wallet, brand: 'VISA' }, card);
    expect(told).toMatchObject({
      ...{ paymentBrand: 'APPLEPAY', 'applePay.source': 'web', 'card.numberType': 'DPAN' },
      'threeDSecure.verificationId': proof.reveal(),
    });
    const parameters = { applePay: { source: 'app' } };
    expect(formOf({ wallet, parameters }, card)).toMatchObject({ 'applePay.source': 'app' });
  });

  it('of a transfer is none: it would lack most of it', () => {
    const details = { ...CARD.details, 'recipient.accountNumber': new Detail('4200') };
    expect(formOf({}, { kind: 'card', details })).toBeUndefined();
  });

  it.each([
    ['KWD', 10_005n],
    ['EUR', 1_000_000_000_000n],
  ])('of an amount that the interface cannot say is none (%s %s)', (code, minor) => {
    expect(formOf({ amount: { minor, currency: currency(code) } }, CARD)).toBeUndefined();
  });
});

describe('the request for an operation', () => {
  it.each([
    ['capture', 'CP'],
    ['reversal', 'RV'],
    ['refund', 'RF'],
    ['rebill', 'RB'],
    ['receipt', 'RC'],
  ] as const)('%s goes to the id of the other gateway, as %s', (operation, paymentType) => {
    const asked = { ...request, operation, originalConnectorTxId: THEIR_ID, final: true };
    const message = transactionMessage(asked, undefined, ENTITY_ID);
    expect(message?.path).toBe(`/v1/payments/${THEIR_ID}`);
    const form = Object.fromEntries(new URLSearchParams(message?.body));
    expect(form).toEqual({ ...common, paymentType, sequence: 'FINAL' });
  });

  it.each([
    ['incrementalAuthorization', 'INCREMENTAL_AUTH'],
    ['reauthorization', 'REAUTHORIZATION'],
  ] as const)('%s is an authorization that names it', (operation, practice) => {
    const asked = { ...request, operation, originalConnectorTxId: THEIR_ID };
    const message = transactionMessage(asked, undefined, ENTITY_ID);
    expect(message?.path).toBe('/v1/payments');
    expect(Object.fromEntries(new URLSearchParams(message?.body))).toEqual({
      ...{ ...common, paymentType: 'PA', referenceUuid: THEIR_ID },
      'standingInstruction.industryPractice': practice,
    });
  });

  it.each([undefined, '', '../v1/registrations', 'S000000000001'])(
    'on what has no id there (%s) is none',
    (originalConnectorTxId) => {
      const named = originalConnectorTxId === undefined ? {} : { originalConnectorTxId };
      expect(formOf({ ...refund, ...named })).toBeUndefined();
    },
  );

  it('is none with a card, nor a payment without', () => {
    expect(formOf({ ...refund, originalConnectorTxId: THEIR_ID }, CARD)).toBeUndefined();
    expect(formOf({})).toBeUndefined();
  });
});

describe('the request that undoes', () => {
  it('takes all that is open: it says no amount (D-30)', () => {
    const { path, body } = undoMessage(THEIR_ID, 'reference-1-undo', ENTITY_ID);
    expect(path).toBe(`/v1/payments/${THEIR_ID}`);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      ...{ entityId: ENTITY_ID, paymentType: 'RV' },
      merchantTransactionId: 'reference-1-undo',
    });
  });
});
