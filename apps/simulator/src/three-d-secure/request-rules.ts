import {
  address,
  changed,
  codes,
  country,
  currency,
  day,
  type ElementForm,
  form,
  instant,
  internetAddress,
  listOf,
  numberBetween,
  object,
  objectUpTo,
  objectWith,
  text,
  transactionId,
  truth,
  yesOrNo,
} from './element-forms.js';
import { isSince, type Message, type MessageVersion } from './messages.js';

/** Where the shopper is (EMV `deviceChannel`): an app, a browser, or not there. */
export const channels = { app: '01', browser: '02', shopperAbsent: '03' } as const;

/** What a rule depends on. */
export interface RuleContext {
  readonly message: Message;
  readonly version: MessageVersion;
  readonly channel: string;
  readonly isPayment: boolean;
}

type Condition = (context: RuleContext) => boolean;

/** A data element of AReq: its form, where it must be there, and where it is looked at. */
export interface RequestRule {
  readonly name: string;
  readonly form: ElementForm;
  readonly isRequired: Condition;
  /** Elsewhere the element is unknown, and whatever it says is nobody's. */
  readonly isKnown: Condition;
}

const always = (): boolean => true;
const never = (): boolean => false;
const inPayments: Condition = ({ isPayment }) => isPayment;
const inBrowsers: Condition = ({ channel }) => channel === channels.browser;
const inApps: Condition = ({ channel }) => channel === channels.app;
const withShopper: Condition = ({ channel }) =>
  channel === channels.app || channel === channels.browser;
const withoutShopper: Condition = ({ channel }) => channel === channels.shopperAbsent;
const since =
  (first: MessageVersion): Condition =>
  ({ version }) =>
    isSince(version, first);
const inNew = since('2.3.1');
const both =
  (...conditions: readonly Condition[]): Condition =>
  (context) =>
    conditions.every((holds) => holds(context));
const either =
  (...conditions: readonly Condition[]): Condition =>
  (context) =>
    conditions.some((holds) => holds(context));
const not =
  (condition: Condition): Condition =>
  (context) =>
    !condition(context);
const says =
  (name: string, ...values: readonly unknown[]): Condition =>
  ({ message }) =>
    values.includes(message[name]);
const has =
  (name: string): Condition =>
  ({ message }) =>
    message[name] !== undefined;
const hasScripts = either(not(since('2.2.0')), says('browserJavascriptEnabled', true));

/** In 2.1.0 nothing is bought without the shopper. */
const mayBuy = either(since('2.2.0'), withShopper);

const REASON = 'threeDSRequestorAuthenticationInd';
const inSeries = either(says(REASON, '02', '03'), says('threeRIInd', '01', '02'));
const hasPurchase = either(
  inPayments,
  says(REASON, '02', '03', '07', '08', '09'),
  says('threeRIInd', '01', '02', '06', '07', '08', '09', '11', '15'),
);
const isFixed =
  (part: 'amountInd' | 'frequencyInd'): Condition =>
  ({ message: { recurringInd: series } }) =>
    typeof series === 'object' && series !== null && Reflect.get(series, part) === '01';

const rule = (
  name: string,
  itsForm: ElementForm,
  isRequired: Condition,
  isKnown: Condition = always,
): RequestRule => ({ name, form: itsForm, isRequired: both(isKnown, isRequired), isKnown });

const digits = form(/^[0-9]{1,6}$/);
const amount = form(/^[0-9]{1,48}$/);

const requestorRules: readonly RequestRule[] = [
  rule('threeDSServerTransID', transactionId, always),
  rule('threeDSServerRefNumber', text(32), always),
  rule('threeDSServerOperatorID', text(32), never),
  rule('threeDSServerURL', address(2_048), always),
  rule('threeDSRequestorID', text(35), always),
  rule('threeDSRequestorName', text(40), always),
  rule('threeDSRequestorURL', address(2_048), always),
  rule(REASON, changed(codes('06'), ['2.3.1', codes('10')]), always, withShopper),
  rule(
    'threeRIInd',
    changed(codes('05'), ['2.2.0', codes('11')], ['2.3.1', codes('19')]),
    always,
    withoutShopper,
  ),
  rule(
    'threeDSRequestorChallengeInd',
    changed(codes('04'), ['2.2.0', codes('09')], ['2.3.1', listOf(codes('14'), 2)]),
    never,
    either(since('2.2.0'), withShopper),
  ),
  rule(
    'threeDSRequestorDecReqInd',
    changed(yesOrNo, ['2.3.1', form(/^[YNFB]$/)]),
    never,
    since('2.2.0'),
  ),
  rule(
    'threeDSRequestorDecMaxTime',
    numberBetween(1, 10_080, /^[0-9]{5}$/),
    says('threeDSRequestorDecReqInd', 'Y', 'F', 'B'),
    since('2.2.0'),
  ),
  rule(
    'threeDSRequestorPriorAuthenticationInfo',
    changed(object, ['2.3.1', listOf(object, 3)]),
    both(inNew, says('threeRIInd', '19')),
  ),
  rule('threeDSRequestorSpcSupport', form(/^Y$/), never, both(inBrowsers, inNew)),
  rule(
    'payeeOrigin',
    address(2_048),
    says('threeDSRequestorSpcSupport', 'Y'),
    both(inBrowsers, inNew),
  ),
];

const cardholderRules: readonly RequestRule[] = [
  rule('acctNumber', form(/^[0-9]{13,19}$/), always),
  rule('cardExpiryDate', form(/^[0-9]{2}(?:0[1-9]|1[0-2])$/), never),
  rule('cardholderName', changed(text(45, 2), ['2.3.1', text(45)]), never),
  rule('email', form(/^[^@\s]{1,64}@[^@\s]{1,189}$/), never),
  rule('billAddrState', text(3), never),
  rule('billAddrCountry', country, has('billAddrState')),
  rule('shipAddrState', text(3), never),
  rule('shipAddrCountry', country, has('shipAddrState')),
  rule('payTokenInd', (value) => (value === true ? undefined : '203'), never),
  rule('payTokenSource', codes('02'), says('payTokenInd', true), since('2.2.0')),
];

const purchaseRules: readonly RequestRule[] = [
  rule('acquirerBIN', text(11), inPayments),
  rule('acquirerMerchantID', text(35), inPayments),
  rule('acquirerCountryCode', country, always, inNew),
  rule('acquirerCountryCodeSource', codes('02'), always, inNew),
  rule('mcc', form(/^[0-9]{4}$/), inPayments),
  rule('merchantCountryCode', country, inPayments),
  rule('merchantName', text(40), inPayments),
  rule('purchaseAmount', amount, hasPurchase, mayBuy),
  rule('purchaseCurrency', currency, hasPurchase, mayBuy),
  rule('purchaseExponent', form(/^[0-9]$/), hasPurchase, mayBuy),
  rule('purchaseDate', instant, hasPurchase, mayBuy),
  rule(
    'purchaseInstalData',
    numberBetween(2, 999, /^[0-9]{1,3}$/),
    either(says(REASON, '03'), says('threeRIInd', '02')),
    mayBuy,
  ),
  rule(
    'recurringInd',
    objectWith({ amountInd: codes('02'), frequencyInd: codes('02') }),
    inSeries,
    inNew,
  ),
  rule('recurringAmount', amount, both(inSeries, isFixed('amountInd')), inNew),
  rule('recurringCurrency', currency, has('recurringAmount'), inNew),
  rule('recurringExponent', form(/^[0-9]$/), has('recurringAmount'), inNew),
  rule('recurringDate', day, isFixed('frequencyInd'), inNew),
  rule('recurringExpiry', day, both(not(inNew), inSeries), mayBuy),
  rule(
    'recurringFrequency',
    numberBetween(1, 9_999, /^[0-9]{1,4}$/),
    either(both(not(inNew), inSeries), both(inNew, isFixed('frequencyInd'))),
    mayBuy,
  ),
];

const browserRules: readonly RequestRule[] = [
  rule('notificationURL', address(256), always, inBrowsers),
  rule('threeDSCompInd', form(/^[YNU]$/), always, inBrowsers),
  rule('browserAcceptHeader', text(2_048), always, inBrowsers),
  rule('acceptLanguage', listOf(text(100), 99), always, both(inBrowsers, inNew)),
  rule('browserIP', internetAddress, never, inBrowsers),
  rule('browserJavascriptEnabled', truth, always, both(inBrowsers, since('2.2.0'))),
  rule('browserJavaEnabled', truth, hasScripts, inBrowsers),
  rule(
    'browserLanguage',
    changed(text(8), ['2.3.1', text(35)]),
    either(not(inNew), hasScripts),
    inBrowsers,
  ),
  rule(
    'browserColorDepth',
    changed(form(/^(?:1|4|8|15|16|24|32|48)$/), ['2.3.1', numberBetween(1, 99, /^[0-9]{1,2}$/)]),
    hasScripts,
    inBrowsers,
  ),
  rule('browserScreenHeight', digits, hasScripts, inBrowsers),
  rule('browserScreenWidth', digits, hasScripts, inBrowsers),
  rule('browserTZ', form(/^[+-]?[0-9]{1,4}$/), hasScripts, inBrowsers),
  rule('browserUserAgent', text(2_048), always, inBrowsers),
];

const appRules: readonly RequestRule[] = [
  rule('sdkAppID', transactionId, always, inApps),
  rule('sdkEphemPubKey', objectUpTo(256), always, inApps),
  rule('sdkMaxTimeout', numberBetween(5, 99, /^[0-9]{2}$/), always, inApps),
  rule('sdkReferenceNumber', text(32), always, inApps),
  rule('sdkTransID', transactionId, always, inApps),
  rule(
    'deviceRenderOptions',
    objectWith({
      sdkInterface: form(/^0[1-3]$/),
      sdkUiType: changed(listOf(codes('05'), 5), ['2.3.1', listOf(codes('07'), 7)]),
    }),
    always,
    inApps,
  ),
  rule('sdkType', codes('02'), always, both(inApps, inNew)),
  rule(
    'defaultSdkType',
    objectWith({ sdkVariant: codes('01') }),
    says('sdkType', '01'),
    both(inApps, inNew),
  ),
  rule(
    'splitSdkType',
    objectWith({ sdkVariant: codes('03') }),
    says('sdkType', '02'),
    both(inApps, inNew),
  ),
  rule('sdkServerSignedContent', text(16_000), says('sdkType', '02'), both(inApps, inNew)),
];

/**
 * What this directory server looks at of AReq, written from EMV 3-D Secure Annex A: all that must be
 * there, and the form of what is read or often wrong; not every element that there is.
 */
export const requestRules: readonly RequestRule[] = [
  ...requestorRules,
  ...cardholderRules,
  ...purchaseRules,
  ...browserRules,
  ...appRules,
];

const CHANNELS = Object.values(channels);

/** What rules look at, of a message whose version is spoken here. */
export function contextOf(message: Message, version: MessageVersion): RuleContext {
  return {
    message,
    version,
    channel: CHANNELS.find((channel) => channel === message['deviceChannel']) ?? 'none',
    isPayment: message['messageCategory'] === '01',
  };
}
