import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '../messages/build-message.js';
import { messageVersions } from '../messages/message-kinds.js';
import { challengeWindowOf, channelOf } from './authentication-request.js';
import {
  cb,
  type Changes,
  elementsOf,
  instalments,
  query,
  recurring,
} from './authentication-request-fixture.js';
import { versionOfPurpose } from './authentication-purpose.js';
import { networkOfBrand } from './network-of-brand.js';

const extension = (name: string, id: string, data: object) => [
  { name, id, criticalityIndicator: false, data },
];

/** What the issuer is told, and by which element: a row per source. */
const rows: readonly (readonly [element: string, expected: unknown, changes?: Changes])[] = [
  ['threeDSServerRefNumber', 'SERVER-1'],
  ['threeDSServerOperatorID', undefined],
  ['threeDSServerURL', 'https://gateway.example/3ds/results'],
  ['deviceChannel', '02'],
  ['messageCategory', '01'],
  ['messageCategory', '02', { query: { category: 'nonPayment' } }],
  ['threeDSRequestorID', '10088321'],
  ['threeDSRequestorID', 'R2', { parameters: { 'threeDSecure.v2.visa.requestorId': 'R2' } }],
  ['threeDSRequestorName', 'Books'],
  ['threeDSRequestorName', 'N2', { parameters: { 'threeDSecure.v2.visa.requestorName': 'N2' } }],
  ['threeDSRequestorURL', 'https://shop.example'],
  [
    'threeDSRequestorURL',
    'https://b.example',
    { parameters: { 'threeDSecure.merchant.url': 'https://b.example' } },
  ],
  ['acquirerBIN', '400000'],
  ['acquirerMerchantID', '4711'],
  ['mcc', '5942'],
  ['merchantCountryCode', '276'],
  ['merchantCountryCode', '250', { parameters: { 'threeDSecure.merchant.country': 'FRA' } }],
  ['merchantName', 'Example Bookshop'],
  [
    'merchantName',
    'x'.repeat(40),
    { parameters: { 'threeDSecure.merchant.name': 'x'.repeat(60) } },
  ],
  ['threeDSRequestorAuthenticationInd', '01'],
  ['threeDSRequestorAuthenticationInd', '04', { query: { category: 'nonPayment' } }],
  ['threeDSRequestorAuthenticationInd', '02', { parameters: recurring }],
  ['threeDSRequestorAuthenticationInd', '03', { parameters: instalments }],
  [
    'threeDSRequestorAuthenticationInd',
    '05',
    { parameters: { 'threeDSecure.authenticationInd': 'MAINTAIN_CARD' } },
  ],
  [
    'threeDSRequestorAuthenticationInd',
    '01',
    { parameters: { 'threeDSecure.authenticationInd': 'SPLIT_PAYMENT' } },
  ],
  [
    'threeDSRequestorAuthenticationInd',
    '10',
    { version: '2.3.1', parameters: { 'threeDSecure.authenticationInd': 'SPLIT_PAYMENT' } },
  ],
  ['threeRIInd', '11', { channel: '03' }],
  [
    'threeRIInd',
    '06',
    { channel: '03', parameters: { 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' } },
  ],
  [
    'threeRIInd',
    '01',
    { channel: '03', parameters: { ...recurring, 'threeDSecure.threeRIInd': 'RECURRING' } },
  ],
  ['threeDSRequestorChallengeInd', undefined],
  [
    'threeDSRequestorChallengeInd',
    '03',
    { parameters: { 'threeDSecure.challengeIndicator': '3' } },
  ],
  [
    'threeDSRequestorChallengeInd',
    undefined,
    { version: '2.1.0', parameters: { 'threeDSecure.challengeIndicator': '05' } },
  ],
  [
    'threeDSRequestorChallengeInd',
    '04',
    {
      query: { challengeIsMandated: true },
      parameters: { 'threeDSecure.challengeIndicator': '02' },
    },
  ],
  ['threeDSRequestorChallengeInd', '02', { parameters: { 'threeDSecure.exemptionFlag': '01' } }],
  ['threeDSRequestorChallengeInd', '05', { parameters: { 'threeDSecure.exemptionFlag': '02' } }],
  ['threeDSRequestorChallengeInd', '08', { parameters: { 'threeDSecure.exemptionFlag': '03' } }],
  [
    'threeDSRequestorChallengeInd',
    '04',
    { parameters: { 'threeDSecure.challengeMandatedIndicator': 'Y' } },
  ],
  [
    'threeDSRequestorChallengeInd',
    ['04'],
    { version: '2.3.1', query: { challengeIsMandated: true } },
  ],
  ['threeDSRequestorChallengeInd', undefined, { version: '2.3.1' }],
  ['transType', '01'],
  ['transType', undefined, { query: { category: 'nonPayment' } }],
  [
    'transType',
    undefined,
    { query: { settings: { ...query.settings, merchantCategoryCode: '7995' } } },
  ],
  ['threeDSRequestorDecReqInd', 'Y', { parameters: { 'threeDSecure.decoupled': 'true' } }],
  [
    'threeDSRequestorDecReqInd',
    undefined,
    { version: '2.1.0', parameters: { 'threeDSecure.decoupled': 'true' } },
  ],
  ['threeDSRequestorDecMaxTime', '00012', { parameters: { 'threeDSecure.decoupled': 'true' } }],
  ['cardExpiryDate', '3405'],
  ['cardholderName', 'Jane Jones', { parameters: { 'card.holder': 'Jane Jones' } }],
  ['email', 'jane@shop.example', { parameters: { 'customer.email': 'jane@shop.example' } }],
  ['email', undefined, { parameters: { 'customer.email': 'no address' } }],
  [
    'mobilePhone',
    { cc: '49', subscriber: '151234567' },
    { parameters: { 'customer.mobile': '+49 151 234567' } },
  ],
  ['mobilePhone', undefined, { parameters: { 'customer.mobile': '0151234567' } }],
  ...(
    [
      ['+49151234567', '49', '151234567'],
      ['+49151 234567', '49', '151234567'],
      ['+49.151.234567', '49', '151234567'],
      ['+15551234567', '1', '5551234567'],
      ['+77012345678', '7', '7012345678'],
      ['+35312345678', '353', '12345678'],
      ['+390612345678', '39', '0612345678'],
      ['+8613812345678', '86', '13812345678'],
    ] as const
  ).map(
    ([said, cc, subscriber]) =>
      ['mobilePhone', { cc, subscriber }, { parameters: { 'customer.mobile': said } }] as const,
  ),
  ['mobilePhone', undefined, { parameters: { 'customer.mobile': '+49' } }],
  [
    'homePhone',
    { cc: '1', subscriber: '5551234' },
    { parameters: { 'customer.phone': '+1 (555) 1234' } },
  ],
  [
    'workPhone',
    { cc: '44', subscriber: '201234' },
    { parameters: { 'customer.workPhone': '+44-20-1234' } },
  ],
  [
    'billAddrLine1',
    'Main Street 7',
    { parameters: { 'billing.street1': 'Main Street', 'billing.houseNumber1': '7' } },
  ],
  ['billAddrLine2', 'Back', { parameters: { 'billing.street2': 'Back' } }],
  ['billAddrCity', 'Munich', { parameters: { 'billing.city': 'Munich' } }],
  ['billAddrPostCode', '80331', { parameters: { 'billing.postcode': '80331' } }],
  ['billAddrState', 'BY', { parameters: { 'billing.state': 'BY', 'billing.country': 'DE' } }],
  ['billAddrState', undefined, { parameters: { 'billing.state': 'BY' } }],
  ['billAddrCountry', '276', { parameters: { 'billing.country': 'DE' } }],
  ['shipAddrCountry', '040', { parameters: { 'shipping.country': 'AT' } }],
  ['shipAddrCity', 'Vienna', { parameters: { 'shipping.city': 'Vienna' } }],
  ['purchaseAmount', '9200'],
  ['purchaseAmount', '5000', { parameters: { 'threeDSecure.amount': '50.00' } }],
  [
    'purchaseAmount',
    '7000',
    { parameters: { 'threeDSecure.amount': '50.00', 'risk.amount': '70.00' } },
  ],
  ['purchaseCurrency', '978'],
  [
    'purchaseCurrency',
    '392',
    { parameters: { 'threeDSecure.amount': '50.00', 'threeDSecure.currency': 'JPY' } },
  ],
  ['purchaseExponent', '2'],
  [
    'purchaseExponent',
    '0',
    { parameters: { 'threeDSecure.amount': '50.00', 'threeDSecure.currency': 'JPY' } },
  ],
  ['purchaseDate', '20260301120000'],
  ['purchaseInstalData', '12', { parameters: instalments }],
  ['recurringExpiry', '20270301', { parameters: recurring }],
  ['recurringFrequency', '30', { parameters: recurring }],
  [
    'recurringInd',
    { amountInd: '02', frequencyInd: '01' },
    { version: '2.3.1', parameters: recurring },
  ],
  ['recurringDate', '20260301', { version: '2.3.1', parameters: recurring }],
  ['browserAcceptHeader', 'text/html'],
  ['browserAcceptHeader', undefined, { channel: '03' }],
  ['browserIP', '192.0.2.1', { parameters: { 'customer.ip': '192.0.2.1' } }],
  ['browserJavascriptEnabled', true],
  ['browserJavaEnabled', false],
  ['browserLanguage', 'de-DE'],
  ['acceptLanguage', ['de-DE'], { version: '2.3.1' }],
  ['browserColorDepth', '24'],
  ['browserColorDepth', '24', { parameters: { 'customer.browser.screenColorDepth': '30' } }],
  ['browserColorDepth', '4', { parameters: { 'customer.browser.screenColorDepth': '5' } }],
  ['browserColorDepth', '4', { parameters: { 'customer.browser.screenColorDepth': '05' } }],
  ['browserColorDepth', '1', { parameters: { 'customer.browser.screenColorDepth': '0' } }],
  ['browserColorDepth', '24', { parameters: { 'customer.browser.screenColorDepth': '24.5' } }],
  [
    'browserColorDepth',
    '30',
    { version: '2.3.1', parameters: { 'customer.browser.screenColorDepth': '30' } },
  ],
  [
    'browserColorDepth',
    '1',
    { version: '2.3.1', parameters: { 'customer.browser.screenColorDepth': '00' } },
  ],
  ['browserScreenHeight', '900'],
  ['browserScreenWidth', '1440'],
  ['browserTZ', '-60'],
  ['browserUserAgent', 'Mozilla/5.0'],
  ['notificationURL', 'https://gateway.example/redirects/1/return'],
  ['messageExtension', undefined],
  ['messageExtension', extension('CB', 'A000000042', { 'CB-USECASE': '01' }), cb],
  [
    'messageExtension',
    extension('Test', 'SLUICE-TEST', { flow: 'challenge' }),
    { parameters: { 'customParameters[3DS2_flow]': 'challenge' } },
  ],
  [
    'messageExtension',
    extension('Test', 'SLUICE-TEST', {
      enrolled: 'true',
      status: 'U',
      delayMs: 250,
      fault: 'erro',
    }),
    {
      parameters: {
        ...{ 'customParameters[3DS2_enrolled]': 'true', 'customParameters[3DS2_status]': 'U' },
        ...{ 'customParameters[3DS2_delay]': '250', 'customParameters[3DS2_fault]': 'erro' },
        'customParameters[3DS2_flow]': '',
      },
    },
  ],
  [
    'messageExtension',
    undefined,
    { query: { mode: 'LIVE' }, parameters: { 'customParameters[3DS2_flow]': 'challenge' } },
  ],
];

describe('what the issuer is told', () => {
  it.each(rows)('%s is %j', (element, expected, changes = {}) => {
    expect(elementsOf(changes)[element]).toEqual(expected);
  });

  it.each(messageVersions)('is a message that everybody takes in %s', (version) => {
    const sent = { threeDSServerTransID: crypto.randomUUID(), acctNumber: '4200000000000042' };
    const elements = elementsOf({ version, parameters: recurring });
    expect(() =>
      buildMessage('AReq', version, { ...elements, ...sent, threeDSCompInd: 'U' }),
    ).not.toThrow();
  });

  it('is enough without the shopper, too', () => {
    const sent = { threeDSServerTransID: crypto.randomUUID(), acctNumber: '4200000000000042' };
    const elements = elementsOf({ channel: '03' });
    expect(() => buildMessage('AReq', '2.2.0', { ...elements, ...sent })).not.toThrow();
  });
});

it.each(['BILLING_AGREEMENT', 'SPLIT_SHIPMENT', '_DELAYED_SHIPMENT', 'SPLIT_PAYMENT'])(
  'is for %s where the version has a word for it, which needs no more than a payment does',
  (purpose) => {
    const parameters = { 'threeDSecure.authenticationInd': purpose };
    expect(versionOfPurpose(parameters)).toBe('2.3.1');
    const payment = { 'threeDSecure.authenticationInd': 'PAYMENT' };
    const { threeDSRequestorAuthenticationInd, ...others } = elementsOf({
      ...({ version: '2.3.1', parameters } as const),
    });
    expect(threeDSRequestorAuthenticationInd).toMatch(/^(?:0[789]|10)$/u);
    expect(elementsOf({ version: '2.3.1', parameters: payment })).toMatchObject(others);
    expect(versionOfPurpose(payment)).toBeUndefined();
  },
);

it('cuts the name of a merchant between two characters', () => {
  const name = `${'a'.repeat(39)}\u{1F600}\u{1F600}`;
  const { merchantName } = elementsOf({ parameters: { 'threeDSecure.merchant.name': name } });
  expect(merchantName).toBe(`${'a'.repeat(39)}\u{1F600}`);
});

describe('the place of the shopper', () => {
  it.each([
    [{}, '02'],
    [{ 'threeDSecure.channel': '03' }, '03'],
    [{ 'threeDSecure.threeRIInd': 'RECURRING' }, '03'],
    [{ 'threeDSecure.deviceInfo': 'x' }, '01'],
  ] as const)('of %j is %s', (parameters, channel) => expect(channelOf(parameters)).toBe(channel));
});

it.each([
  ['1', '01'],
  ['05', '05'],
  ['6', undefined],
])('a challenge window of %s is %s', (sent, size) => {
  expect(challengeWindowOf({ 'customer.browser.challengeWindow': sent })).toBe(size);
});

it.each([
  ['VISA', 'visa'],
  ['MAESTRO', 'mastercard'],
  ['DISCOVER', 'diners'],
  ['CARTEBANCAIRE', 'cartebancaire'],
  ['MADA', undefined],
  ['constructor', undefined],
])('the network of %s is %s', (brand, network) => expect(networkOfBrand(brand)).toBe(network));
