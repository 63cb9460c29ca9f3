import type { TextName } from './english.js';

/** The fields of an address, as their parameters and classes name them, in the order of the form. */
export const billingFields = [
  'street1',
  'street2',
  'postcode',
  'city',
  'state',
  'country',
] as const;
/** One of them. */
export type BillingField = (typeof billingFields)[number];
/** What is in them. */
export type BillingAddress = Readonly<Partial<Record<BillingField, string>>>;

/** The address that a form asks for. */
export interface AskedAddress {
  /** What stands there first. */
  readonly given: BillingAddress;
  /** Which fields must not be empty, as the shop says it; the others as it is usual. */
  readonly mandatory: Readonly<Partial<Record<BillingField, boolean>>>;
}

interface Rule {
  /** Interface 2.10. */
  readonly charactersMax: number;
  readonly isUsuallyMandatory: boolean;
  readonly autoComplete: string;
  readonly error: TextName;
}

/** What an authentication by 3-D Secure needs of an address is usual: elsewhere there are no states. */
export const billingRules: Readonly<Record<BillingField, Rule>> = {
  street1: {
    ...{ charactersMax: 100, isUsuallyMandatory: true, autoComplete: 'billing address-line1' },
    error: 'street1Error',
  },
  street2: {
    ...{ charactersMax: 100, isUsuallyMandatory: false, autoComplete: 'billing address-line2' },
    error: 'street1Error',
  },
  postcode: {
    ...{ charactersMax: 16, isUsuallyMandatory: true, autoComplete: 'billing postal-code' },
    error: 'postcodeError',
  },
  city: {
    ...{ charactersMax: 80, isUsuallyMandatory: true, autoComplete: 'billing address-level2' },
    error: 'cityError',
  },
  state: {
    ...{ charactersMax: 50, isUsuallyMandatory: false, autoComplete: 'billing address-level1' },
    error: 'stateError',
  },
  country: {
    ...{ charactersMax: 2, isUsuallyMandatory: true, autoComplete: 'billing country' },
    error: 'countryError',
  },
};

/** Whether a field is one of an address. */
export function isBillingField(name: string): name is BillingField {
  return (billingFields as readonly string[]).includes(name);
}

/** Whether a field must not be empty. */
export function isMandatory(field: BillingField, { mandatory }: AskedAddress): boolean {
  return mandatory[field] ?? billingRules[field].isUsuallyMandatory;
}

/** The fields that are empty and must not be, in their order; none where no address is asked for. */
export function missingFields(
  address: BillingAddress,
  asked: AskedAddress | undefined,
): readonly BillingField[] {
  if (asked === undefined) return [];
  return billingFields.filter(
    (field) => isMandatory(field, asked) && (address[field] ?? '').trim() === '',
  );
}

/** The fields that parameters are typed in. */
export function billingFieldsOf(names: readonly string[]): readonly BillingField[] {
  return billingFields.filter((field) => names.includes(`billing.${field}`));
}
