import type { AccountBank } from '@sluice/contracts';
import { composeIBAN, countrySpecs } from 'ibantools';
import { ACCOUNT_CHARACTERS } from './account-in-iban.js';
import { canonicalEmail } from './email-address.js';
import { iban as ibanFormat } from './registered-formats.js';

const IBAN = 'bankAccount.iban';
const NUMBER = 'bankAccount.number';
const GIFT_CARD = 'giftCard.number';
const ACCOUNT_ID = 'virtualAccount.accountId';
/** Country and check digits. */
const IBAN_HEAD = 4;
const COUNTRY_LETTERS = 2;
/** Zeros in front, but not the only digit. */
const LEADING_ZEROS = /^0+(?=.)/;
/** What separates the groups of a number for whoever reads it. */
const SEPARATORS = /[^\p{L}\p{N}]/gu;
const INTERNATIONAL_PHONE = /^\+[0-9 ()./-]+$/;

/** What says which account it is, in clear, by wire name. */
export type AccountTexts = Readonly<Record<string, string>>;

/**
 * An account in the one spelling in which it is compared, however it was sent (Interface 2.4 to 2.8, 2.18): whoever
 * pays too often is not somebody else for a blank, a zero or a small letter.
 *
 * - An IBAN says all of a bank account, whatever stands beside it, and wherever it stands.
 * - A national number is one of its bank. It is an IBAN where its country makes one of bank code and number
 *   and of nothing else.
 * - A gift card is its letters and digits. An account at a provider is an e-mail address, a telephone number or a name.
 * - Cards and tokens are digits alone, and stay as they are.
 * @param bank of a national number
 */
export function oneAccount(texts: AccountTexts, bank: AccountBank = {}): AccountTexts {
  const { [IBAN]: iban, [NUMBER]: number, ...others } = texts;
  const { [GIFT_CARD]: giftCard, [ACCOUNT_ID]: accountId, ...plain } = others;
  return {
    ...plain,
    ...(iban !== undefined && { [IBAN]: oneIban(iban.toUpperCase()) }),
    ...(iban === undefined && number !== undefined && ofNumber(number, bank)),
    ...(giftCard !== undefined && { [GIFT_CARD]: bare(giftCard) }),
    ...(accountId !== undefined && { [ACCOUNT_ID]: ofProvider(accountId) }),
  };
}

/** Check digits can be written in two ways, of which `composeIBAN` knows the right one. */
function oneIban(iban: string): string {
  const [countryCode, bban] = [iban.slice(0, COUNTRY_LETTERS), iban.slice(IBAN_HEAD)];
  return composeIBAN({ countryCode, bban }) ?? iban;
}

function ofNumber(sent: string, bank: AccountBank): AccountTexts {
  const number = bare(sent);
  const known = {
    country: bank.country ?? bank.bic?.slice(IBAN_HEAD, IBAN_HEAD + COUNTRY_LETTERS),
    code: bank.code?.toUpperCase(),
  };
  const iban = ibanOf(number, known);
  if (iban !== undefined) return { [IBAN]: iban };
  return { [NUMBER]: number.replace(LEADING_ZEROS, ''), ...bankOf(known, bank.bic) };
}

interface KnownBank {
  readonly country: string | undefined;
  readonly code: string | undefined;
}

/** The IBAN that stands in its place, or that bank code and number make; undefined where nobody here knows how. */
function ibanOf(number: string, { country: countryCode, code }: KnownBank): string | undefined {
  if (ibanFormat.accepts(number)) return oneIban(number);
  if (countryCode === undefined) return undefined;
  const whole = composeIBAN({ countryCode, bban: number });
  if (whole !== null) return whole;
  const characters = ACCOUNT_CHARACTERS.get(countryCode);
  const ibanCharacters = countrySpecs[countryCode]?.chars;
  if (characters === undefined || code === undefined || !ibanCharacters) return undefined;
  const account = number.replace(LEADING_ZEROS, '').padStart(characters, '0');
  const ofBank = code.padStart(ibanCharacters - IBAN_HEAD - characters, '0');
  return composeIBAN({ countryCode, bban: ofBank + account }) ?? undefined;
}

/** By its code, which a BIC beside it only repeats; a BIC has its country in it. */
function bankOf({ country, code }: KnownBank, bic: string | undefined): AccountTexts {
  if (code === undefined && bic !== undefined) {
    return { 'bankAccount.bic': bic.toUpperCase().replace(HEAD_OFFICE, '') };
  }
  return {
    ...(country !== undefined && { 'bankAccount.country': country }),
    ...(code !== undefined && { 'bankAccount.bankCode': code.replace(LEADING_ZEROS, '') }),
  };
}

/** A BIC of 11 letters that ends so is the one of 8 (ISO 9362). */
const HEAD_OFFICE = /XXX$/;

/** Letters and digits, as capitals. What has neither is compared as it stands. */
function bare(text: string): string {
  const plain = text.normalize('NFKC').toUpperCase();
  const letters = plain.replace(SEPARATORS, '');
  return letters === '' ? plain : letters;
}

function ofProvider(accountId: string): string {
  const email = canonicalEmail(accountId);
  if (email !== undefined) return email;
  const plain = accountId.normalize('NFKC').toLowerCase().replace(/\s/gu, '');
  return INTERNATIONAL_PHONE.test(plain) ? plain.replace(/[^+0-9]/g, '') : plain;
}
