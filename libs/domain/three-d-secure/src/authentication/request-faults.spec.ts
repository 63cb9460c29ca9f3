import { describe, expect, it } from '@jest/globals';
import {
  cb,
  type Changes,
  contentOf,
  instalment,
  query,
  recurring,
  series,
} from './authentication-request-fixture.js';

describe('a question that cannot be asked', () => {
  it.each<[string, Changes]>([
    [
      'the requestor id of the merchant at this card network',
      { query: { settings: { ...query.settings, requestors: {} } } },
    ],
    [
      "the acquirer's number at this card network",
      {
        query: { settings: { ...query.settings, requestors: {} } },
        parameters: {
          'threeDSecure.v2.visa.requestorId': 'r',
          'threeDSecure.v2.visa.requestorName': 'n',
        },
      },
    ],
    [
      'an address for the shopper to come back to (shopperResultUrl)',
      { query: { redirectUrl: undefined as unknown as string } },
    ],
    ['acctNumber', { numberDigits: 12 }],
  ])('needs %s, which is no parameter', (what, changes) => {
    const content = contentOf(changes);
    expect('reason' in content && content.reason).toContain(what);
    expect(content).not.toHaveProperty('parameters');
  });

  it.each<[string, string, Changes]>([
    ['customer.browser.screenWidth', '', { parameters: { 'customer.browser.screenWidth': '' } }],
    [
      'customer.browser.timezone',
      ' as a whole number, 1 to 5 characters',
      { parameters: { 'customer.browser.timezone': '99999' } },
    ],
    [
      'standingInstruction.expiry',
      '',
      { parameters: { 'threeDSecure.authenticationInd': 'RECURRING' } },
    ],
    [
      'standingInstruction.numberOfInstallments',
      '',
      { parameters: { ...series, 'threeDSecure.authenticationInd': 'INSTALLMENT' } },
    ],
    ...['', '0', '1'].map((said): [string, string, Changes] => [
      'standingInstruction.numberOfInstallments',
      ' above 1',
      { parameters: { ...instalment, 'standingInstruction.numberOfInstallments': said } },
    ]),
    [
      'standingInstruction.numberOfInstallments',
      ' above 1',
      { channel: '03', parameters: { 'standingInstruction.type': 'INSTALLMENT' } },
    ],
    ...['0', '6', '9'].map((said): [string, string, Changes] => [
      ...(['customer.browser.challengeWindow', ' from 1 to 5'] as const),
      { parameters: { 'customer.browser.challengeWindow': said } },
    ]),
    [
      'risk.amount',
      ' whose amount has no fraction, as JPY has none',
      {
        query: { amount: { minor: '92', currency: 'JPY' } },
        parameters: { 'risk.amount': '91.50' },
      },
    ],
    ...['shop.example', '/', ' ', 'ftp://x'].map((said): [string, string, Changes] => [
      'threeDSecure.merchant.url',
      ' as a URL of at most 2048 characters',
      { parameters: { 'threeDSecure.merchant.url': said } },
    ]),
    [
      'threeDSecure.merchant.country',
      ' as 3 digits, ISO 3166-1',
      { parameters: { 'threeDSecure.merchant.country': 'XKX' } },
    ],
    [
      'threeDSecure.v2.visa.requestorId',
      ' as at most 35 characters',
      {
        parameters: {
          'threeDSecure.v2.amex.requestorId': 'r',
          'threeDSecure.v2.visa.requestorId': 'r'.repeat(36),
        },
      },
    ],
    [
      'threeDSecure.v2.visa.requestorName',
      ' as at most 40 characters',
      { parameters: { 'threeDSecure.v2.visa.requestorName': 'n'.repeat(41) } },
    ],
    [
      'threeDSecure.schemeData[CB-USECASE]',
      '',
      { ...cb, parameters: { 'threeDSecure.schemeData[CB-ITEMSNB]': '03' } },
    ],
    [
      'threeDSecure.schemeData[CB-USECASE]',
      '',
      {
        ...{ ...cb, query: { ...cb.query, category: 'nonPayment' } as const },
        parameters: { ...recurring, 'threeDSecure.authenticationInd': 'RECURRING' },
      },
    ],
  ])('needs %s%s of the merchant', (parameter, form, changes) => {
    expect(contentOf(changes)).toEqual({
      reason: expect.stringContaining(`an authentication by 3-D Secure needs ${parameter}${form}`),
      parameters: expect.arrayContaining([parameter]),
    });
  });

  it('tells what the merchant can mend, and not the rest', () => {
    const settings = { ...query.settings, requestors: {} };
    const content = contentOf({
      query: { settings },
      parameters: { 'customer.browser.language': '', 'customer.browser.timezone': '' },
    });
    const names = ['customer.browser.language', 'customer.browser.timezone'];
    expect(content).toEqual({
      reason: `an authentication by 3-D Secure needs ${names.join(', ')}`,
      parameters: names,
    });
  });

  it('is asked without a use case where nothing is paid or agreed', () => {
    const npa = { ...cb, query: { ...cb.query, category: 'nonPayment' }, parameters: {} } as const;
    expect(contentOf(npa)).toHaveProperty('elements');
  });
});
