import { describe, expect, it } from '@jest/globals';
import { walletIn } from './offered-wallet.js';

const script = 'https://wallet.example/pay.js';
const money = { amount: '92.00', currency: 'EUR' };

describe('what the gateway says of a wallet', () => {
  it('is its script, whose payment it is, and what is paid', () => {
    const applePay = { script, isSimulated: true, countryCode: 'DE', displayName: 'Shop' };
    const googlePay = {
      ...{ script, isSimulated: false, environment: 'PRODUCTION', gateway: 'sluice' },
      ...{ gatewayMerchantId: 'a', merchantId: 'b', countryCode: 'DE' },
    };
    const body = { ...money, applePay, googlePay };
    expect(walletIn(body, 'applePay')).toMatchObject({ ...money, ...applePay });
    expect(walletIn(body, 'googlePay')).toEqual({
      ...{ ...money, ...googlePay, displayName: undefined, said: googlePay },
    });
  });

  it('is the systems of the schemes, which have a script each', () => {
    const clickToPay = { isSimulated: true, systems: [{ script }], srciTransactionId: '1' };
    const offered = walletIn({ ...money, clickToPay }, 'clickToPay');
    expect(offered).toMatchObject({ ...money, script: '', isSimulated: true, said: clickToPay });
    const none = { ...clickToPay, systems: [] };
    expect(walletIn({ ...money, clickToPay: none }, 'clickToPay')).toBeUndefined();
  });

  it.each([
    [{}],
    [null],
    ['text'],
    [{ ...money, applePay: {} }],
    [{ ...money, applePay: { script: 1 } }],
    [{ amount: '92.00', applePay: { script } }],
    [{ currency: 'EUR', applePay: { script } }],
    [{ ...money, googlePay: { script } }],
  ])('is nothing where it is not set up, or says no amount: %j', (body) => {
    expect(walletIn(body, 'applePay')).toBeUndefined();
  });
});
