import { accountPlaces, bareAccount, isAccount, type TextRange } from '@sluice/secrets';
import { type CardNumberSearch, cardNumberSearch, stars } from './card-numbers-in-text.js';
import type { Form } from './form.js';

/**
 * What is looked for in the other parameters of its form, and what a refusal calls it: all that
 * belongs into the vault, or nowhere, and is long enough (D-43, page 0023). The card number is looked
 * for as `cardNumberSearch` does it.
 */
export const soughtAccounts: ReadonlyMap<string, string> = new Map([
  ['bankAccount.iban', 'the IBAN'],
  ['bankAccount.number', 'the account number'],
  ['tokenAccount.number', 'the number of the token'],
  ['tokenAccount.cryptogram', 'the cryptogram'],
  ['giftCard.number', 'the number of the gift card'],
  ['giftCard.pin', 'the PIN of the gift card'],
  ['virtualAccount.password', 'the password of the account'],
  ['sender.accountNumber', 'the account number of the sender'],
  ['recipient.accountNumber', 'the account number of the recipient'],
  ['threeDSecure.verificationId', 'the cryptogram'],
  ['applePay.paymentToken', "the wallet's token"],
  ['googlePay.paymentToken', "the wallet's token"],
  ['samsungPay.paymentToken', "the wallet's token"],
]);

/** Account data and secrets that are not looked for, and why. */
export const notSoughtAccounts: ReadonlyMap<string, string> = new Map([
  ['card.expiryMonth', 'two digits'],
  ['card.expiryYear', 'a year'],
  ['tokenAccount.expiryMonth', 'two digits'],
  ['tokenAccount.expiryYear', 'a year'],
  ['card.cvv', 'three digits stand anywhere; it is known by the name that it is under'],
  ['tokenAccount.dtvc', 'three digits stand anywhere; it is known by the name that it is under'],
  ['virtualAccount.accountId', 'mostly the e-mail address or telephone number of the customer'],
  ['authentication.userId', 'not what is paid with'],
  ['authentication.password', 'not what is paid with'],
]);

/** From so many letters and digits on, what is found in a text is not there by chance. */
const FOUND_IN_TEXTS_LEAST = 8;
/**
 * Shorter ones are parts of many references and amounts, so they are looked for as the whole value
 * alone. With fewer than these even that would be chance, and asterisks for an article's number would
 * tell the PIN.
 */
const FOUND_AS_VALUE_LEAST = 4;
/** Longer ones are tokens of wallets: nobody types them, so they are looked for as they stand. */
const COMPARED_MOST = 255;

/** Country and check digits, which the rest of an IBAN leads to. */
const IBAN = /^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$/;
const IBAN_HEAD = 4;
/** What a recipient's account is then is how people are reached, and stands in other parameters too. */
const CONTACT_TYPES: ReadonlySet<string> = new Set(['PHONE_NUMBER', 'SOCIAL_NETWORK_ID']);

/** Looks for what a request is paid with in its other texts. */
export interface OwnAccounts {
  /** The text without card numbers, and without the accounts and secrets of the request. */
  readonly masked: (text: string) => string;
  /** What of them the text has, in whatever spelling, as a refusal calls it. */
  readonly foundIn: (text: string) => string | undefined;
  /** The same of the card number alone: for what goes into the vault itself. */
  readonly cardIn: (text: string) => string | undefined;
}

/** One of them, as it is compared. */
interface Account {
  readonly called: string;
  /** As it was sent, if it is to be found as it stands. */
  readonly literal?: string;
  /** Its letters and digits, to be found in a text. */
  readonly inTexts: readonly string[];
  /** The same, to be found as a whole value. */
  readonly asValue?: string;
}

/** What is known of a form's own accounts is found out once, not for each of its texts. */
export function ownAccounts(form: Form): OwnAccounts {
  const cards = cardNumberSearch(form.get('card.number'));
  const accounts: Account[] = [];
  for (const [name, called] of soughtAccounts) {
    const value = form.get(name);
    if (value === undefined || isContact(form, name)) continue;
    accounts.push(accountOf(called, value));
  }
  const cardIn = (text: string): string | undefined =>
    cards.findsOwn(text) ? 'the card number' : undefined;
  return {
    masked: (text) => masked(text, cards, accounts),
    cardIn,
    foundIn: (text) => cardIn(text) ?? accounts.find((account) => isIn(text, account))?.called,
  };
}

function accountOf(called: string, value: string): Account {
  const literal = value.length >= FOUND_IN_TEXTS_LEAST ? { literal: value } : undefined;
  if (value.length > COMPARED_MOST) return { called, ...literal, inTexts: [] };
  const bare = bareAccount(value);
  if (bare.length >= FOUND_IN_TEXTS_LEAST) {
    const inTexts = IBAN.test(bare) ? [bare, bare.slice(IBAN_HEAD)] : [bare];
    return { called, ...literal, inTexts };
  }
  const isValue = bare.length >= FOUND_AS_VALUE_LEAST;
  return { called, ...literal, inTexts: [], ...(isValue && { asValue: bare }) };
}

function isContact(form: Form, name: string): boolean {
  const type = name === 'recipient.accountNumber' ? form.get(`${name}Type`) : undefined;
  return type !== undefined && CONTACT_TYPES.has(type);
}

function masked(text: string, cards: CardNumberSearch, accounts: readonly Account[]): string {
  if (accounts.some((account) => isWhole(text, account))) return stars(text);
  return cards.masked(
    text,
    accounts.flatMap((account) => placesOf(text, account)),
  );
}

function isIn(text: string, account: Account): boolean {
  return isWhole(text, account) || placesOf(text, account).length > 0;
}

function isWhole(text: string, { asValue }: Account): boolean {
  return asValue !== undefined && isAccount(text, asValue);
}

function placesOf(text: string, { literal, inTexts }: Account): readonly TextRange[] {
  const found = inTexts.flatMap((account) => accountPlaces(text, account));
  if (literal === undefined) return found;
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length)) {
    found.push({ start: at, end: at + literal.length });
  }
  return found;
}
