import type { TextName, Texts } from './english.js';
import type { Language } from './languages.js';
import type { PostedField } from './posted-fields.js';
import type { Purpose } from './result-address.js';

/** The forms that are loaded where a page has a brand of theirs, as their classes name them. */
export type AccountFormName = 'directDebit' | 'virtualAccount' | 'onlineTransfer';

/** Each has a text of this name, and one with `Error` behind it for what is wrong with it. */
export type AccountFieldName =
  | 'accountHolder'
  | 'accountIban'
  | 'accountBic'
  | 'accountNumber'
  | 'bankCode'
  | 'country'
  | 'accountId'
  | 'mobilePhone';

/** A way in which a provider asks its customer; each has a text of this name. */
export type AccountMode = 'qrcode' | 'mobile';

/** What was typed, by field. */
export type AccountValues = Readonly<Partial<Record<AccountFieldName, string>>>;

/** One field of a form that says which account is paid from. */
export interface AccountField {
  readonly name: AccountFieldName;
  /** By which names the gateway refuses it; the input has the first of them. */
  readonly parameters: readonly [string, ...string[]];
  readonly isWrong: (values: AccountValues) => boolean;
  readonly autoComplete: string;
  /** Which keys a phone shows; absent: those of texts. */
  readonly inputMode?: 'tel';
  /** Of a field that only this mode has. */
  readonly mode?: AccountMode;
  /** For codes, which go from left to right in every language: what stands there once this is typed. */
  readonly shown?: (typed: string) => string;
  /** Between what the shopper chooses, where nothing is typed. */
  readonly choices?: readonly Choice[];
}

/** What may be chosen. */
export interface Choice {
  readonly value: string;
  readonly title: string;
}

/** What a form is for. */
export interface AccountOf {
  readonly brand: string;
  readonly purpose: Purpose;
  readonly language: Language;
}

/** What is another thing in each of these forms. */
export interface AccountFormKind {
  readonly titleOf: (of: AccountOf, texts: Texts) => string;
  readonly fieldsOf: (of: AccountOf) => readonly AccountField[];
  /** Between which modes the shopper chooses, the usual one first; none where there is one way. */
  readonly modesOf?: (of: AccountOf) => readonly AccountMode[];
  /** What is sent of that, beside the brand. */
  readonly posted: (
    values: AccountValues,
    of: AccountOf,
    mode?: AccountMode,
  ) => readonly PostedField[];
  /** What the shopper agrees to. */
  readonly agreementOf: (of: AccountOf) => readonly TextName[];
  /** Whether the shopper goes on elsewhere to pay. */
  readonly isElsewhere: boolean;
}
