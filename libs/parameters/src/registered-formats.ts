import {
  isBase64,
  isBIC,
  isISO31661Alpha2,
  isISO31661Alpha3,
  isISO31661Numeric,
  isURL,
} from 'class-validator';
import { validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import type { Format } from './format.js';
import { pattern } from './formats.js';

const same = (value: string): string => value;

/** An ISO 3166-1 alpha-2 code, upper case: `DE`. */
export const country2: Format = {
  text: 'A2, ISO 3166-1',
  accepts: (value) => UPPER_2.test(value) && isISO31661Alpha2(value),
  message: 'must be an ISO 3166-1 alpha-2 country code in upper case',
  schema: { type: 'string', pattern: '^[A-Z]{2}$' },
  schemaIsWider: 'ISO 3166-1 has more codes than can be repeated at each parameter',
  accepted: 'DE',
  refused: 'de',
  parse: same,
};
const UPPER_2 = /^[A-Z]{2}$/;

/** An ISO 3166-1 alpha-3 code, upper case: `DEU`. */
export const country3: Format = {
  text: 'A3',
  accepts: (value) => UPPER_3.test(value) && isISO31661Alpha3(value),
  message: 'must be an ISO 3166-1 alpha-3 country code in upper case',
  schema: { type: 'string', pattern: '^[A-Z]{3}$' },
  schemaIsWider: 'ISO 3166-1 has more codes than can be repeated at each parameter',
  accepted: 'DEU',
  refused: 'deu',
  parse: same,
};
const UPPER_3 = /^[A-Z]{3}$/;

/** An ISO 3166-1 numeric code: `276`. */
export const countryNumber: Format = {
  text: 'N3, ISO 3166-1 numeric',
  accepts: (value) => DIGITS_3.test(value) && isISO31661Numeric(value),
  message: 'must be an ISO 3166-1 numeric country code',
  schema: { type: 'string', pattern: '^[0-9]{3}$' },
  schemaIsWider: 'ISO 3166-1 has more codes than can be repeated at each parameter',
  accepted: '276',
  refused: '999',
  parse: same,
};
const DIGITS_3 = /^[0-9]{3}$/;

/** Whether ISO 3166-1 has a code of two upper-case letters. */
export function isCountry(code: string): boolean {
  return country2.accepts(code);
}

/** An alpha-2 or a numeric country code. */
export const countryLettersOrNumber: Format = {
  text: 'A2 letters or N3 digits',
  accepts: (value) => country2.accepts(value) || countryNumber.accepts(value),
  message: 'must be an ISO 3166-1 alpha-2 or numeric country code',
  schema: { type: 'string', pattern: '^(?:[A-Z]{2}|[0-9]{3})$' },
  schemaIsWider: 'ISO 3166-1 has more codes than can be repeated at each parameter',
  accepted: '276',
  refused: 'Germany',
  parse: same,
};

const IBAN = /^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,27}$/;

/** An IBAN in electronic form, with the length of its country and right check digits. */
export const iban: Format = {
  text: 'AN31: 2 letters, 2 digits, 11-27 alphanumerics',
  accepts: (value) => IBAN.test(value) && isRegisteredIban(value),
  message:
    'must be an IBAN without spaces, of the length of its country and with valid check digits',
  schema: { type: 'string', pattern: IBAN.source },
  schemaIsWider: 'an IBAN has check digits, and a length that follows its country',
  accepted: 'DE23100000001234567890',
  refused: 'DE24100000001234567890',
  parse: same,
};

/**
 * Of a country that has IBANs, in that country's form. Check digits that a country has inside its own
 * account numbers stay the bank's matter: the interface asks for those of the IBAN alone.
 */
function isRegisteredIban(value: string): boolean {
  const { errorCodes } = validateIBAN(value);
  return errorCodes.every((each) => each === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
}

const BIC = /^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/;

/** A BIC of a bank or branch: `MARKDEF1100`. */
export const bic: Format = {
  text: 'AN11, 8 or 11 alphanumerics',
  accepts: (value) => BIC.test(value) && isBIC(value),
  message: 'must be a BIC of 8 or 11 characters',
  schema: { type: 'string', pattern: BIC.source },
  schemaIsWider: 'a BIC holds a country of ISO 3166-1',
  accepted: 'MARKDEF1100',
  refused: 'MARKDEF11',
  parse: same,
};

/** BCP 47 (RFC 5646, 4.4.1) has tags of up to 35 characters: `zh-Hant-TW` has ten. */
const LANGUAGE_TAG_CHARACTERS_MAX = 35;

/**
 * A language and one to three extensions of it (RFC 5646, 2.2.2): `zh-cmn`, `zh-yue-HK`. JavaScript
 * knows no such extensions, because the extension alone names the same language.
 */
const EXTENDED_LANGUAGE = /^([a-z]{2,3})(?:-[a-z]{3}){1,3}(?=-|$)/i;

/**
 * A language tag as browsers give it, IETF BCP 47: `de-DE`; the private and the grandfathered tags of
 * that standard name no language. The interface writes a length of 8, and
 * browsers have longer ones; clients write the underscore of other standards as well: `en_US`.
 */
export const languageTag: Format = {
  text: 'len 1-8',
  accepts: (value) => value.length <= LANGUAGE_TAG_CHARACTERS_MAX && isLanguageTag(value),
  message: 'must be a language tag as browsers send it, such as en-GB (IETF BCP 47)',
  schema: {
    type: 'string',
    maxLength: LANGUAGE_TAG_CHARACTERS_MAX,
    pattern: '^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$',
  },
  schemaIsWider: 'subtags have an order and may not be there twice',
  accepted: 'de-DE',
  refused: 'de--DE',
  parse: same,
};

function isLanguageTag(value: string): boolean {
  try {
    const tag = value.replaceAll('_', '-').replace(EXTENDED_LANGUAGE, '$1');
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** An ISO 639-1 code as the interface writes it, upper case: `DE`. */
export const language2: Format = {
  ...pattern('^[A-Z]{2}$'),
  text: '2 uppercase letters',
  accepted: 'DE',
  refused: 'de',
};

/** A URL of the web, at most 2,048 characters: a picture or a page of an article. */
export const webUrl: Format = {
  text: 'valid URL',
  accepts: (value) => value.length <= 2048 && isURL(value, WEB_URL_OPTIONS),
  message: 'must be an http or https URL of at most 2048 characters',
  schema: {
    type: 'string',
    maxLength: 2048,
    pattern: String.raw`^[hH][tT][tT][pP][sS]?://\S+$`,
    format: 'uri',
  },
  schemaIsWider: 'the host of a URL has a grammar of its own',
  accepted: 'https://shop.example/article/1',
  refused: 'article/1',
  parse: same,
};
const WEB_URL_OPTIONS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  // Hosts of test systems have them, and browsers go there.
  allow_underscores: true,
};

/** Base64 text of some length: the cryptogram of a network token. */
export function base64(least: number, most: number): Format {
  return {
    text: `base64, len ${least}-${most}`,
    accepts: (value) => value.length >= least && value.length <= most && isBase64(value),
    message: `must be base64 of ${least} to ${most} characters`,
    schema: { type: 'string', minLength: least, maxLength: most, pattern: '^[A-Za-z0-9+/]+=*$' },
    accepted: `${'A'.repeat(least - 1)}=`,
    refused: '*'.repeat(least),
    parse: same,
  };
}
