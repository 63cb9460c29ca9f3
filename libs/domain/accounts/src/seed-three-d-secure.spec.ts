import { describe, expect, it } from '@jest/globals';
import { authenticationNetworks } from '@sluice/contracts';
import { parseSeed } from './seed.js';

const requestor = {
  ...{ requestorId: 'R-1', requestorName: 'Books Ltd', acquirerBin: '400000' },
  acquirerMerchantId: '000000000000001',
};
const complete = {
  ...{ authenticates: 'always', goesOnWith: ['Y'], merchantName: 'Books' },
  ...{ merchantCountry: 'DE', merchantCategoryCode: '5942', merchantUrl: 'https://shop.example' },
  requestors: { visa: requestor },
};
const shop = {
  ...{ entityId: '8a829417567d952801568d9d9e3c0b84', name: 'Shop', merchant: 'Books' },
  accessTokens: ['token-of-16-char'],
};

const channel = (threeDSecure: unknown) =>
  parseSeed(JSON.stringify({ channels: [{ ...shop, threeDSecure }] }));
const settingsOf = (threeDSecure: unknown) => {
  const result = channel(threeDSecure);
  if (result.kind !== 'seed') throw new Error(result.reason);
  return result.accounts.at(-1)?.terms?.threeDSecure;
};
const reasonOf = (threeDSecure: unknown) => {
  const result = channel(threeDSecure);
  if (result.kind !== 'refused') throw new Error('the file was accepted');
  return result.reason;
};
const ofVisa = (changes: object) => ({
  ...complete,
  requestors: { visa: { ...requestor, ...changes } },
});

describe('3-D Secure in a seed file', () => {
  it('is read as it is said', () => {
    expect(settingsOf(complete)).toEqual(complete);
  });

  it('may be said at any node, and is not where nothing is said', () => {
    const result = parseSeed(
      JSON.stringify({
        psps: [{ name: 'Bank', threeDSecure: complete }],
        divisions: [{ name: 'Retail', psp: 'Bank', threeDSecure: complete }],
        merchants: [{ name: 'Books', division: 'Retail', threeDSecure: complete }],
        channels: [shop],
      }),
    );
    if (result.kind !== 'seed') throw new Error(result.reason);
    const said = result.accounts.map(({ kind, terms }) => [kind, terms?.threeDSecure]);
    expect(said).toEqual([
      ...[
        ['psp', complete],
        ['division', complete],
        ['merchant', complete],
      ],
      ['channel', undefined],
    ]);
    expect(result.accounts.at(-1)?.terms).not.toHaveProperty('threeDSecure');
  });

  it('is on demand, and goes on with Y and A, unless something else is said', () => {
    const { authenticates: _, goesOnWith: __, ...others } = complete;
    const settings = settingsOf(others);
    expect(settings).toEqual({ ...others, authenticates: 'onDemand', goesOnWith: ['Y', 'A'] });
  });

  it('goes on with the same statuses in whatever order they are said', () => {
    const goesOnWith = ['I', 'U', 'N', 'A', 'Y'];
    expect(settingsOf({ ...complete, goesOnWith })?.goesOnWith).toEqual([...goesOnWith].reverse());
  });

  it.each(authenticationNetworks)('has a requestor of %s', (network) => {
    const requestors = { [network]: requestor };
    expect(settingsOf({ ...complete, requestors })?.requestors).toEqual(requestors);
  });

  it.each([
    ['the longest name', { ...complete, merchantName: 'n'.repeat(40) }],
    ['an address with a path', { ...complete, merchantUrl: 'https://shop.example:8443/de?x=1' }],
    ['the longest address', { ...complete, merchantUrl: `https://${'a/'.repeat(1_020)}` }],
    ['the longest id', ofVisa({ requestorId: 'i'.repeat(35) })],
    ['the longest name of a requestor', ofVisa({ requestorName: 'n'.repeat(40) })],
    ['the shortest number of an acquirer', ofVisa({ acquirerBin: '123456' })],
    ['the longest number of an acquirer', ofVisa({ acquirerBin: '12345678901' })],
    ['the longest id of an acquirer', ofVisa({ acquirerMerchantId: 'i'.repeat(35) })],
  ])('may have %s', (_, settings) => {
    expect(settingsOf(settings)).toEqual(settings);
  });
});

describe('3-D Secure in a seed file, refused', () => {
  it.each<[unknown, string]>([
    [true, '"threeDSecure" must be an object'],
    [null, '"threeDSecure" must be an object'],
    [
      { ...complete, mcc: '5942' },
      '"threeDSecure" has no member "mcc"; it may have "authenticates", "goesOnWith", "merchantName", "merchantCountry", "merchantCategoryCode", "merchantUrl", "requestors"',
    ],
    [{ ...complete, authenticates: 'never' }, '"authenticates" must be "always" or "onDemand"'],
    [{ ...complete, authenticates: true }, '"authenticates" must be "always" or "onDemand"'],
    [{ ...complete, goesOnWith: 'Y' }, '"goesOnWith" must be a list'],
    [
      { ...complete, goesOnWith: [] },
      '"goesOnWith" must have a status: with none of them no payment would go on',
    ],
    ...['C', 'D', 'y', '', 1].map((status): [unknown, string] => [
      { ...complete, goesOnWith: ['Y', status] },
      'a value of "goesOnWith" must be one of "Y", "A", "N", "U", "I"',
    ]),
    ...[['R'], ['Y', 'R']].map((goesOnWith): [object, string] => [
      { ...complete, goesOnWith },
      '"goesOnWith" cannot have "R": the issuer forbids to go on',
    ]),
    [{ ...complete, goesOnWith: ['Y', 'A', 'Y'] }, 'this status is given twice here'],
    [{ ...complete, goesOnWith: Array.from('YANURIY') }, '"goesOnWith" has more than 6 entries'],
    [{ ...complete, merchantName: undefined }, '"merchantName" is missing'],
    ...['', 'n'.repeat(41), 'a\nb', 7].map((merchantName): [unknown, string] => [
      { ...complete, merchantName },
      '"merchantName" must be a text of 1 to 40 printable characters',
    ]),
    [{ ...complete, merchantCountry: undefined }, '"merchantCountry" is missing'],
    ...['de', 'DEU', 'XX', '276'].map((merchantCountry): [unknown, string] => [
      { ...complete, merchantCountry },
      '"merchantCountry" must be a country of ISO 3166-1 in two letters, as "DE"',
    ]),
    [{ ...complete, merchantCategoryCode: undefined }, '"merchantCategoryCode" is missing'],
    ...['594', '59420', '594a', '٥٩٤٢'].map((merchantCategoryCode): [unknown, string] => [
      { ...complete, merchantCategoryCode },
      '"merchantCategoryCode" must be four digits of ISO 18245, as "5942" for books',
    ]),
    [
      { ...complete, merchantCategoryCode: 5942 },
      '"merchantCategoryCode" must be a text of 1 to 100 printable characters',
    ],
    [{ ...complete, merchantUrl: undefined }, '"merchantUrl" is missing'],
    ...[
      ...['http://shop.example', 'shop.example', 'https://', 'https://shop.example:x'],
      ...['https://u@shop.example', 'https://u:p@shop.example', 'https://büro.example'],
      ...['HTTPS://shop.example', 'https://shop.example/a b', 'javascript:https://shop.example'],
    ].map((merchantUrl): [unknown, string] => [
      { ...complete, merchantUrl },
      '"merchantUrl" must be a URL with https, without a user and a password, as "https://shop.example"',
    ]),
    [
      { ...complete, merchantUrl: `https://${'a/'.repeat(1_021)}` },
      '"merchantUrl" must be a text of 1 to 2048 printable characters',
    ],
    [{ ...complete, requestors: undefined }, '"requestors" is missing'],
    [{ ...complete, requestors: [] }, '"requestors" must be an object'],
    [
      { ...complete, requestors: {} },
      '"requestors" must have a network, or nobody is authenticated: "visa", "mastercard", "amex", "diners", "jcb", "cartebancaire", "unionpay"',
    ],
    [
      { ...complete, requestors: { VISA: requestor } },
      '"requestors" has no member "VISA"; it may have "visa", "mastercard", "amex", "diners", "jcb", "cartebancaire", "unionpay"',
    ],
    [{ ...complete, requestors: { visa: 'R-1' } }, 'the requestor of "visa" must be an object'],
    [
      ofVisa({ bin: '400000' }),
      'the requestor of "visa" has no member "bin"; it may have "requestorId", "requestorName", "acquirerBin", "acquirerMerchantId"',
    ],
    ...Object.keys(requestor).map((name): [unknown, string] => [
      ofVisa({ [name]: undefined }),
      `"${name}" is missing`,
    ]),
    [
      ofVisa({ requestorId: 'i'.repeat(36) }),
      '"requestorId" must be a text of 1 to 35 printable characters',
    ],
    [
      ofVisa({ requestorName: 'n'.repeat(41) }),
      '"requestorName" must be a text of 1 to 40 printable characters',
    ],
    ...['12345', '123456789012', '40000a'].map((acquirerBin): [unknown, string] => [
      ofVisa({ acquirerBin }),
      '"acquirerBin" must be 6 to 11 digits',
    ]),
    [
      ofVisa({ acquirerMerchantId: 'i'.repeat(36) }),
      '"acquirerMerchantId" must be a text of 1 to 35 printable characters',
    ],
  ])('%j', (settings, reason) => {
    expect(reasonOf(settings)).toBe(reason);
  });

  it.each([
    ['"merchantCategoryCode": "5942",', '"merchantCategoryCode": "594",', 4],
    ['"acquirerBin": "400000",', '"acquirerBin": "4",', 8],
    ['"goesOnWith": ["Y"],', '"goesOnWith": [],', 2],
    ['"jcb": {', '"other": {', 6],
  ])('is refused with the line of the mistake: %s', (right, wrong, line) => {
    const file = [
      `{"channels": [{ "entityId": "${shop.entityId}", "name": "n", "merchant": "m", "accessTokens": ["token-of-16-char"], "threeDSecure": {`,
      '"goesOnWith": ["Y"],',
      '"merchantName": "n", "merchantCountry": "DE",',
      '"merchantCategoryCode": "5942",',
      '"merchantUrl": "https://shop.example", "requestors": {',
      '"jcb": {',
      '"requestorId": "r", "requestorName": "n",',
      '"acquirerBin": "400000",',
      '"acquirerMerchantId": "m" }}}}]}',
    ].join('\n');
    expect(parseSeed(file).kind).toBe('seed');
    expect(parseSeed(file.replace(right, wrong))).toMatchObject({ kind: 'refused', line });
  });
});
