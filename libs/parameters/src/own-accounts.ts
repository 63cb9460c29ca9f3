import { accountPlaces, bareAccount, type TextRange } from '@sluice/secrets';
import { type CardNumberSearch, cardNumberSearch } from './card-numbers-in-text.js';
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
  ['clickToPay.paymentToken', "the wallet's token"],
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

/**
 * From so many letters and digits on, what is found in a text is not there by chance. Shorter ones, PINs
 * mostly, are looked for nowhere: they are years, postcodes and numbers of houses as well, and asterisks
 * in place of a value that somebody knows would tell him the PIN.
 */
const FOUND_IN_TEXTS_LEAST = 8;
/** As long as no date, amount or postcode is: from here on, it is no such value by chance. */
const FOUND_IN_VALUES_LEAST = 12;
/** Longer ones are tokens of wallets: nobody types them, so they are looked for as they stand. */
const COMPARED_MOST = 255;

/** Country and check digits, which the rest of an IBAN leads to. */
const IBAN = /^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$/;
const IBAN_HEAD = 4;
/** What is then said of an account of 2.13 is the number of a bank or of a card. */
const BANK_AND_CARD_TYPES: ReadonlySet<string> = new Set([
  ...['IBAN', 'RTN_AND_BANK_ACCOUNT', 'BAN_AND_BIC', 'IBAN_AND_BIC', 'CARD_ACCOUNT'],
]);
/** `sender.sourceOfFunds`, whose accounts are called by numbers of telephones. */
const MOBILE_MONEY = '08';

/** Whether a parameter has room for a text: none where asterisks would leave no value of its type. */
export type HasRoomFor = (text: string) => boolean;

/** Looks for what a request is paid with in its other texts. */
export interface OwnAccounts {
  /**
   * The text without card numbers, and without the accounts and secrets of the request.
   * @param hasRoomFor of the parameter whose value it is; a text that is nothing's value has any room
   */
  readonly masked: (text: string, hasRoomFor?: HasRoomFor) => string;
  /** What of them the text has, in whatever spelling, as a refusal calls it. */
  readonly foundIn: (text: string, hasRoomFor: HasRoomFor) => string | undefined;
  /** The same of the card number alone: for what goes into the vault itself. */
  readonly cardIn: (text: string) => string | undefined;
}

/** One of them, as it is compared. */
interface Account {
  readonly called: string;
  /** As it was sent, if it is to be found as it stands. */
  readonly literal?: string;
  /** Its letters and digits. */
  readonly bare: readonly string[];
  /** Longer than any date, amount or postcode. */
  readonly isLong: boolean;
}

/** What is known of a form's own accounts is found out once, not for each of its texts. */
export function ownAccounts(form: Form): OwnAccounts {
  const cards = cardNumberSearch(form.get('card.number'));
  const accounts: Account[] = [];
  for (const [name, called] of soughtAccounts) {
    const value = form.get(name);
    if (value === undefined || isKnownBy(form, name, value)) continue;
    const account = accountOf(called, value);
    if (account !== undefined) accounts.push(account);
  }
  const cardIn = (text: string): string | undefined =>
    cards.findsOwn(text) ? 'the card number' : undefined;
  // Nearly every request has nothing of the kind in any of its texts.
  const sought = (text: string, hasRoomFor: HasRoomFor): readonly Account[] => {
    const found = accounts.filter((account) => placesOf(text, account).length > 0);
    if (found.length === 0 || hasRoomFor(masked(text, cards, found))) return found;
    return found.filter(({ isLong }) => isLong);
  };
  return {
    masked: (text, hasRoomFor = () => true) => masked(text, cards, sought(text, hasRoomFor)),
    cardIn,
    foundIn: (text, hasRoomFor) => cardIn(text) ?? sought(text, hasRoomFor)[0]?.called,
  };
}

/** Undefined of what is so short that it stands anywhere. */
function accountOf(called: string, value: string): Account | undefined {
  const literal = value.length >= FOUND_IN_TEXTS_LEAST ? { literal: value } : undefined;
  if (value.length > COMPARED_MOST) return { called, ...literal, bare: [], isLong: true };
  const bare = bareAccount(value);
  if (bare.length < FOUND_IN_TEXTS_LEAST) {
    return literal && { called, ...literal, bare: [], isLong: isLong(value) };
  }
  const inTexts = IBAN.test(bare) ? [bare, bare.slice(IBAN_HEAD)] : [bare];
  return { called, ...literal, bare: inTexts, isLong: isLong(bare) };
}

function isLong({ length }: string): boolean {
  return length >= FOUND_IN_VALUES_LEAST;
}

/**
 * Whether the account of a sender or recipient is what that person is known by, such as a telephone
 * number, an e-mail address or the id of a wallet, which rightly stands in other parameters too.
 */
function isKnownBy(form: Form, name: string, value: string): boolean {
  const [who, parameter] = name.split('.');
  if (parameter !== 'accountNumber') return false;
  const type = form.get(`${name}Type`) ?? '';
  if (BANK_AND_CARD_TYPES.has(type)) return false;
  const isMobile = who === 'sender' && form.get('sender.sourceOfFunds') === MOBILE_MONEY;
  const isNone = type === '' && !isMobile && !value.includes('@');
  return !isNone && !IBAN.test(bareAccount(value));
}

function masked(text: string, cards: CardNumberSearch, accounts: readonly Account[]): string {
  return cards.masked(
    text,
    accounts.flatMap((account) => placesOf(text, account)),
  );
}

function placesOf(text: string, { literal, bare }: Account): readonly TextRange[] {
  const found = bare.flatMap((account) => accountPlaces(text, account));
  if (literal === undefined) return found;
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length)) {
    found.push({ start: at, end: at + literal.length });
  }
  return found;
}
