import { currencyOf } from './currencies.js';
import { codes, type ElementForm, object, text, truth } from './element-forms.js';
import {
  isMissing,
  isSince,
  isVersion,
  type Message,
  type MessageVersion,
  type Read,
  type Refusal,
  SPOKEN_VERSIONS,
} from './messages.js';
import { channels, contextOf, requestRules, type RuleContext } from './request-rules.js';
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
  /** EMV `threeDSRequestorChallengeInd`: one, or two since 2.3.1. */
  readonly challengeWishes: readonly string[];
  /** Whether the shopper may be asked without the browser, before anything else is tried. */
  readonly mayDecouple: boolean;
  readonly sdkTransactionId?: string;
  readonly sdkKey?: unknown;
  readonly sdkReferenceNumber?: string;
  /** Which screens the app has: 01 its own, 02 pages, 03 both. */
  readonly sdkInterface?: string;
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
  if (isMissing(version)) return refuse('201', 'messageVersion');
  if (typeof version !== 'string') return refuse('203', 'messageVersion');
  if (!isVersion(version)) return refuse('102', SPOKEN_VERSIONS);
  const refusal = wrongIn(message, version);
  if (refusal !== undefined) return { refusal };
  const wishes = wishesIn(message['messageExtension'], version);
  if ('refusal' in wishes) return wishes;
  const said = (name: string): string | undefined => {
    const value = message[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [notificationUrl, methodCompleted] = [said('notificationURL'), said('threeDSCompInd')];
  const challengeWishes = [message['threeDSRequestorChallengeInd']].flat().map(String);
  const sdk = said('sdkTransID');
  const purchase = purchaseIn(message);
  const isApp = message['deviceChannel'] === channels.app;
  return {
    value: {
      ...{ network, version, wishes: wishes.value },
      serverTransactionId: said('threeDSServerTransID') ?? '',
      resultsUrl: said('threeDSServerURL') ?? '',
      channel: CHANNELS.get(message['deviceChannel']) ?? 'browser',
      category: message['messageCategory'] === '01' ? '01' : '02',
      number: said('acctNumber') ?? '',
      shop: said('merchantName') ?? said('threeDSRequestorName') ?? '',
      ...(purchase && { purchase }),
      ...(notificationUrl !== undefined && { notificationUrl }),
      ...(methodCompleted !== undefined && { methodCompleted }),
      challengeWishes,
      mayDecouple:
        ['Y', 'B'].includes(said('threeDSRequestorDecReqInd') ?? '') && isSince(version, '2.2.0'),
      ...(isApp && sdk !== undefined && { sdkTransactionId: sdk, ...sdkIn(message) }),
    },
  };
}

/** What else an app says of itself, which its rules have looked at. */
function sdkIn(message: Message) {
  const { sdkInterface } = Object(message['deviceRenderOptions']) as Message;
  return {
    sdkKey: message['sdkEphemPubKey'],
    sdkReferenceNumber: String(message['sdkReferenceNumber']),
    ...(typeof sdkInterface === 'string' && { sdkInterface }),
  };
}

/** In which order faults are answered with; one Erro has one code. */
const ORDER = ['201', '203', '207', '204', '304'] as const;

/** All that is missing comes first, as EMV has it. */
function wrongIn(message: Message, version: MessageVersion): Refusal | undefined {
  const context = contextOf(message, version);
  const missing = [
    ...HEADS.filter((name) => isMissing(message[name])),
    ...requestRules
      .filter(({ name, isRequired }) => isMissing(message[name]) && isRequired(context))
      .map(({ name }) => name),
  ];
  if (missing.length > 0) return { code: '201', detail: missing.join(',') };
  const faults = [
    ...headFaults(context),
    ...requestRules
      .filter(({ name, isKnown }) => message[name] !== undefined && isKnown(context))
      .map(({ name, form }) => [name, form(message[name], version)] as const),
  ];
  const code = ORDER.find((one) => faults.some(([, fault]) => fault === one));
  if (code === undefined) return undefined;
  const detail = faults.flatMap(([name, fault]) => (fault === code ? [name] : []));
  return { code, detail: [...new Set(detail)].join(',') };
}

const HEADS = ['deviceChannel', 'messageCategory'] as const;

/** Values that directory servers may give a meaning have none here. */
function headFaults({ message, version, isPayment }: RuleContext) {
  const { deviceChannel, messageCategory } = message;
  const isOldPayment = version === '2.1.0' && deviceChannel === channels.shopperAbsent && isPayment;
  const heads = [
    ['deviceChannel', codes('03')(deviceChannel, version), CHANNELS.has(deviceChannel)],
    ['messageCategory', codes('02')(messageCategory, version), CATEGORIES.has(messageCategory)],
  ] as const;
  const unknown = isSince(version, '2.3.1') ? '207' : '203';
  return [
    ...heads.map(([name, fault, isKnown]) => [name, fault ?? (isKnown ? fault : unknown)] as const),
    // In 2.1.0 there is no payment without the shopper.
    ['messageCategory', isOldPayment ? '203' : undefined] as const,
  ];
}

const CATEGORIES: ReadonlySet<unknown> = new Set(['01', '02']);

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

type Extension = Readonly<Record<string, unknown>>;

const EXTENSION_PARTS: readonly (readonly [name: string, form: ElementForm])[] = [
  ['name', text(64)],
  ['id', text(64)],
  ['criticalityIndicator', truth],
  ['data', object],
];

function wishesIn(extensions: unknown, version: MessageVersion): Read<TestWishes> {
  if (extensions === undefined) return { value: {} };
  const lengthMax = isSince(version, '2.3.1') ? 15 : 10;
  const isList = Array.isArray(extensions) && extensions.length >= 1;
  if (!isList || extensions.length > lengthMax) return refuse('203', 'messageExtension');
  const all = extensions.map((each: unknown) => Object(each) as Extension);
  const critical = all.filter(
    ({ id, criticalityIndicator }) => criticalityIndicator === true && id !== WISHES_ID,
  );
  if (critical.length > 0) {
    return refuse('202', critical.map(({ id }) => String(id).slice(0, 64)).join(','));
  }
  for (const code of ['201', '203'] as const) {
    const wrong = EXTENSION_PARTS.filter(([name, form]) =>
      all.some((each) =>
        code === '201' ? isMissing(each[name]) : form(each[name], version) !== undefined,
      ),
    ).map(([name]) => `messageExtension.${name}`);
    if (wrong.length > 0) return refuse(code, wrong.join(','));
  }
  return wishesOf(all);
}

function wishesOf(extensions: readonly Extension[]): Read<TestWishes> {
  let wishes: TestWishes = {};
  for (const { id, data } of extensions) {
    if (id !== WISHES_ID) continue;
    const read = readWishes(data);
    if (typeof read === 'string') {
      return refuse('203', `messageExtension.data.${read.slice(0, 64)}`);
    }
    wishes = read;
  }
  return { value: wishes };
}

function refuse(code: Refusal['code'], detail: string): { readonly refusal: Refusal } {
  return { refusal: { code, detail } };
}
