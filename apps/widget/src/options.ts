import { type AskedOfBilled, isAddressField } from './billing-address.js';
import { staysInPage } from './brand-groups.js';
import { challengeSize, type ChallengeSize } from './challenge-window.js';
import { english, type TextName } from './english.js';
import { languageOf, type OwnTexts } from './languages.js';
import { notServed } from './options-not-served.js';

/** What shops hand over: whatever they like. */
export type Callback = (this: unknown, ...words: unknown[]) => unknown;

/** The callbacks that are called. */
export const callbackNames = [
  'onReady',
  'onError',
  'onBeforeSubmitCard',
  'onBeforeSubmitCardPromise',
  'onBeforeSubmitDirectDebit',
  'onBeforeSubmitOnlineTransfer',
  'onBeforeSubmitVirtualAccount',
  'onSubmit',
  'onAfterSubmit',
  'onDetectBrand',
  'onDetectBin',
  'onChangeBrand',
  'onReadyIframeCommunication',
  'onFocusIframeCommunication',
  'onBlurIframeCommunication',
  'onBlurCardNumber',
  'onBlurSecurityCode',
  'onBlurExpiryDate',
  'onBlurCardHolder',
  'onCancel',
  'onSaveTransactionData',
] as const;
export type CallbackName = (typeof callbackNames)[number];

/** `wpwlOptions` as it is used (wire contract 10). */
export interface Options extends AskedOfBilled {
  readonly style: 'card' | 'plain' | 'logos' | 'none';
  readonly locale: string;
  readonly requireCvv: boolean;
  readonly allowEmptyCvv: boolean;
  readonly allowEmptyCardHolderName: boolean;
  readonly disableCardExpiryDateValidation: boolean;
  readonly maskCvv: boolean;
  readonly showCVVHint: boolean;
  readonly showLabels: boolean;
  readonly showPlaceholders: boolean;
  readonly numberFormatting: boolean;
  readonly disableSubmitOnEnter: boolean;
  /** Whether brands are left out that cannot be paid by with the checkout's amount. */
  readonly activePaymentMethods: boolean;
  readonly brandDetection: boolean;
  /** Whether the table of brands, or first the gateway's list of cards, says what brand a number is of. */
  readonly brandDetectionType: 'regex' | 'binlist';
  readonly brandDetectionPriority: readonly string[];
  /** Which window goes on to the shop or to a bank. */
  readonly shopperResultTarget: Target;
  readonly autofocus: FocusedField | undefined;
  readonly labels: OwnTexts;
  readonly errorMessages: OwnTexts;
  readonly iframeStyles: FrameStyles;
  readonly registrations: StoredAccountOptions;
  /** As the page has them: what is in them, the forms of the wallets read. */
  readonly applePay: Readonly<Record<string, unknown>> | undefined;
  readonly googlePay: Readonly<Record<string, unknown>> | undefined;
  /** Whether the button says what is paid: as the shop writes it, or `true`; empty: it does not. */
  readonly total: string;
  /** Whether a shopper sees what is paid with before it is sent. */
  readonly useSummaryPage: boolean;
  /** In which frame of the page the shopper is asked by a bank; undefined where the window goes there. */
  readonly challengeSize: ChallengeSize | undefined;
  /** What turns while something is under way; undefined where nothing does. */
  readonly spinner: Spinner | undefined;
  readonly callbacks: Readonly<Partial<Record<CallbackName, Callback>>>;
}

/** A window that a page may send on. */
export type Target = '_self' | '_top' | '_parent';
/** A field by the name of its parameter. */
export type FocusedField = 'card.number' | 'card.cvv' | 'card.expiry' | 'card.holder';
/** Properties of CSS by name. */
export type Declarations = Readonly<Record<string, string>>;

/** Lines around a center. */
export interface Spinner {
  /** Of CSS. */
  readonly color: string;
  readonly lines: number;
}

/** How placeholders in the frames look. */
export interface FrameStyles {
  readonly 'card-number-placeholder'?: Declarations;
  readonly 'cvv-placeholder'?: Declarations;
}

/** How stored accounts are shown. */
export interface StoredAccountOptions {
  /** Whether the code of a stored card is asked for. */
  readonly requireCvv: boolean;
  /** Whether other forms are hidden until the shopper asks for them. */
  readonly hideInitialPaymentForms: boolean;
}

/** Options as they are read, and a sentence for each that has no effect. */
export interface ReadOptions {
  readonly options: Options;
  readonly complaints: readonly string[];
}

const defaults: Options = {
  ...{ style: 'card', locale: 'en', requireCvv: true, allowEmptyCvv: false },
  ...{ allowEmptyCardHolderName: true, disableCardExpiryDateValidation: false, maskCvv: false },
  ...{ showCVVHint: false, showLabels: true, showPlaceholders: true, numberFormatting: true },
  ...{ disableSubmitOnEnter: false, activePaymentMethods: false },
  ...{ brandDetection: true, brandDetectionType: 'regex', brandDetectionPriority: [] },
  ...{ shopperResultTarget: '_self', autofocus: undefined, labels: {}, errorMessages: {} },
  ...{ iframeStyles: {}, callbacks: {} },
  registrations: { requireCvv: false, hideInitialPaymentForms: false },
  ...{ billingAddress: undefined, showTaxNumberField: false, useSummaryPage: false },
  ...{ forceCardHolderEqualsBillingName: false, total: '', spinner: undefined },
  ...{ challengeSize: undefined, applePay: undefined, googlePay: undefined },
};

/** Reads one option: what it sets, or what is wrong with it. */
type Reader = (value: unknown, name: string, before: Options) => Partial<Options> | string;

const flag: Reader = (value, name) => {
  const said = truthOf(value);
  return said === undefined ? 'is true or false' : { [name]: said };
};

/** Shops write both. */
function truthOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

function word(...words: readonly string[]): Reader {
  return (value, name) =>
    typeof value === 'string' && words.includes(value)
      ? { [name]: value }
      : `is one of ${words.join(', ')}`;
}

const texts: Reader = (value, name) => {
  const known = entriesOf(value)?.filter(([key, text]) => isTextName(key) && text !== undefined);
  return known === undefined ? 'is an object of texts' : { [name]: Object.fromEntries(known) };
};

const wallet: Reader = (value, name) =>
  typeof value === 'object' && value !== null ? { [name]: value } : 'is an object';

const targets = word('_self', '_top', '_parent');

const readers: Readonly<Record<string, Reader>> = {
  style: word('card', 'plain', 'logos', 'none'),
  locale: (value) =>
    typeof value === 'string' && languageOf(value) !== undefined
      ? { locale: value }
      : 'is no language of this form, which is in English',
  ...{ requireCvv: flag, allowEmptyCvv: flag, allowEmptyCardHolderName: flag, maskCvv: flag },
  ...{ disableCardExpiryDateValidation: flag, showCVVHint: flag, showLabels: flag },
  ...{ showPlaceholders: flag, numberFormatting: flag, disableSubmitOnEnter: flag },
  ...{ activePaymentMethods: flag, brandDetection: flag },
  brandDetectionType: word('regex', 'binlist'),
  brandDetectionPriority: (value, name) => {
    const brands = Array.isArray(value)
      ? value.filter((one) => typeof one === 'string')
      : undefined;
    return brands === undefined ? 'is a list of brands' : { [name]: brands };
  },
  shopperResultTarget: targets,
  paymentTarget: (value, _name, before) => targets(value, 'shopperResultTarget', before),
  autofocus: word('card.number', 'card.cvv', 'card.expiry', 'card.holder'),
  enableSAQACompliance: (value) => (value === true ? {} : 'is true: number and code are in frames'),
  labels: texts,
  errorMessages: texts,
  iframeStyles: readFrameStyles,
  registrations: readStoredAccounts,
  ...{ useSummaryPage: flag, showTaxNumberField: flag, forceCardHolderEqualsBillingName: flag },
  total: (value) => {
    if (truthOf(value) === false) return { total: '' };
    const said = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
    return said === '' ? 'is true, or the amount as you write it' : { total: said };
  },
  spinner: readSpinner,
  browser: readBrowser,
  billingAddress: readBillingAddress,
  mandatoryBillingFields: readMandatoryFields,
  ...{ applePay: wallet, googlePay: wallet, inlineFlow: readInlineFlow },
  hideInitialPaymentForms: (hideInitialPaymentForms, _name, before) =>
    readStoredAccounts({ hideInitialPaymentForms }, _name, before, 'is true or false'),
};

/**
 * Reads `wpwlOptions`. What has no effect is told in a sentence and never taken in silence; the form
 * is shown all the same, because a shop that upgrades must be able to take payments.
 */
export function readOptions(given: unknown): ReadOptions {
  const entries = given === undefined || given === null ? [] : Object.entries(given);
  const complaints: string[] = [];
  let options = defaults;
  for (const [name, value] of inOrder(entries)) {
    if (value === undefined) continue;
    const read = readOne(name, value, options);
    if (typeof read === 'string') complaints.push(`wpwlOptions.${name} ${read}.`);
    else options = { ...options, ...read };
  }
  if (options.callbacks.onSaveTransactionData !== undefined && !options.useSummaryPage) {
    complaints.push(
      'wpwlOptions.onSaveTransactionData is called only where useSummaryPage is true.',
    );
  }
  const isListed = options.brandDetection && options.brandDetectionType === 'binlist';
  if (options.callbacks.onDetectBin !== undefined && !isListed) {
    complaints.push(`wpwlOptions.onDetectBin is called where ${OF_A_LIST}.`);
  }
  return { options, complaints };
}

const OF_A_LIST = "brands are found by a list (brandDetectionType: 'binlist')";

/** What is said of an address is read after it. */
function inOrder(entries: readonly Entry[]): readonly Entry[] {
  const [later, first] = [true, false].map((isLater) =>
    entries.filter(([name]) => (name === OF_ADDRESS) === isLater),
  );
  return [...(first ?? []), ...(later ?? [])];
}

type Entry = readonly [name: string, value: unknown];
const OF_ADDRESS = 'mandatoryBillingFields';

function readOne(name: string, value: unknown, before: Options): Partial<Options> | string {
  const { callbacks } = before;
  if (isCallbackName(name)) {
    return typeof value === 'function'
      ? { callbacks: { ...callbacks, [name]: value as Callback } }
      : 'is a function';
  }
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (reader !== undefined) return reader(value, name, before);
  const reason = notServed.get(name);
  return reason === undefined ? unknownOption(name) : `is not served yet: ${reason}`;
}

function unknownOption(name: string): string {
  const known = [...Object.keys(readers), ...callbackNames, ...notServed.keys()];
  const meant = known.find((one) => one.toLowerCase() === name.toLowerCase());
  return `is no option of this form${meant === undefined ? '' : `; ${meant} is one`}`;
}

function isCallbackName(name: string): name is CallbackName {
  return (callbackNames as readonly string[]).includes(name);
}

function isTextName(name: string): name is TextName {
  return Object.hasOwn(english, name);
}

/** The members of an object that are texts or numbers; undefined for what is none. */
function entriesOf(value: unknown): readonly (readonly [string, string | undefined])[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).map(([key, text]: [string, unknown]) => [
    key,
    typeof text === 'string' || typeof text === 'number' ? String(text) : undefined,
  ]);
}

function readFrameStyles(value: unknown): Partial<Options> | string {
  if (typeof value !== 'object' || value === null) return 'is an object';
  const styles: Record<string, Declarations> = {};
  for (const [name, declarations] of Object.entries(value) as [string, unknown][]) {
    if (name !== 'card-number-placeholder' && name !== 'cvv-placeholder') {
      return 'has card-number-placeholder and cvv-placeholder, and nothing else';
    }
    const known = entriesOf(declarations)?.filter(([, text]) => text !== undefined) ?? [];
    styles[name] = Object.fromEntries(known) as Declarations;
  }
  return { iframeStyles: styles };
}

function readBrowser(value: unknown): Partial<Options> | string {
  const wrong = 'has threeDChallengeWindow, from 1 to 5, and nothing else';
  if (typeof value !== 'object' || value === null) return wrong;
  const { threeDChallengeWindow, ...others } = value as Partial<Record<string, unknown>>;
  const size = challengeSize(threeDChallengeWindow);
  return size === undefined || Object.keys(others).length > 0 ? wrong : { challengeSize: size };
}

const LINES = { min: 2, max: 24 } as const;
const SPINNER: Spinner = { color: 'currentcolor', lines: 12 };

function readSpinner(value: unknown): Partial<Options> | string {
  const said = truthOf(value);
  if (said !== undefined) return { spinner: said ? SPINNER : undefined };
  const wrong = `is true, or an object with color and lines (${LINES.min} to ${LINES.max}), and nothing else`;
  if (typeof value !== 'object' || value === null) return wrong;
  const { color, lines, ...others } = {
    ...SPINNER,
    ...(value as Partial<Record<string, unknown>>),
  };
  const isLines = typeof lines === 'number' && lines >= LINES.min && lines <= LINES.max;
  const isKnown = typeof color === 'string' && isLines && Object.keys(others).length === 0;
  return isKnown ? { spinner: { color, lines: Math.floor(lines) } } : wrong;
}

/** What stays in the page does so without being named; what does not cannot be kept there. */
function readInlineFlow(value: unknown): Partial<Options> | string {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList) return 'is a list of brands';
  const away = (value as readonly string[]).filter((brand) => !staysInPage(brand));
  return away.length === 0 ? {} : `keeps no ${away.join(', ')} in the page: ${ELSEWHERE}`;
}

const ELSEWHERE = 'providers and banks are paid at on their own pages';

const STORED = 'has requireCvv and hideInitialPaymentForms, each true or false, and nothing else';

function readStoredAccounts(
  value: unknown,
  _name: string,
  { registrations }: Options,
  wrong = STORED,
): Partial<Options> | string {
  if (typeof value !== 'object' || value === null) return wrong;
  const said = Object.entries(value).map(([key, one]) => [key, truthOf(one)] as const);
  const isKnown = said.every(
    ([key, one]) => Object.hasOwn(defaults.registrations, key) && one !== undefined,
  );
  if (!isKnown) return wrong;
  return { registrations: { ...registrations, ...Object.fromEntries(said) } };
}

const ADDRESS =
  'is true, or an object of texts with street1, street2, city, state, postcode and country';

function readBillingAddress(value: unknown): Partial<Options> | string {
  const said = truthOf(value);
  if (said === false) return { billingAddress: undefined };
  const entries = said === true ? [] : entriesOf(value);
  const isKnown = entries?.every(([key, text]) => isAddressField(key) && text !== undefined);
  if (entries === undefined || isKnown !== true) return ADDRESS;
  return { billingAddress: { given: Object.fromEntries(entries), mandatory: {} } };
}

function readMandatoryFields(
  value: unknown,
  _name: string,
  { billingAddress }: Options,
): Partial<Options> | string {
  if (billingAddress === undefined)
    return 'is of the fields of billingAddress, which are not there';
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  const said = entries?.map(([key, one]) => [key, truthOf(one)] as const) ?? [];
  const isKnown = said.every(([key, one]) => isAddressField(key) && one !== undefined);
  if (entries === undefined || !isKnown) return 'says true or false of fields of billingAddress';
  return { billingAddress: { ...billingAddress, mandatory: Object.fromEntries(said) } };
}
