import { type Message, type MessageVersion } from './messages.js';

/** Where the shopper is (EMV `deviceChannel`): an app, a browser, or not there. */
export const channels = { app: '01', browser: '02', shopperAbsent: '03' } as const;

/** What a rule depends on. */
export interface RuleContext {
  readonly version: MessageVersion;
  readonly channel: string;
  readonly isPayment: boolean;
  /** Whether pages of the browser have scripts. */
  readonly hasScripts: boolean;
}

/** A data element of AReq: its form, and where it must be there. */
export interface RequestRule {
  readonly name: string;
  readonly form: (value: unknown, context: RuleContext) => boolean;
  readonly isRequired: (context: RuleContext) => boolean;
}

const always = (): boolean => true;
const never = (): boolean => false;
const inPayments = ({ isPayment }: RuleContext): boolean => isPayment;
const inBrowsers = ({ channel }: RuleContext): boolean => channel === channels.browser;
const inApps = ({ channel }: RuleContext): boolean => channel === channels.app;
const withShopper = ({ channel }: RuleContext): boolean => channel !== channels.shopperAbsent;
const withoutShopper = ({ channel }: RuleContext): boolean => channel === channels.shopperAbsent;
const inNewBrowsers = (context: RuleContext): boolean =>
  inBrowsers(context) && context.version !== '2.1.0';
const inScriptedBrowsers = (context: RuleContext): boolean =>
  inBrowsers(context) && (context.version === '2.1.0' || context.hasScripts);

/** Characters as people count them. */
const text =
  (lengthMax: number, lengthMin = 1) =>
  (value: unknown): boolean =>
    typeof value === 'string' &&
    Array.from(value).length <= lengthMax &&
    Array.from(value).length >= lengthMin;
const form =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);
const yesOrNo = form(/^[YN]$/);
const address = (value: unknown): boolean =>
  text(2_048)(value) && /^https?:\/\//.test(String(value)) && URL.canParse(String(value));
const object = (value: unknown): boolean => typeof value === 'object' && value !== null;
const truth = (value: unknown): boolean => typeof value === 'boolean';
const transactionId = form(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/);
/** 05 to 09 came with 2.2.0. */
const challengeWish = (value: unknown, { version }: RuleContext): boolean =>
  form(version === '2.1.0' ? /^(?:0[1-4]|[89][0-9])$/ : /^(?:0[1-9]|[89][0-9])$/)(value);

const rule = (
  name: string,
  itsForm: RequestRule['form'],
  isRequired: RequestRule['isRequired'],
): RequestRule => ({ name, form: itsForm, isRequired });

/**
 * What this directory server looks at of AReq, written from EMV 3-D Secure Annex A: enough that a
 * message which is wrong is found, and not every element that there is.
 */
export const requestRules: readonly RequestRule[] = [
  rule('threeDSServerTransID', transactionId, always),
  rule('threeDSServerRefNumber', text(32), always),
  rule('threeDSServerOperatorID', text(32), never),
  rule('threeDSServerURL', address, always),
  rule('threeDSRequestorID', text(35), always),
  rule('threeDSRequestorName', text(40), always),
  rule('threeDSRequestorURL', address, always),
  rule('threeDSRequestorAuthenticationInd', form(/^(?:0[1-9]|[189][0-9])$/), withShopper),
  rule('threeRIInd', form(/^(?:0[1-9]|1[0-9]|[89][0-9])$/), withoutShopper),
  rule('threeDSRequestorChallengeInd', challengeWish, never),
  rule('threeDSRequestorDecReqInd', yesOrNo, never),
  rule('threeDSRequestorDecMaxTime', form(/^[0-9]{5}$/), never),
  rule('acctNumber', form(/^[0-9]{13,19}$/), always),
  rule('cardExpiryDate', form(/^[0-9]{2}(?:0[1-9]|1[0-2])$/), never),
  rule('cardholderName', text(45), never),
  rule('email', text(254), never),
  rule('acquirerBIN', form(/^[0-9A-Za-z]{1,11}$/), inPayments),
  rule('acquirerMerchantID', text(35), inPayments),
  rule('mcc', form(/^[0-9]{4}$/), inPayments),
  rule('merchantCountryCode', form(/^[0-9]{3}$/), inPayments),
  rule('merchantName', text(40), inPayments),
  rule('purchaseAmount', form(/^[0-9]{1,48}$/), inPayments),
  rule('purchaseCurrency', form(/^[0-9]{3}$/), inPayments),
  rule('purchaseExponent', form(/^[0-9]$/), inPayments),
  rule('purchaseDate', form(/^[0-9]{14}$/), inPayments),
  rule('notificationURL', address, inBrowsers),
  rule('threeDSCompInd', form(/^[YNU]$/), inBrowsers),
  rule('browserAcceptHeader', text(2_048), inBrowsers),
  rule('browserIP', text(45), never),
  rule('browserJavascriptEnabled', truth, inNewBrowsers),
  rule('browserJavaEnabled', truth, inScriptedBrowsers),
  rule('browserLanguage', text(35), inBrowsers),
  rule('browserColorDepth', form(/^(?:1|4|8|15|16|24|32|48)$/), inScriptedBrowsers),
  rule('browserScreenHeight', form(/^[0-9]{1,6}$/), inScriptedBrowsers),
  rule('browserScreenWidth', form(/^[0-9]{1,6}$/), inScriptedBrowsers),
  rule('browserTZ', form(/^[+-]?[0-9]{1,4}$/), inScriptedBrowsers),
  rule('browserUserAgent', text(2_048), inBrowsers),
  rule('sdkAppID', transactionId, inApps),
  rule('sdkEphemPubKey', object, inApps),
  rule('sdkMaxTimeout', form(/^[0-9]{2}$/), inApps),
  rule('sdkReferenceNumber', text(32), inApps),
  rule('sdkTransID', transactionId, inApps),
  rule('deviceRenderOptions', object, inApps),
];

/** What rules look at, of a message whose version is spoken here. */
export function contextOf(message: Message, version: MessageVersion): RuleContext {
  return {
    version,
    channel: String(message['deviceChannel']),
    isPayment: message['messageCategory'] === '01',
    hasScripts: message['browserJavascriptEnabled'] === true,
  };
}
