import type { Detail } from '@sluice/secrets';
import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';
import type { FileChecks } from './file-checks.js';
import { NAME_CHARACTERS_MAX, IDENTIFIER_CHARACTERS_MAX, sepaText } from './sepa-text.js';
import { branch, leaf, type XmlText } from './xml-text.js';

/*
 * Who pays and who is paid. An IBAN is in clear here and in the file that is made of it, and
 * nowhere else in this folder.
 */

/** A side of a payment, with its account. */
export interface SepaParty {
  readonly name: string;
  readonly iban: Detail;
  /** The bank's code; without one the banks find it by the IBAN, as they do within the EEA. */
  readonly bic?: string;
  /** Asked for where an account is outside of the EEA: in Switzerland or the United Kingdom. */
  readonly address?: SepaAddress;
}

/** An address in fields; one in lines is no longer taken since November 2026. */
export interface SepaAddress {
  readonly street?: string;
  readonly buildingNumber?: string;
  readonly postcode?: string;
  readonly city: string;
  /** ISO 3166, two letters. */
  readonly country: string;
}

/** The two sides of a payment, as their elements begin. */
export type Side = 'Cdtr' | 'Dbtr';

const BUILDING_AND_POSTCODE_CHARACTERS_MAX = 16;
const COUNTRY = /^[A-Z]{2}$/u;
const CREDITOR_ID = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/u;
/** A creditor identifier begins with its country, two check digits and a business code of three. */
const CREDITOR_CHECK_AT = 2;
const CREDITOR_BUSINESS_AT = 4;
const CREDITOR_NATIONAL_AT = 7;
/** Instead of the code of a bank that is not named. */
const NOT_PROVIDED = 'NOTPROVIDED';

/** The name of a side and, where it is known, its address. */
export function partyElement(
  checks: FileChecks,
  at: string,
  side: Side,
  { name, address }: SepaParty,
): XmlText {
  return branch(
    side,
    leaf('Nm', checks.name(`${at}.name`, name)),
    address && addressElement(checks, `${at}.address`, address),
  );
}

/** The account of a side. */
export function accountElement(
  checks: FileChecks,
  at: string,
  side: Side,
  party: SepaParty,
): XmlText {
  const iban = electronicFormatIBAN(party.iban.reveal()) ?? '';
  if (!isValidIBAN(iban) || !isSEPACountry(iban.slice(0, 2))) checks.note(`${at}.iban`, 'account');
  return branch(`${side}Acct`, branch('Id', leaf('IBAN', iban)));
}

/** The bank of a side. */
export function agentElement(
  checks: FileChecks,
  at: string,
  side: Side,
  { bic }: SepaParty,
): XmlText {
  if (bic !== undefined && !isValidBIC(bic)) checks.note(`${at}.bic`, 'bankCode');
  const named = bic === undefined ? branch('Othr', leaf('Id', NOT_PROVIDED)) : leaf('BICFI', bic);
  return branch(`${side}Agt`, branch('FinInstnId', named));
}

/** The identifier by which SEPA knows who collects, the same for all their mandates. */
export function creditorSchemeElement(checks: FileChecks, at: string, creditorId: string): XmlText {
  if (!isCreditorId(creditorId)) checks.note(at, 'creditorId');
  return branch(
    'CdtrSchmeId',
    branch(
      'Id',
      branch(
        'PrvtId',
        branch('Othr', leaf('Id', creditorId), branch('SchmeNm', leaf('Prtry', 'SEPA'))),
      ),
    ),
  );
}

/**
 * Whether the check digits of a creditor identifier are right: those of an IBAN, over all but the
 * business code, which its creditor chooses (EPC262-08).
 */
export function isCreditorId(text: string): boolean {
  if (!CREDITOR_ID.test(text) || text.length > IDENTIFIER_CHARACTERS_MAX) return false;
  const country = text.slice(0, CREDITOR_CHECK_AT);
  const check = text.slice(CREDITOR_CHECK_AT, CREDITOR_BUSINESS_AT);
  const digits = (text.slice(CREDITOR_NATIONAL_AT) + country).replace(/[A-Z]/gu, letterDigits);
  return BigInt(digits + check) % 97n === 1n;
}

/** A is 10, Z is 35. */
function letterDigits(letter: string): string {
  return parseInt(letter, 36).toString();
}

function addressElement(checks: FileChecks, at: string, address: SepaAddress): XmlText {
  const city = sepaText(address.city, IDENTIFIER_CHARACTERS_MAX);
  if (city === '' || !COUNTRY.test(address.country)) checks.note(at, 'address');
  return branch(
    'PstlAdr',
    optionalLeaf('StrtNm', address.street, NAME_CHARACTERS_MAX),
    optionalLeaf('BldgNb', address.buildingNumber, BUILDING_AND_POSTCODE_CHARACTERS_MAX),
    optionalLeaf('PstCd', address.postcode, BUILDING_AND_POSTCODE_CHARACTERS_MAX),
    leaf('TwnNm', city),
    leaf('Ctry', address.country),
  );
}

/** A text for people, or nothing where there is none. */
export function optionalLeaf(
  name: string,
  text: string | undefined,
  charactersMax: number,
): XmlText | undefined {
  const written = sepaText(text ?? '', charactersMax);
  return written === '' ? undefined : leaf(name, written);
}
