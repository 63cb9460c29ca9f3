import { checkMessage, type Expected, isRequired } from './check-message.js';
import { factsOf, type Field } from './field-rows.js';
import { fieldsOf } from './field-tables.js';
import type {
  DeviceChannel,
  Message,
  MessageCategory,
  MessageType,
  MessageVersion,
} from './message-kinds.js';

export const SERVER_ID = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e';
export const ACS_ID = 'd7c1ee99-9478-44a6-b1f2-391e29c6b340';
export const DIRECTORY_ID = '4317fdc3-ad24-4443-8000-000000000891';

/** What a message is drawn for. */
export interface Drawn {
  readonly type: MessageType;
  readonly version: MessageVersion;
  readonly channel: DeviceChannel;
  readonly category: MessageCategory;
}

const twoDigits = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(2, '0'));
const url = 'https://shop.example/way?to=it';
const phone = { cc: '49', subscriber: '301234567' };
const pictures = { default: url, dark: url };
const range = {
  startRange: '4012000000000000',
  endRange: '4012999999999999',
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
  threeDSMethodURL: url,
};
const ranges = {
  ranges: [{ start: '4012000000000000', end: '4012999999999999' }],
  acsProtocolVersions: [{ version: '2.3.1', acsInfoInd: ['01', '81'], threeDSMethodURL: url }],
};
const texts = [
  ...['Y', 'N', 'A', 'U', 'C', 'R', 'D', 'I', 'S', ...twoDigits, '79', '85', '1', '24', '0060'],
  ...['276', '978', '2611', '5411', '00060', '128', '123', '4012000000003119', '60000'],
  ...['20261127', '202611271500', '20261127150000', SERVER_ID, ACS_ID, DIRECTORY_ID, url],
  ...[
    'shopper@shop.example',
    'Ö',
    'two words',
    '2.1.0',
    '2.3.1',
    'EUR',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  ],
  ...['A'.repeat(43), 'AReq', 'Erro', 'S', '-300', '+60', '*/*', '192.0.2.1'],
];
const objects = [
  {},
  phone,
  pictures,
  { medium: url },
  { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' },
  { chAccAgeInd: '05', chAccDate: '20200229', txnActivityDay: '2' },
  { shipIndicator: '05', deliveryTimeframe: '01', giftCardCurr: '978' },
  { threeDSReqAuthMethod: '02', threeDSReqAuthTimestamp: '202611271500', threeDSReqAuthData: 'x' },
  { threeDSReqPriorRef: ACS_ID, threeDSReqPriorAuthMethod: '02' },
  { sdkInterface: '03', sdkUiType: ['01', '02'] },
  { sdkVariant: '01' },
  { acsInterface: '01', acsUiTemplate: '02' },
  { acsInterface: '01', acsUiTemplate: '02', deviceUserInterfaceMode: '01' },
  { text: 'Call us', issuerImage: url },
  { amountInd: '01', frequencyInd: '01' },
  { amountInd: '02', frequencyInd: '02' },
  { merchantList: [{ merchantNameListed: 'A shop' }] },
  { sellerName: 'A seller', sellerPhone: phone },
  { token: '4012000000003119' },
  { category: '01', severity: '04', recipients: ['02'], source: '02' },
  { name: 'more', id: 'A000000802-001', criticalityIndicator: false, data: { valueOne: 'value' } },
  { rpID: 'issuer.example', credentialIds: 'A'.repeat(16) },
  { challengeDataEntryLabel: 'Code' },
  { phon: 'Mobile **** 321' },
  { threeDSServerToDsUrl: url, dsCountryCode: '276' },
  {
    ...{ challenge: 'A'.repeat(43), currency: 'EUR', value: '12.30', displayName: 'Card' },
    ...{ icon: url, timeout: '60000', payeeName: 'A shop' },
  },
  {
    ...{ errorCode: '203', errorComponent: 'C', errorDescription: 'x', errorDetail: 'acsTransID' },
    ...{ messageType: 'Erro', messageVersion: '2.3.1' },
  },
  range,
  ranges,
];
const alone: readonly unknown[] = [...texts, ...objects, true, false];

/** What may stand somewhere; which of it may stand in an element, its format says. */
export const candidates: readonly unknown[] = [...alone, ...alone.map((each) => [each])];

const known = new Map<string, readonly unknown[]>();

/** The candidates that an element takes. */
export function acceptedBy({
  name,
  message,
  version,
  channels,
  format,
}: Field): readonly unknown[] {
  const key = [name, message, version, channels.join('')].join(' ');
  const found =
    known.get(key) ??
    candidates.filter((each) => format.faultsIn(each, name, version).length === 0);
  known.set(key, found);
  return found;
}

/** The elements that such a message can have. */
export function fieldsFor({ type, version, channel }: Drawn): readonly Field[] {
  return fieldsOf(type, version).filter(({ channels }) => channels.includes(channel));
}

/** Those of its elements that it has to have. */
export function requiredOf(message: Message, drawn: Drawn): readonly Field[] {
  const { version, channel, category } = drawn;
  const facts = factsOf(message, version, { channel, category });
  return fieldsFor(drawn).filter((field) => isRequired(field, facts));
}

/** A message in which each element is chosen: its value by a number, or that it is not there. */
export function messageFrom(drawn: Drawn, choose: (index: number) => number | undefined): Message {
  const message: Record<string, unknown> = {
    ...{ messageType: drawn.type, messageVersion: drawn.version },
  };
  const fields = fieldsFor(drawn).filter(({ name }) => !(name in message));
  const put = (field: Field, choice: number): void => {
    const values = acceptedBy(field);
    message[field.name] = values[choice % values.length];
  };
  const fixed: Message = { deviceChannel: drawn.channel, messageCategory: drawn.category };
  fields.forEach((field, index) => {
    const choice = choose(index);
    if (field.name in fixed) message[field.name] = fixed[field.name];
    else if (choice !== undefined) put(field, choice);
  });
  // What one element demands may demand another.
  let missing = requiredOf(message, drawn);
  while ((missing = missing.filter(({ name }) => !(name in message))).length > 0) {
    missing.forEach((field, index) => put(field, choose(index) ?? index));
    missing = requiredOf(message, drawn);
  }
  return message;
}

/** The least that an AReq of a payment at a browser has, for a version that asks for all of it. */
export const browserRequest: Message = {
  messageType: 'AReq',
  messageVersion: '2.2.0',
  threeDSServerTransID: SERVER_ID,
  threeDSServerRefNumber: '3DS_LOA_SER_SLUI_020301_00000',
  threeDSServerURL: 'https://gateway.example/results',
  threeDSRequestorID: '10000001',
  threeDSRequestorName: 'A shop',
  threeDSRequestorURL: 'https://shop.example',
  deviceChannel: '02',
  messageCategory: '01',
  threeDSRequestorAuthenticationInd: '01',
  threeDSCompInd: 'Y',
  browserAcceptHeader: '*/*',
  browserJavascriptEnabled: true,
  browserJavaEnabled: false,
  browserLanguage: 'de-DE',
  browserColorDepth: '24',
  browserScreenHeight: '1080',
  browserScreenWidth: '1920',
  browserTZ: '-60',
  browserUserAgent: 'Mozilla/5.0',
  notificationURL: 'https://gateway.example/redirects/1/return',
  acctNumber: '4012000000003119',
  acquirerBIN: '400000',
  acquirerMerchantID: '000000000000001',
  mcc: '5411',
  merchantCountryCode: '276',
  merchantName: 'A shop',
  purchaseAmount: '1230',
  purchaseCurrency: '978',
  purchaseExponent: '2',
  purchaseDate: '20261127150000',
};

/** The answer to it, of an issuer that is content. */
export const frictionlessAnswer: Message = {
  messageType: 'ARes',
  messageVersion: '2.2.0',
  threeDSServerTransID: SERVER_ID,
  acsTransID: ACS_ID,
  dsTransID: DIRECTORY_ID,
  transStatus: 'Y',
  authenticationValue: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  eci: '05',
  acsReferenceNumber: '3DS_LOA_ACS_0001',
  dsReferenceNumber: '3DS_LOA_DIS_0001',
};

/** What is told after a challenge. */
export const results: Message = {
  messageType: 'RReq',
  messageVersion: '2.2.0',
  threeDSServerTransID: SERVER_ID,
  acsTransID: ACS_ID,
  dsTransID: DIRECTORY_ID,
  messageCategory: '01',
  transStatus: 'Y',
  authenticationValue: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  authenticationType: '02',
  eci: '05',
  interactionCounter: '01',
};

/** How an answer to it is expected. */
export const answer = { type: 'ARes', version: '2.2.0', request: browserRequest } as const;
/** The answer of an issuer that wants a challenge; what is undefined is not there. */
export const challenge: Message = {
  ...frictionlessAnswer,
  transStatus: 'C',
  authenticationValue: undefined,
  acsURL: 'https://issuer.example/challenge',
  acsChallengeMandated: 'N',
  authenticationType: '02',
};

/** The code and the detail of the Erro; nothing where the message is taken. */
export function refusalOf(message: unknown, expected: Expected<MessageType>): string | undefined {
  const checked = checkMessage(message, expected);
  if (!('erro' in checked)) return undefined;
  return `${checked.erro.errorCode} ${checked.erro.errorDetail}`;
}

/** As JSON has it: without what is undefined. */
export function withChanges(message: Message, changes: Message): Message {
  return JSON.parse(JSON.stringify({ ...message, ...changes })) as Message;
}
