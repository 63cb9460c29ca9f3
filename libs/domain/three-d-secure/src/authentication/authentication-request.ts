import { exponentOf, numberOf } from '@sluice/money';
import { tryMessage } from '../messages/build-message.js';
import { fitsElement } from '../messages/field-tables.js';
import type { DeviceChannel, Message } from '../messages/message-kinds.js';
import { appElements } from './app-elements.js';
import { amountFault, amountOf } from './authenticated-amount.js';
import { INSTALMENTS, isPayment, purposeOf, RECURRING } from './authentication-purpose.js';
import { DECOUPLED_MAX_MS } from './authentication-decider.js';
import { address, cut, digitsOf, numberOfCountry, phone } from './cardholder-elements.js';
import { purchaseKindOf } from './purchase-kind.js';
import {
  elementFault,
  type ElementSource,
  refusalOf,
  type RequestFault,
  type RequestRefusal,
} from './request-faults.js';
import { extensionsOf } from './request-extensions.js';
import type { ElementRow, RequestFacts } from './request-facts.js';

/** What the issuer will be told; or why it cannot be asked. */
export type RequestContent = { readonly elements: Message } | RequestRefusal;

const BROWSER: readonly DeviceChannel[] = ['02'];
const MINUTE_MS = 60_000;

const NAME_CHARACTERS_MAX = 40;
const INSTALMENTS_MAX = 'standingInstruction.numberOfInstallments';
const USE_CASE = 'threeDSecure.schemeData[CB-USECASE]';
const WINDOW = 'customer.browser.challengeWindow';

/** What is asked without the shopper (`threeRIInd`). */
const unattendedPurposes: Readonly<Record<string, string>> = {
  RECURRING: '01',
  SPLIT_SHIPMENT: '06',
  DELAYED_SHIPMENT: '06',
};
const OTHER_PAYMENT = '11';

/**
 * What `threeDSecure.exemptionFlag` wishes of the issuer, where `challengeIndicator` wishes nothing: 01 low
 * value and 04 corporate cards: no challenge; 02: the risk was looked at; 03: the shopper trusts the merchant.
 */
const exemptions: Readonly<Record<string, string>> = {
  '01': '02',
  '02': '05',
  '03': '08',
  '04': '02',
};
const CHALLENGE_MANDATED = '04';

/** `browserColorDepth` until 2.2.0; between two of them the smaller one, as EMV has it. */
const COLOR_DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1];
const COLOR_DEPTH_MAX = 99;

/**
 * A row per element of AReq that comes from a payment. The card's number and how the 3DS method ended are
 * added when it is sent.
 */
const rows: Readonly<Record<string, ElementRow>> = {
  threeDSServerRefNumber: { value: ({ server }) => server.referenceNumber },
  threeDSServerOperatorID: { value: ({ server }) => server.operatorId },
  threeDSServerURL: { value: ({ server }) => server.resultsUrl },
  deviceChannel: { value: ({ channel }) => channel },
  messageCategory: { value: ({ query }) => (isPayment(query) ? '01' : '02') },
  threeDSRequestorID: {
    value: ({ query, network }) =>
      query.parameters[`threeDSecure.v2.${network}.requestorId`] ??
      query.settings.requestors[network]?.requestorId,
    demands: 'the requestor id of the merchant at this card network',
    from: ['threeDSecure.v2.<network>.requestorId'],
  },
  threeDSRequestorName: {
    value: ({ query, network }) =>
      query.parameters[`threeDSecure.v2.${network}.requestorName`] ??
      query.settings.requestors[network]?.requestorName,
    demands: 'the requestor name of the merchant at this card network',
    from: ['threeDSecure.v2.<network>.requestorName'],
  },
  threeDSRequestorURL: {
    value: ({ query }) =>
      query.parameters['threeDSecure.merchant.url'] ?? query.settings.merchantUrl,
    from: ['threeDSecure.merchant.url'],
  },
  acquirerBIN: {
    value: ({ query, network }) => query.settings.requestors[network]?.acquirerBin,
    demands: "the acquirer's number at this card network",
  },
  acquirerMerchantID: {
    value: ({ query, network }) => query.settings.requestors[network]?.acquirerMerchantId,
    demands: 'what the acquirer calls the merchant at this card network',
  },
  // Nothing else is known of the acquirer.
  acquirerCountryCode: { value: ({ query }) => numberOfCountry(query.settings.merchantCountry) },
  acquirerCountryCodeSource: { value: () => '01' },
  mcc: { value: ({ query }) => query.settings.merchantCategoryCode },
  merchantCountryCode: {
    value: ({ query }) =>
      numberOfCountry(
        query.parameters['threeDSecure.merchant.country'] ?? query.settings.merchantCountry,
      ),
    from: ['threeDSecure.merchant.country'],
  },
  merchantName: {
    value: ({ query }) =>
      cut(query.parameters['threeDSecure.merchant.name'], NAME_CHARACTERS_MAX) ??
      query.settings.merchantName,
    from: ['threeDSecure.merchant.name'],
  },
  threeDSRequestorAuthenticationInd: { value: purposeOf, channels: ['01', '02'] },
  threeRIInd: {
    value: ({ query }) =>
      unattendedPurposes[query.parameters['threeDSecure.threeRIInd'] ?? ''] ?? OTHER_PAYMENT,
    channels: ['03'],
  },
  // Since 2.3.1 there may be two.
  threeDSRequestorChallengeInd: {
    value: (facts) => (facts.version === '2.3.1' ? listOf(wishOf(facts)) : wishOf(facts)),
  },
  threeDSRequestorDecReqInd: { value: (facts) => (isDecoupled(facts) ? 'Y' : undefined) },
  threeDSRequestorDecMaxTime: {
    value: () => String(DECOUPLED_MAX_MS / MINUTE_MS).padStart(5, '0'),
    when: isDecoupled,
  },
  cardExpiryDate: { value: ({ query: { expiry } }) => `${expiry.year.slice(-2)}${expiry.month}` },
  cardholderName: parameter('card.holder'),
  email: parameter('customer.email'),
  homePhone: phone('customer.phone'),
  mobilePhone: phone('customer.mobile'),
  workPhone: phone('customer.workPhone'),
  ...address('bill', 'billing'),
  ...address('ship', 'shipping'),
  purchaseAmount: {
    value: ({ query }) => amountOf(query).minor.toString(),
    from: ['risk.amount', 'threeDSecure.amount'],
  },
  purchaseCurrency: {
    value: ({ query }) => numberOf(amountOf(query).currency),
    from: ['threeDSecure.currency'],
  },
  purchaseExponent: { value: ({ query }) => String(exponentOf(amountOf(query).currency)) },
  purchaseDate: { value: ({ nowMs }) => digitsOf(new Date(nowMs).toISOString()).slice(0, 14) },
  purchaseInstalData: {
    value: ({ query }) => query.parameters[INSTALMENTS_MAX],
    ...demanded(INSTALMENTS_MAX),
    when: (facts) => purposeOf(facts) === INSTALMENTS && facts.channel !== '03',
  },
  recurringExpiry: {
    value: ({ query }) => digitsOf(query.parameters['standingInstruction.expiry'] ?? ''),
    ...demanded('standingInstruction.expiry'),
    when: isSeries,
  },
  recurringFrequency: {
    value: ({ query }) => query.parameters['standingInstruction.frequency'],
    ...demanded('standingInstruction.frequency'),
    when: isSeries,
  },
  recurringInd: { value: () => ({ amountInd: '02', frequencyInd: '01' }), when: isSeries },
  recurringDate: {
    value: ({ nowMs }) => digitsOf(new Date(nowMs).toISOString()).slice(0, 8),
    when: isSeries,
  },
  browserAcceptHeader: browser('acceptHeader'),
  browserIP: { ...parameter('customer.ip'), channels: BROWSER },
  browserJavascriptEnabled: { value: () => true, channels: BROWSER },
  browserJavaEnabled: {
    value: ({ query }) => query.parameters['customer.browser.javaEnabled'] === 'true',
    channels: BROWSER,
  },
  browserLanguage: browser('language'),
  transType: {
    value: ({ query }) => purchaseKindOf(query.settings.merchantCategoryCode),
    when: ({ query }) => isPayment(query),
  },
  acceptLanguage: {
    value: ({ query }) => [query.parameters['customer.browser.language']],
    channels: BROWSER,
  },
  browserColorDepth: {
    value: colorDepthOf,
    from: ['customer.browser.screenColorDepth'],
    channels: BROWSER,
  },
  browserScreenHeight: browser('screenHeight'),
  browserScreenWidth: browser('screenWidth'),
  browserTZ: browser('timezone'),
  browserUserAgent: browser('userAgent'),
  notificationURL: {
    value: ({ query }) => query.redirectUrl && `${query.redirectUrl}/return`,
    demands: 'an address for the shopper to come back to (shopperResultUrl)',
    channels: BROWSER,
  },
  messageExtension: { value: extensionsOf },
  ...appElements,
  appIp: { ...parameter('customer.ip'), channels: ['01'] },
};

/** The elements of AReq that are known when an authentication begins. */
export function requestContent(facts: RequestFacts): RequestContent {
  const inChannel = Object.entries(rows).filter(([, { channels, when }]) => {
    return (channels?.includes(facts.channel) ?? true) && (when?.(facts) ?? true);
  });
  const elements: Record<string, unknown> = {};
  const missing = new Set<string>();
  for (const [name, { value, demands }] of inChannel) {
    const found = value(facts);
    const isThere = found !== undefined && found !== '';
    if (isThere && fitsElement('AReq', facts.version, name, found)) elements[name] = found;
    else if (demands !== undefined) missing.add(name);
  }
  // What does not fit and is optional is left out. What EMV demands is missing then, and is found here:
  // once it is recorded that the issuer is asked, it has to be asked.
  const tried = tryMessage('AReq', facts.version, { ...elements, ...sentLater(facts) });
  for (const name of 'fault' in tried ? tried.elements : []) missing.add(name);
  const ofAmount = amountFault(facts.query);
  const faults = [
    ...(ofAmount === undefined ? [] : [ofAmount]),
    ...further.filter(({ lacks }) => lacks(facts)),
    ...Array.from(missing, (name) => elementFault(name, rows[name] ?? {}, facts)),
  ];
  return faults.length === 0 ? { elements } : refusalOf(faults);
}

/** What is added when it is sent, in its form. */
function sentLater({ channel, numberDigits }: RequestFacts): Message {
  return {
    ...{ threeDSServerTransID: ANY_ID, acctNumber: '0'.repeat(numberDigits) },
    ...(channel === '02' && { threeDSCompInd: 'U' }),
  };
}

const ANY_ID = '00000000-0000-4000-8000-000000000000';

/** Where the shopper is, by what was sent (Interface 2.17). */
export function channelOf(parameters: Readonly<Record<string, string>>): DeviceChannel {
  const isUnattended =
    parameters['threeDSecure.channel'] !== undefined ||
    parameters['threeDSecure.threeRIInd'] !== undefined;
  if (isUnattended) return '03';
  return parameters['threeDSecure.deviceInfo'] === undefined ? '02' : '01';
}

/** Whether the issuer may ask the shopper elsewhere, as versions before 2.2.0 have it not. */
export function isDecoupled({ query, version }: Pick<RequestFacts, 'query' | 'version'>): boolean {
  return version !== '2.1.0' && query.parameters['threeDSecure.decoupled'] === 'true';
}

/** `customer.browser.challengeWindow`: 1 to 5, as `challengeWindowSize` has them. */
export function challengeWindowOf(
  parameters: Readonly<Record<string, string>>,
): '01' | '02' | '03' | '04' | '05' | undefined {
  const sent = parameters[WINDOW]?.padStart(2, '0');
  return (['01', '02', '03', '04', '05'] as const).find((size) => size === sent);
}

/** What is demanded of an authentication beside the elements of its request (Interface 2.9, 2.17 and 2.18). */
const further: readonly (RequestFault & { readonly lacks: (facts: RequestFacts) => boolean })[] = [
  {
    words: `${INSTALMENTS_MAX} above 1`,
    parameter: INSTALMENTS_MAX,
    lacks: ({ query: { parameters } }) =>
      parameters['standingInstruction.type'] === 'INSTALLMENT' &&
      !/[2-9]|1[0-9]/u.test(parameters[INSTALMENTS_MAX] ?? ''),
  },
  {
    words: `${WINDOW} from 1 to 5`,
    parameter: WINDOW,
    lacks: ({ query: { parameters }, channel }) =>
      channel === '02' &&
      (parameters[WINDOW] ?? '') !== '' &&
      challengeWindowOf(parameters) === undefined,
  },
  {
    words: USE_CASE,
    parameter: USE_CASE,
    lacks: (facts) => {
      const { query, network } = facts;
      const isWanted =
        isPayment(query) || [RECURRING, INSTALMENTS].some((one) => one === purposeOf(facts));
      return network === 'cartebancaire' && isWanted && (query.parameters[USE_CASE] ?? '') === '';
    },
  },
];

function isSeries(facts: RequestFacts): boolean {
  if (facts.channel === '03')
    return facts.query.parameters['threeDSecure.threeRIInd'] === 'RECURRING';
  const purpose = purposeOf(facts);
  return purpose === RECURRING || purpose === INSTALMENTS;
}

function listOf(wish: string | undefined): readonly string[] | undefined {
  return wish === undefined ? undefined : [wish];
}

function wishOf({ query }: RequestFacts): string | undefined {
  const { parameters } = query;
  const isMandated = parameters['threeDSecure.challengeMandatedIndicator'] === 'Y';
  if (query.challengeIsMandated === true || isMandated) return CHALLENGE_MANDATED;
  const said = parameters['threeDSecure.challengeIndicator']?.padStart(2, '0');
  return said ?? exemptions[parameters['threeDSecure.exemptionFlag'] ?? ''];
}

function colorDepthOf({ query, version }: RequestFacts): string | undefined {
  const sent = query.parameters['customer.browser.screenColorDepth'];
  // It is optional here and demanded there; nearly every screen has it.
  if (sent === undefined) return '24';
  const depth = BigInt(/^[0-9]+/u.exec(sent)?.[0] ?? '0');
  if (version === '2.3.1') {
    return String(depth < 1n ? 1 : depth > COLOR_DEPTH_MAX ? COLOR_DEPTH_MAX : depth);
  }
  // There is none below 1, and 0 is what some browsers say.
  return String(COLOR_DEPTHS.find((one) => one <= depth) ?? 1);
}

function parameter(name: string): ElementRow {
  return { value: ({ query }) => query.parameters[name] };
}

function browser(name: string): ElementRow {
  const key = `customer.browser.${name}`;
  return { ...parameter(key), ...demanded(key), channels: BROWSER };
}

/** A parameter without which the issuer cannot be asked. */
function demanded(name: string): ElementSource {
  return { demands: name, from: [name] };
}
