import { codes } from '@sluice/result-codes/codes';
import type { ChargedAmount } from './amount-text.js';
import { answerOf } from './checkout-answer.js';
import { expiryFault } from './expiry.js';
import type { CheckoutInBrowser } from './result-address.js';

/** A stored account that the shopper may pay with. */
export interface OfferedAccount {
  readonly id: string;
  readonly kind: 'card' | 'bankAccount' | 'virtualAccount' | 'other';
  readonly brand: string;
  /** The last four characters of its number; empty where nobody tells them. */
  readonly ending: string;
  /** `05 / 34`; empty for an account that does not expire. */
  readonly expiry: string;
  readonly holder: string;
}

/** What the merchant offers. */
export interface OfferedAccounts {
  readonly accounts: readonly OfferedAccount[];
  /** Whether the merchant has named the one that is paid with, and nothing else can be. */
  readonly isOnly: boolean;
  /** Whether the shopper may delete them. */
  readonly mayDelete: boolean;
  /** What the checkout charges; undefined where nobody says. */
  readonly charged: ChargedAmount | undefined;
  /** The checkout cannot be completed any more, or never could. */
  readonly isOver: boolean;
  /** What the checkout is for; undefined where nobody says. */
  readonly purpose: CheckoutInBrowser['purpose'] | undefined;
}

const NOTHING: OfferedAccounts = {
  ...{ accounts: [], isOnly: false, mayDelete: false, charged: undefined, isOver: false },
  purpose: undefined,
};
const ENDING_CHARACTERS = 4;

/**
 * Asks what a checkout offers, and whether it can be completed; nothing where nobody says, because the
 * shopper can pay all the same. What only stores offers nothing.
 */
export async function offeredAccounts(
  checkout: CheckoutInBrowser,
  folder: string,
): Promise<OfferedAccounts> {
  try {
    const offered = offeredOf(await answerOf(checkout, 'form', folder));
    const { isOver, purpose } = offered;
    return checkout.purpose === 'registration' ? { ...NOTHING, isOver, purpose } : offered;
  } catch {
    console.warn('Sluice: no stored accounts can be shown now.');
    return NOTHING;
  }
}

/** Reads the answer of the gateway. */
export function offeredOf(body: unknown): OfferedAccounts {
  const { registrations, registrationId, amount, currency, mayDelete, result } = record(body);
  const all: unknown[] = Array.isArray(registrations) ? registrations : [];
  const accounts = all.flatMap((one) => accountOf(record(one)) ?? []);
  const [sum, unit] = [text(amount), text(currency)];
  const charged = sum === '' || unit === '' ? undefined : { amount: sum, currency: unit };
  const isOnly = text(registrationId) !== '' && accounts.length > 0;
  const { code } = record(result);
  const isOver = code === codes.invalidParameter;
  // What pays always has an amount, and what only stores never has one.
  const isFor = charged === undefined ? 'registration' : 'payment';
  const purpose = code === codes.requestSuccessful ? isFor : undefined;
  return { accounts, isOnly, mayDelete: mayDelete === true, charged, isOver, purpose };
}

/** Whether the month of a card is over. */
export function isOver({ expiry }: OfferedAccount, nowMs: number): boolean {
  return expiry !== '' && expiryFault(expiry, nowMs) === 'year';
}

type Fields = Readonly<Record<string, unknown>>;

function accountOf(said: Fields): OfferedAccount | undefined {
  const id = text(said['id']);
  if (id === '') return undefined;
  const kind = kinds.find((one) => one in said) ?? 'other';
  const { last4Digits, iban, number, expiryMonth, expiryYear, holder } = {
    ...record(said['tokenAccount']),
    ...record(said[kind]),
  } as Fields;
  const shown = [last4Digits, iban, number].map(text).find((one) => one !== '') ?? '';
  const [month, year] = [text(expiryMonth), text(expiryYear)];
  return {
    ...{ id, kind, brand: text(said['paymentBrand']), holder: text(holder) },
    ending: shown.slice(-ENDING_CHARACTERS),
    expiry: month === '' || year === '' ? '' : `${month} / ${year.slice(2)}`,
  };
}

const kinds = ['card', 'bankAccount', 'virtualAccount'] as const;

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
