import type { TextName } from './english.js';

/** The fields of an address, as their parameters and classes name them, in the order of the form. */
export const addressFields = [
  'street1',
  'street2',
  'postcode',
  'city',
  'state',
  'country',
] as const;
/** All that the form may ask of whoever is billed. */
export const billingFields = ['givenName', 'surname', ...addressFields, 'taxNumber'] as const;
/** One of them. */
export type BillingField = (typeof billingFields)[number];
/** One of an address. */
export type AddressField = (typeof addressFields)[number];
/** What is in them. */
export type BillingAddress = Readonly<Partial<Record<BillingField, string>>>;

/** The address that a form asks for. */
export interface AskedAddress {
  /** What stands there first. */
  readonly given: BillingAddress;
  /** Which fields must not be empty, as the shop says it; the others as it is usual. */
  readonly mandatory: Readonly<Partial<Record<AddressField, boolean>>>;
}

/** What a shop asks of whoever is billed, by its options. */
export interface AskedOfBilled {
  /** Undefined where no address is asked for. */
  readonly billingAddress: AskedAddress | undefined;
  readonly showTaxNumberField: boolean;
  /** Whether the card must be of whoever is billed, whose name is asked for therefore. */
  readonly forceCardHolderEqualsBillingName: boolean;
}

interface Rule {
  readonly parameter: string;
  /** Interface 2.9 and 2.10; where nothing is typed, it is no matter of length. */
  readonly charactersMin?: number;
  readonly charactersMax: number;
  readonly isUsuallyMandatory: boolean;
  readonly autoComplete: string;
  readonly error: TextName;
}

/** What an authentication by 3-D Secure needs of an address is usual: elsewhere there are no states. */
export const billingRules: Readonly<Record<BillingField, Rule>> = {
  givenName: {
    ...{ parameter: 'customer.givenName', charactersMax: 50, isUsuallyMandatory: true },
    ...{ autoComplete: 'billing given-name', error: 'givenNameError' },
  },
  surname: {
    ...{ parameter: 'customer.surname', charactersMax: 50, isUsuallyMandatory: true },
    ...{ autoComplete: 'billing family-name', error: 'surnameError' },
  },
  street1: {
    ...{ parameter: 'billing.street1', charactersMax: 100, isUsuallyMandatory: true },
    ...{ autoComplete: 'billing address-line1', error: 'street1Error' },
  },
  street2: {
    ...{ parameter: 'billing.street2', charactersMax: 100, isUsuallyMandatory: false },
    ...{ autoComplete: 'billing address-line2', error: 'street1Error' },
  },
  postcode: {
    ...{ parameter: 'billing.postcode', charactersMax: 16, isUsuallyMandatory: true },
    ...{ autoComplete: 'billing postal-code', error: 'postcodeError' },
  },
  city: {
    ...{ parameter: 'billing.city', charactersMax: 80, isUsuallyMandatory: true },
    ...{ autoComplete: 'billing address-level2', error: 'cityError' },
  },
  state: {
    ...{ parameter: 'billing.state', charactersMax: 50, isUsuallyMandatory: false },
    ...{ autoComplete: 'billing address-level1', error: 'stateError' },
  },
  country: {
    ...{ parameter: 'billing.country', charactersMax: 2, isUsuallyMandatory: true },
    ...{ autoComplete: 'billing country', error: 'countryError' },
  },
  taxNumber: {
    ...{ parameter: 'customer.identificationDocId', charactersMin: 8, charactersMax: 64 },
    ...{ isUsuallyMandatory: false, autoComplete: 'off', error: 'taxNumberError' },
  },
};

/** What says of a tax number that it is one. */
export const TAX_NUMBER_TYPE = ['customer.identificationDocType', 'TAXSTATEMENT'] as const;

/** Whether a field is one of an address. */
export function isAddressField(name: string): name is AddressField {
  return (addressFields as readonly string[]).includes(name);
}

/** The fields that a form has, in their order. */
export function shownFields(asked: AskedOfBilled): readonly BillingField[] {
  return billingFields.filter((field) => {
    if (isAddressField(field)) return asked.billingAddress !== undefined;
    return field === 'taxNumber'
      ? asked.showTaxNumberField
      : asked.forceCardHolderEqualsBillingName;
  });
}

/** Whether a field must not be empty. */
export function isMandatory(field: BillingField, { billingAddress }: AskedOfBilled): boolean {
  const said = isAddressField(field) ? billingAddress?.mandatory[field] : undefined;
  return said ?? billingRules[field].isUsuallyMandatory;
}

/** The fields that are empty and must not be, or have too little in them, in their order. */
export function wrongFields(values: BillingAddress, asked: AskedOfBilled): readonly BillingField[] {
  return shownFields(asked).filter((field) => {
    const { length } = (values[field] ?? '').trim();
    if (length === 0) return isMandatory(field, asked);
    return length < (billingRules[field].charactersMin ?? 0);
  });
}

/** Whether a name on a card is that of whoever is billed, as cards write it: `JOSE GARCIA`. */
export function isBilledName(
  holder: string,
  { givenName = '', surname = '' }: BillingAddress,
): boolean {
  return asOnCards(holder) === asOnCards(`${givenName} ${surname}`);
}

function asOnCards(name: string): string {
  const letters = name.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return letters.trim().replaceAll(/\s+/g, ' ').toUpperCase();
}

/** The fields that parameters are typed in. */
export function billingFieldsOf(names: readonly string[]): readonly BillingField[] {
  return billingFields.filter((field) => names.includes(billingRules[field].parameter));
}
