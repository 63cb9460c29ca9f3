import { describe, expect, it } from '@jest/globals';
import type { AuthenticateQuery } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { buildMessage } from '../messages/build-message.js';
import {
  foreignElementsOf,
  foreignObjects,
  isForeignIn,
  isForeignRequired,
  isForeignValue,
} from '../messages/foreign-tables-fixture.js';
import { isMissing, isObject } from '../messages/formats.js';
import {
  type DeviceChannel,
  deviceChannels,
  type Message,
  messageCategories,
  type MessageCategory,
  type MessageType,
  type MessageVersion,
} from '../messages/message-kinds.js';
import { ACS_ID, SERVER_ID } from '../messages/messages-fixture.js';
import { NOW_MS } from './authentication-fixture.js';
import { requestContent } from './authentication-request.js';

const SDK_ID = '55555555-5555-4555-8555-555555555555';
const deviceInfo = {
  ...{ sdkTransID: SDK_ID, sdkAppID: SDK_ID, sdkReferenceNumber: 'SDK', sdkEncData: 'device' },
  sdkEphemPubKey: {
    ...{ kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU' },
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
};

const placeOf: Readonly<Record<DeviceChannel, Readonly<Record<string, string>>>> = {
  '01': { 'threeDSecure.deviceInfo': JSON.stringify(deviceInfo) },
  '02': {
    'customer.browser.acceptHeader': 'text/html',
    'customer.browser.language': 'de-DE',
    'customer.browser.screenHeight': '900',
    'customer.browser.screenWidth': '1440',
    'customer.browser.screenColorDepth': '30',
    'customer.browser.timezone': '-60',
    'customer.browser.userAgent': 'Mozilla/5.0',
    'customer.browser.javaEnabled': 'false',
  },
  '03': { 'threeDSecure.channel': '03' },
};

const series = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.expiry': '2027-03-01',
  'standingInstruction.frequency': '30',
  'standingInstruction.numberOfInstallments': '12',
};
const address = (of: 'billing' | 'shipping') => ({
  ...{ [`${of}.street1`]: 'Ringstraße', [`${of}.houseNumber1`]: '1', [`${of}.street2`]: 'b' },
  ...{ [`${of}.city`]: 'Wien', [`${of}.postcode`]: '1010', [`${of}.state`]: 'W' },
  [`${of}.country`]: 'AT',
});
/** What merchants send beside the least, by what it is. */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: {},
  'who the shopper is': {
    ...{ ...address('billing'), ...address('shipping'), 'card.holder': 'Jane Doe' },
    ...{ 'customer.email': 'jane@shop.example', 'customer.ip': '2001:db8::1' },
    ...{ 'customer.phone': '+43 1 234567', 'customer.mobile': '+43 660 234567' },
    'customer.workPhone': '+43 1 345678',
  },
  'what does not fit': {
    ...{ 'customer.ip': 'somewhere', 'customer.email': 'jane', 'customer.phone': '234567' },
    ...{ 'billing.state': 'Vienna', 'billing.country': 'AT', 'billing.street1': 'x'.repeat(90) },
    ...{ 'card.holder': 'J', 'threeDSecure.merchant.name': 'x'.repeat(90) },
  },
  'a series': {
    ...{ ...series, 'standingInstruction.type': 'RECURRING' },
    'threeDSecure.threeRIInd': 'RECURRING',
  },
  instalments: { ...series, 'standingInstruction.type': 'INSTALLMENT' },
  'a purpose of later versions': { 'threeDSecure.authenticationInd': 'BILLING_AGREEMENT' },
  'a shipment of its own': { 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' },
  'another amount': { 'threeDSecure.amount': '50.00', 'threeDSecure.currency': 'JPY' },
  'that issuers may ask elsewhere': { 'threeDSecure.decoupled': 'true' },
  'a wish of the issuer': { 'threeDSecure.challengeMandatedIndicator': 'Y' },
  'an extension': { 'customParameters[3DS2_flow]': 'challenge' },
};

function queryOf(category: MessageCategory, parameters: AuthenticateQuery['parameters']) {
  return {
    authenticationId: 'a'.repeat(32) as TransactionId,
    paymentId: 'a'.repeat(32) as TransactionId,
    entityId: 'e'.repeat(32) as EntityId,
    ...{ mode: 'INTERNAL', amount: { minor: '9200', currency: 'EUR' }, brand: 'VISA' },
    category: category === '01' ? 'payment' : 'nonPayment',
    ...{ vaultReference: 'vault-0.1', expiry: { month: '05', year: '2034' } },
    redirectUrl: 'https://gateway.example/redirects/1',
    settings: {
      ...{ authenticates: 'always', goesOnWith: ['Y', 'A'], merchantName: 'Example Bookshop' },
      ...{ merchantCountry: 'DE', merchantCategoryCode: '5942' },
      merchantUrl: 'https://shop.example',
      requestors: {
        visa: {
          ...{ requestorId: '10088321', requestorName: 'Books' },
          ...{ acquirerBin: '400000', acquirerMerchantId: '4711' },
        },
      },
    },
    parameters,
  } as const satisfies AuthenticateQuery;
}

/** AReq as it is sent. */
function requestOf(
  version: MessageVersion,
  channel: DeviceChannel,
  category: MessageCategory,
  parameters: Readonly<Record<string, string>>,
): Message {
  const content = requestContent({
    ...({ network: 'visa', version, channel, nowMs: NOW_MS, numberDigits: 16 } as const),
    server: { referenceNumber: 'SERVER-1', resultsUrl: 'https://gateway.example/3ds/results' },
    query: queryOf(category, { ...placeOf[channel], ...parameters }),
  });
  if ('reason' in content) throw new Error(content.reason);
  return buildMessage('AReq', version, {
    ...content.elements,
    ...{ threeDSServerTransID: SERVER_ID, acctNumber: '4200000000000042' },
    ...(channel === '02' && { threeDSCompInd: 'U' }),
  });
}

/** What their server adds to what its customers send, and what EMV demands of both. */
const ofServers: ReadonlySet<string> = new Set([
  ...['threeDSServerRefNumber', 'threeDSServerURL', 'threeDSRequestorID', 'threeDSRequestorName'],
]);

interface Place {
  readonly type: MessageType;
  readonly version: MessageVersion;
  readonly channel: DeviceChannel;
  readonly category: MessageCategory;
}

/** What a foreign server has against a message; names alone. */
function foreignFaults(
  message: Message,
  { type, version, channel, category }: Place,
): readonly string[] {
  const elements = foreignElementsOf(type, version);
  const missing = elements
    .filter((element) => isForeignRequired(element, message, channel, category))
    .filter(({ name }) => isMissing(message[name]))
    .map(({ name }) => `${name} is missing`);
  const wrong = Object.entries(message).flatMap(([name, value]) => {
    const element = elements.find((each) => each.name === name);
    if (element === undefined) return ofServers.has(name) ? [] : [`${name} is unknown`];
    if (!isForeignIn(element, channel, category)) return [`${name} is not for this`];
    return isForeignValue(element, value) ? wrongParts(name, value) : [`${name} is wrong`];
  });
  return [...missing, ...wrong];
}

function wrongParts(name: string, value: unknown): readonly string[] {
  const parts = foreignObjects.find(({ elements }) => elements.includes(name))?.parts ?? [];
  const objects = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isObject);
  return objects.flatMap((object) =>
    parts
      .filter((part) =>
        object[part.name] === undefined
          ? part.inclusion === 'R'
          : !isForeignValue(part, object[part.name]),
      )
      .map((part) => `${name}.${part.name} is wrong`),
  );
}

const requests = (['2.1.0', '2.2.0'] as const).flatMap((version) =>
  deviceChannels.flatMap((channel) =>
    messageCategories
      // Where an issuer speaks 2.1.0 alone, risk does not ask without the shopper.
      .filter(() => version !== '2.1.0' || channel !== '03')
      .flatMap((category) =>
        Object.keys(told).map((what) => [version, channel, category, what] as const),
      ),
  ),
);

describe('what our server sends, by the tables of one that is not ours', () => {
  it.each(requests)(
    'AReq %s of channel %s and category %s that tells %s',
    (version, channel, category, what) => {
      const message = requestOf(version, channel, category, told[what] ?? {});
      const kept =
        // See the list of places beside the tables.
        version === '2.2.0' && channel === '03' && what === 'a wish of the issuer'
          ? ['threeDSRequestorChallengeInd is not for this']
          : [];
      expect(foreignFaults(message, { type: 'AReq', version, channel, category })).toEqual(kept);
    },
  );

  it.each(['2.1.0', '2.2.0'] as const)('CReq %s of a browser', (version) => {
    const ids = { threeDSServerTransID: SERVER_ID, acsTransID: ACS_ID };
    const known = { channel: '02' } as const;
    const message = buildMessage('CReq', version, { ...ids, challengeWindowSize: '05' }, known);
    expect(
      foreignFaults(message, { type: 'CReq', version, channel: '02', category: '01' }),
    ).toEqual([]);
  });

  it('would be refused for what is wrong in it', () => {
    const message = requestOf('2.2.0', '02', '01', {});
    const faultsWith = (changes: Message) =>
      foreignFaults(
        { ...message, ...changes },
        { type: 'AReq', version: '2.2.0', channel: '02', category: '01' },
      );
    expect(faultsWith({ browserIP: 'somewhere' })).toEqual(['browserIP is wrong']);
    expect(faultsWith({ mcc: undefined })).toContain('mcc is missing');
    expect(faultsWith({ threeRIInd: '05' })).toEqual(['threeRIInd is not for this']);
    expect(faultsWith({ acceptLanguage: ['de'] })).toEqual(['acceptLanguage is unknown']);
    expect(faultsWith({ threeDSRequestorDecReqInd: 'Y' })).toEqual([
      'threeDSRequestorDecMaxTime is missing',
    ]);
    expect(faultsWith({ homePhone: { cc: '43' } })).toEqual(['homePhone.subscriber is wrong']);
  });
});
