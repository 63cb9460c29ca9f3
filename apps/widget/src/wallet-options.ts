/** What a page says of a wallet: whatever it likes. */
export type WalletOptions = Readonly<Record<string, unknown>>;

/** What an option is used as, and what of it has no effect. */
export interface UsedOption {
  readonly used: unknown;
  readonly idle?: string;
}

/** Reads one of them, or says what is wrong with it. */
export type WalletOptionReader = (value: unknown) => UsedOption | string;

const PAID = 'says what the checkout says: what is paid, and nothing else, is on the sheet';
const ASKED = 'asks for nothing: of the shopper the sheet tells what he pays with';

/** What pages of the interface family give and what has no effect here, by how their names begin or end. */
const IDLE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:amount|currency|currencyCode|totalPrice\w*|lineItems|displayItems|transactionInfo|type)$/,
    PAID,
  ],
  [
    /^(?:required\w*|\w+Required|\w+Parameters|submitOnPaymentAuthorized|shipping\w*|billing\w*)$/,
    ASKED,
  ],
  [/^on[A-Z]/, 'is not called: onBeforeSubmitVirtualAccount, onAfterSubmit and onCancel are'],
  [/./, 'is not served yet'],
];

/**
 * What is used of a wallet's options; each of the others is told of on the console, and the button is
 * shown all the same.
 */
export function readWalletOptions(
  name: string,
  given: WalletOptions | undefined,
  readers: Readonly<Record<string, WalletOptionReader>>,
): WalletOptions {
  const used: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined;
    const read = reader?.(value) ?? idleness(key);
    const complaint = typeof read === 'string' ? read : read.idle;
    if (complaint !== undefined) console.warn(`Sluice: wpwlOptions.${name}.${key} ${complaint}.`);
    if (typeof read !== 'string') used[key] = read.used;
  }
  return used;
}

function idleness(key: string): string {
  return IDLE.find(([names]) => names.test(key))?.[1] ?? '';
}

/** A text among those that are used. */
export function textAmong(options: WalletOptions, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Texts. */
export const textOption: WalletOptionReader = (value) =>
  typeof value === 'string' && value !== '' ? { used: value } : 'is a text';

/** Lists of texts. */
export const listOption: WalletOptionReader = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
    ? { used: value }
    : 'is a list of texts';

/** Functions, which are called where something happens. */
export const callbackOption: WalletOptionReader = (value) =>
  typeof value === 'function' ? { used: value } : 'is a function';

/** One of these texts. */
export function wordOption(...words: readonly string[]): WalletOptionReader {
  return (value) =>
    typeof value === 'string' && words.includes(value)
      ? { used: value }
      : `is one of ${words.join(', ')}`;
}

/** A number of these. */
export function numberOption(least: number, most: number): WalletOptionReader {
  return (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? { used: value }
      : `is a number from ${least} to ${most}`;
}

/** The page's function of this name, whose failure is the page's. */
export function pageCallback(name: string, options: WalletOptions): (() => void) | undefined {
  const { onCancel } = options;
  if (typeof onCancel !== 'function') return undefined;
  return () => {
    try {
      (onCancel as () => void)();
    } catch (error) {
      console.error(`Sluice: wpwlOptions.${name}.onCancel has failed.`, error);
    }
  };
}
