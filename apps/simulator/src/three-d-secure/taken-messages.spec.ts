import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMessage, messageVersions } from '@sluice/domain-three-d-secure';
import { areq, type Fields, type Networks, startNetworks } from './networks-fixture.js';

/** A directory server that takes what our tables refuse, or refuses what they take, tests nothing. */
let networks: Networks;
beforeAll(async () => {
  networks = await startNetworks({ unseenMs: 60_000 });
});
afterAll(() => networks.close());

/** Which elements are wrong, in no order; of a part the element that it is in. */
function said({ errorCode, errorDetail }: Fields): string {
  const names = String(errorDetail)
    .split(',')
    .map((name) => name.replace(/\..*$/, ''));
  return `${String(errorCode)} ${[...new Set(names)].sort().join(',')}`;
}

/** What our tables say of a message; what they take is "taken". */
function judged(message: Fields): string {
  const type = message['messageType'] === 'PReq' ? 'PReq' : 'AReq';
  const checked = checkMessage(message, { type, extensions: ['SLUICE-TEST'] });
  return 'erro' in checked ? said({ ...checked.erro }) : 'taken';
}

/** What the directory server says of it. */
async function answered(message: Fields): Promise<string> {
  const answer = await networks.ask('visa', message);
  return answer['messageType'] === 'Erro' ? said(answer) : 'taken';
}

/** Elements that AReq may have beside those that it must have. */
const possible: Fields = {
  threeDSServerOperatorID: 'operator',
  cardExpiryDate: '3012',
  cardholderName: 'A Shopper',
  email: 'shopper@shop.test',
  browserIP: '192.0.2.1',
  purchaseInstalData: '3',
  payTokenInd: true,
  payTokenSource: '01',
  recurringExpiry: '20301231',
  billAddrCountry: '276',
  shipAddrCountry: '276',
};

const wrongValues: readonly unknown[] = [
  ...['', null, 7, true, false, [], {}, '0', '00', '01', '79', '85', '100', 'Y', 'Q', 'x'],
  ...['ö', 'https://shop.test', 'javascript:alert(1)', '20260229120000', '20261301120000'],
  ...['20260228240000', '2.3.1', '\ud800', 'x'.repeat(3_000), '9'.repeat(49), ['01', '01']],
  ...[['01'], ['01', '02'], ['01', '02', '03'], ['99x'], '0000', '13', '999', '959', '900'],
];

const requests = messageVersions.flatMap((messageVersion) =>
  ['01', '02', '03'].flatMap((deviceChannel) =>
    ['01', '02'].map((messageCategory) => ({ messageVersion, deviceChannel, messageCategory })),
  ),
);

const HEADS = new Set(['deviceChannel', 'messageCategory']);

/** Where both do not say the same of a message without an element of it, or with another value in it. */
async function differencesOf(whole: Fields): Promise<readonly string[]> {
  const differences: string[] = [];
  const compare = async (message: Fields, name: string): Promise<void> => {
    // Directory servers may give these a meaning, and this one does not.
    if (HEADS.has(name) && message[name] === '85') return;
    const [ours, theirs] = [judged(message), await answered(message)];
    if (ours === theirs) return;
    const value = JSON.stringify([message[name]]).slice(0, 40);
    differences.push(`${name} ${value}: ${ours}, and the simulator: ${theirs}`);
  };
  for (const name of Object.keys(whole)) {
    const { [name]: _, ...without } = whole;
    await compare(without, name);
    for (const value of wrongValues) await compare({ ...whole, [name]: value }, name);
  }
  return differences;
}

describe('AReq', () => {
  it.each(requests)(
    '$messageVersion, channel $deviceChannel, category $messageCategory: each element',
    async (fields) => {
      expect(await differencesOf(areq(networks, { ...possible, ...fields }))).toEqual([]);
    },
    60_000,
  );

  it.each(
    messageVersions.flatMap((messageVersion) => [
      { messageVersion, threeDSRequestorAuthenticationInd: '03' },
      { messageVersion, deviceChannel: '03', messageCategory: '02', threeRIInd: '02' },
    ]),
  )('$messageVersion of instalments: each element of the series', async (fields) => {
    const series = {
      ...{ purchaseInstalData: '3', recurringExpiry: '20301231', recurringFrequency: '31' },
      ...{ recurringAmount: '100', recurringCurrency: '978', recurringExponent: '2' },
      ...{ recurringInd: { amountInd: '01', frequencyInd: '01' }, recurringDate: '20270101' },
    };
    const whole = areq(networks, { ...fields, ...series });
    expect(judged(whole)).toBe('taken');
    expect(await differencesOf(whole)).toEqual([]);
  });

  it.each(['country', 'currency'])('takes each %s that we take, and no other', async (code) => {
    const name = code === 'country' ? 'merchantCountryCode' : 'purchaseCurrency';
    const differences: string[] = [];
    for (let number = 0; number < 1_000; number += 1) {
      const message = areq(networks, { [name]: String(number).padStart(3, '0') });
      if (judged(message) !== (await answered(message))) differences.push(String(number));
    }
    expect(differences).toEqual([]);
  });
});

describe('PReq', () => {
  it.each(messageVersions)('%s: each element', async (messageVersion) => {
    const whole = {
      messageType: 'PReq',
      messageVersion,
      threeDSServerTransID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001',
      threeDSServerRefNumber: 'SERVER-1',
      threeDSServerOperatorID: 'operator',
      cardRangeDataDownloadInd: 'Y',
    };
    expect(await differencesOf(whole)).toEqual([]);
  });
});
