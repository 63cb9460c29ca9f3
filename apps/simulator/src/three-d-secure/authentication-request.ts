import { currencyOf } from './currencies.js';
import {
  isVersion,
  type Message,
  type MessageVersion,
  type Read,
  type Refusal,
} from './messages.js';
import { channels, contextOf, requestRules } from './request-rules.js';
import { readWishes, type TestWishes, WISHES_ID } from './test-wishes.js';
import type { Network } from './networks.js';

/** What is paid: exact decimal text, and the letters of the currency. */
export interface Purchase {
  readonly amount: string;
  readonly currency: string;
}

/** AReq, as far as it is read. */
export interface AuthenticationRequest {
  readonly network: Network;
  readonly version: MessageVersion;
  readonly serverTransactionId: string;
  /** Where results go (`threeDSServerURL`). */
  readonly resultsUrl: string;
  readonly channel: 'app' | 'browser' | 'shopperAbsent';
  /** EMV `messageCategory`. */
  readonly category: '01' | '02';
  readonly number: string;
  /** What the shopper is told of who asks. */
  readonly shop: string;
  readonly purchase?: Purchase;
  /** Where the browser goes after a challenge. */
  readonly notificationUrl?: string;
  /** Whether the page of the 3DS method was loaded: Y, N, or U where there is none. */
  readonly methodCompleted?: string;
  readonly challengeWish?: string;
  readonly mayDecouple: boolean;
  readonly sdkTransactionId?: string;
  readonly sdkKey?: unknown;
  readonly wishes: TestWishes;
}

const CHANNELS: ReadonlyMap<unknown, AuthenticationRequest['channel']> = new Map([
  [channels.app, 'app'],
  [channels.browser, 'browser'],
  [channels.shopperAbsent, 'shopperAbsent'],
]);

/** Reads AReq, or says what is wrong with it. */
export function readRequest(message: Message, network: Network): Read<AuthenticationRequest> {
  const { messageVersion: version } = message;
  if (version === undefined) return refuse('201', 'messageVersion');
  if (!isVersion(version)) return refuse('102', 'messageVersion');
  const refusal = wrongIn(message, version) ?? wrongElsewhere(message);
  if (refusal !== undefined) return { refusal };
  const wishes = wishesIn(message['messageExtension']);
  if ('refusal' in wishes) return wishes;
  const text = (name: string): string | undefined => {
    const value = message[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [notificationUrl, methodCompleted] = [text('notificationURL'), text('threeDSCompInd')];
  const [challengeWish, sdk] = [text('threeDSRequestorChallengeInd'), text('sdkTransID')];
  const purchase = purchaseIn(message);
  const isApp = message['deviceChannel'] === channels.app;
  return {
    value: {
      ...{ network, version, wishes: wishes.value },
      serverTransactionId: text('threeDSServerTransID') ?? '',
      resultsUrl: text('threeDSServerURL') ?? '',
      channel: CHANNELS.get(message['deviceChannel']) ?? 'browser',
      category: message['messageCategory'] === '01' ? '01' : '02',
      number: text('acctNumber') ?? '',
      shop: text('merchantName') ?? text('threeDSRequestorName') ?? '',
      ...(purchase && { purchase }),
      ...(notificationUrl !== undefined && { notificationUrl }),
      ...(methodCompleted !== undefined && { methodCompleted }),
      ...(challengeWish !== undefined && { challengeWish }),
      mayDecouple: text('threeDSRequestorDecReqInd') === 'Y' && version !== '2.1.0',
      ...(isApp &&
        sdk !== undefined && { sdkTransactionId: sdk, sdkKey: message['sdkEphemPubKey'] }),
    },
  };
}

/** All that is missing comes first, as EMV has it. */
function wrongIn(message: Message, version: MessageVersion): Refusal | undefined {
  const context = contextOf(message, version);
  const { deviceChannel, messageCategory } = message;
  const heads = { deviceChannel, messageCategory };
  const missing = [
    ...Object.entries(heads).flatMap(([name, value]) => (value === undefined ? [name] : [])),
    ...requestRules
      .filter(({ name, isRequired }) => message[name] === undefined && isRequired(context))
      .map(({ name }) => name),
  ];
  if (missing.length > 0) return { code: '201', detail: missing.join(',') };
  const malformed = [
    ...(CHANNELS.has(deviceChannel) ? [] : ['deviceChannel']),
    ...(messageCategory === '01' || messageCategory === '02' ? [] : ['messageCategory']),
    ...requestRules
      .filter(({ name, form }) => message[name] !== undefined && !form(message[name], context))
      .map(({ name }) => name),
  ];
  return malformed.length > 0 ? { code: '203', detail: malformed.join(',') } : undefined;
}

/** Forms that only a table knows. */
function wrongElsewhere({ purchaseCurrency }: Message): Refusal | undefined {
  const isKnown = purchaseCurrency === undefined || currencyOf(purchaseCurrency);
  return isKnown ? undefined : { code: '304', detail: 'purchaseCurrency' };
}

function purchaseIn(message: Message): Purchase | undefined {
  const { purchaseAmount, purchaseCurrency, purchaseExponent } = message;
  const currency = currencyOf(purchaseCurrency);
  if (typeof purchaseAmount !== 'string' || currency === undefined) return undefined;
  const decimals = Number(purchaseExponent ?? 0);
  const digits = purchaseAmount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const amount = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return { amount, currency };
}

interface Extension {
  readonly id?: unknown;
  readonly criticalityIndicator?: unknown;
  readonly data?: unknown;
}

/** A message may have ten, of which one is known here. */
const EXTENSIONS_MAX = 15;

function wishesIn(extensions: unknown): Read<TestWishes> {
  if (extensions === undefined) return { value: {} };
  if (!Array.isArray(extensions) || extensions.length > EXTENSIONS_MAX) {
    return refuse('203', 'messageExtension');
  }
  let wishes: TestWishes = {};
  for (const extension of extensions as readonly (Extension | null)[]) {
    const { id, criticalityIndicator, data } = extension ?? {};
    if (typeof id !== 'string') return refuse('203', 'messageExtension.id');
    if (id !== WISHES_ID) {
      if (criticalityIndicator === true) return refuse('202', id.slice(0, 64));
      continue;
    }
    const read = readWishes(data);
    if (typeof read === 'string')
      return refuse('203', `messageExtension.data.${read.slice(0, 64)}`);
    wishes = read;
  }
  return { value: wishes };
}

function refuse(code: Refusal['code'], detail: string): { readonly refusal: Refusal } {
  return { refusal: { code, detail } };
}
