import { type BillingAddress, type BillingField, isBilledName } from './billing-address.js';
import { expiryFault } from './expiry.js';
import type { TextName } from './english.js';
import type { Options } from './options.js';
import type { FieldName } from './sent-answer.js';
import { notSent, type SubmissionState } from './submission-state.js';

/** What is known of a field in a frame. */
export interface FramedField {
  readonly isEmpty: boolean;
  readonly isValid: boolean;
}

/** What a card form shows. */
export interface CardFormState extends SubmissionState {
  readonly brand: string;
  readonly number: FramedField;
  readonly code: FramedField;
  readonly expiry: string;
  readonly holder: string;
  readonly billing: BillingAddress;
  /** The fields of the address with something wrong in them. */
  readonly wrongBilling: readonly BillingField[];
  /** What is wrong, by field. */
  readonly faults: Faults;
  /** Whether the shopper looks at what is paid before it is sent. */
  readonly isSummary: boolean;
  /** Of those in frames, the one that is typed into. */
  readonly focused: FieldName | undefined;
}

/** The text that says what is wrong, by field. */
export type Faults = Readonly<Partial<Record<FieldName, TextName>>>;

const untouched: FramedField = { isEmpty: true, isValid: false };

/** As it is shown first. */
export function initialState(brand: string, billing: BillingAddress = {}): CardFormState {
  return {
    ...{ brand, number: untouched, code: untouched, expiry: '', holder: '' },
    ...{ ...notSent, billing, wrongBilling: [], faults: {}, focused: undefined },
    isSummary: false,
  };
}

/** By what a form is judged. */
export interface Judge {
  readonly options: Pick<
    Options,
    | 'requireCvv'
    | 'allowEmptyCvv'
    | 'allowEmptyCardHolderName'
    | 'disableCardExpiryDateValidation'
    | 'forceCardHolderEqualsBillingName'
  >;
  readonly nowMs: number;
}

/** In the order in which they stand in the form. */
export const fieldNames = ['brand', 'cardNumber', 'expiry', 'cardHolder', 'cvv'] as const;

/** What is wrong with one field; undefined where nothing is. */
export function faultOf(
  field: FieldName,
  state: CardFormState,
  { options, nowMs }: Judge,
): TextName | undefined {
  switch (field) {
    case 'brand':
      return state.brand === '' ? 'brandError' : undefined;
    case 'cardNumber':
      return state.number.isValid ? undefined : 'cardNumberError';
    case 'expiry': {
      const fault = expiryFault(
        state.expiry,
        options.disableCardExpiryDateValidation ? undefined : nowMs,
      );
      if (fault === undefined) return undefined;
      return fault === 'month' ? 'expiryMonthError' : 'expiryYearError';
    }
    case 'cardHolder':
      if (!isHolder(state.holder, options.allowEmptyCardHolderName)) return 'cardHolderError';
      return options.forceCardHolderEqualsBillingName && isOfAnother(state)
        ? 'otherName'
        : undefined;
    case 'cvv': {
      if (!options.requireCvv) return undefined;
      const { isEmpty, isValid } = state.code;
      return isEmpty
        ? options.allowEmptyCvv
          ? undefined
          : 'cvvError'
        : isValid
          ? undefined
          : 'cvvError';
    }
  }
}

/** A name that is not typed yet is another fault. */
function isOfAnother({ holder, billing }: CardFormState): boolean {
  const { givenName = '', surname = '' } = billing;
  return givenName !== '' && surname !== '' && !isBilledName(holder, billing);
}

/** What is wrong with all of it. */
export function faultsOf(state: CardFormState, judge: Judge): Faults {
  const found = fieldNames.flatMap((field) => {
    const fault = faultOf(field, state, judge);
    return fault === undefined ? [] : [[field, fault] as const];
  });
  return Object.fromEntries(found);
}

/** The faults with that of one field as it is now. */
export function withFault(faults: Faults, field: FieldName, fault: TextName | undefined): Faults {
  const others = Object.entries(faults).filter(([name]) => name !== field);
  return Object.fromEntries(fault === undefined ? others : [...others, [field, fault]]);
}

/** The text for a field that the gateway refuses. */
export const refusedField: Readonly<Record<FieldName, TextName>> = {
  brand: 'brandError',
  cardNumber: 'cardNumberError',
  expiry: 'expiryMonthError',
  cardHolder: 'cardHolderError',
  cvv: 'cvvError',
};

const HOLDER_MIN = 3;
const HOLDER_MAX = 128;

/** Interface 2.4; a number of a card is no name. */
function isHolder(text: string, mayBeEmpty: boolean): boolean {
  const name = text.trim();
  if (name === '') return mayBeEmpty;
  return name.length >= HOLDER_MIN && name.length <= HOLDER_MAX && !/[0-9]{8}/.test(name);
}
