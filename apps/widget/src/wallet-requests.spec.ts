import { describe, expect, it } from '@jest/globals';
import { applePayFields, applePayRequest, confirmationIn } from './apple-pay.js';
import { googlePayRequest } from './google-pay.js';
import type { OfferedWallet } from './offered-wallet.js';

const offered: OfferedWallet = {
  ...{ amount: '92.00', currency: 'EUR', script: 'https://x.example', isSimulated: false },
  ...{ countryCode: 'DE', displayName: 'The shop', environment: 'TEST', gateway: 'sluice' },
  ...{ gatewayMerchantId: 'a'.repeat(32), merchantId: 'BCR2', said: {} },
};

describe('what the sheet of Apple Pay is made of', () => {
  it('is what the gateway says, where the page says nothing', () => {
    expect(applePayRequest(offered, {}, 'shop.example')).toEqual({
      ...{ countryCode: 'DE', currencyCode: 'EUR', merchantCapabilities: ['supports3DS'] },
      supportedNetworks: ['visa', 'masterCard', 'amex'],
      total: { label: 'The shop', type: 'final', amount: '92.00' },
    });
  });

  it('has the names of the page, and never its amount', () => {
    const options = {
      ...{ displayName: 'Corner Shop', supportedNetworks: ['mada'], countryCode: 'SA' },
      ...{ supportedCountries: ['SA'], amount: '1.00', currencyCode: 'USD' },
    };
    expect(applePayRequest(offered, options, 'shop.example')).toMatchObject({
      ...{ countryCode: 'SA', currencyCode: 'EUR', supportedNetworks: ['mada'] },
      ...{ supportedCountries: ['SA'], total: { label: 'Corner Shop', amount: '92.00' } },
    });
    const { total } = applePayRequest(offered, { ...options, total: 'Corner' }, 'shop.example');
    expect(total.label).toBe('Corner');
  });

  it('is called by its address where nobody names the shop', () => {
    const { total } = applePayRequest({ ...offered, displayName: undefined }, {}, 'shop.example');
    expect(total.label).toBe('shop.example');
  });
});

describe('what is sent of Apple Pay', () => {
  it('is the token as it came, and what it says of the card', () => {
    const paymentData = { version: 'EC_v1' };
    const paymentMethod = { network: 'Visa', type: 'debit' };
    expect(applePayFields({ token: { paymentData, paymentMethod } })).toEqual([
      ['applePay.paymentToken', '{"version":"EC_v1"}'],
      ['applePay.cardNetwork', 'Visa'],
      ['applePay.cardType', 'debit'],
    ]);
    expect(applePayFields({ token: { paymentData } })).toHaveLength(1);
  });
});

describe('the confirmation of a page', () => {
  it('is a session, another amount, or a sentence', () => {
    const session = { nonce: '1' };
    expect(confirmationIn(true, { merchantSession: session })).toEqual({
      ...{ kind: 'confirmed', session },
    });
    const invalid = (name: string) => ({
      result: { description: 'invalid', parameterErrors: [{ name }] },
    });
    expect(confirmationIn(false, invalid('amount')).kind).toBe('amountChanged');
    expect(confirmationIn(false, invalid('currency')).kind).toBe('amountChanged');
    expect(confirmationIn(false, invalid('validationUrl'))).toEqual({
      ...{ kind: 'failed', reason: 'Apple Pay: invalid' },
    });
    expect(confirmationIn(false, { merchantSession: session }).kind).toBe('failed');
    expect(confirmationIn(true, null).kind).toBe('failed');
  });
});

describe('what the sheet of Google Pay is made of', () => {
  it('is what the gateway says, where the page says nothing', () => {
    expect(googlePayRequest(offered, {})).toEqual({
      ...{ apiVersion: 2, apiVersionMinor: 0 },
      allowedPaymentMethods: [
        {
          type: 'CARD',
          parameters: {
            allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
            allowedCardNetworks: ['VISA', 'MASTERCARD', 'AMEX'],
          },
          tokenizationSpecification: {
            type: 'PAYMENT_GATEWAY',
            parameters: { gateway: 'sluice', gatewayMerchantId: 'a'.repeat(32) },
          },
        },
      ],
      merchantInfo: { merchantName: 'The shop', merchantId: 'BCR2' },
      transactionInfo: {
        ...{ totalPriceStatus: 'FINAL', totalPrice: '92.00', currencyCode: 'EUR' },
        countryCode: 'DE',
      },
    });
  });

  it('has the names and networks of the page, and never its amount, nor whose payment it is', () => {
    const options = {
      ...{ merchantName: 'Corner Shop', merchantId: 'X', allowedCardNetworks: ['JCB'] },
      ...{ allowedAuthMethods: ['CRYPTOGRAM_3DS'], amount: '1.00', gatewayMerchantId: 'other' },
    };
    expect(googlePayRequest(offered, options)).toMatchObject({
      allowedPaymentMethods: [
        {
          parameters: { allowedAuthMethods: ['CRYPTOGRAM_3DS'], allowedCardNetworks: ['JCB'] },
          tokenizationSpecification: { parameters: { gatewayMerchantId: 'a'.repeat(32) } },
        },
      ],
      merchantInfo: { merchantName: 'Corner Shop', merchantId: 'X' },
      transactionInfo: { totalPrice: '92.00' },
    });
  });
});
