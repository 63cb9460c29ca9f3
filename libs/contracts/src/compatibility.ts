/** Something that public clients of the interface family send although the interface forbids it. */
export interface CompatibilitySwitch {
  readonly name: string;
  /** What is accepted where it is on; a sentence, in Markdown. */
  readonly allows: string;
  /** Why clients do so; a sentence. */
  readonly reason: string;
  /** The first version that has it. */
  readonly since: string;
}

/**
 * Every switch there is (D-67). A node of the account tree turns one on or off for itself and all
 * below; unless a node says otherwise, all are off. What each one does to the catalogue is data of
 * `libs/parameters`.
 */
export const compatibilitySwitches = [
  {
    name: 'emailWithoutName',
    allows: '`customer.email` without `customer.givenName` and `customer.surname`.',
    reason: 'A shop has the address for its receipt before it asks for a name, or never asks.',
    since: '0.1.0',
  },
  {
    name: 'shortMerchantTransactionId',
    allows: '`merchantTransactionId` of 1 to 7 characters.',
    reason: 'Order numbers of small shops are short, such as 1042.',
    since: '0.1.0',
  },
  {
    name: 'ibanWithoutBic',
    allows: '`bankAccount.iban` without `bankAccount.bic` and `bankAccount.bankCode`.',
    reason: 'SEPA finds the bank by the IBAN alone, so forms no longer ask for the BIC.',
    since: '0.1.0',
  },
  {
    name: 'createRegistrationByDigit',
    allows: '`createRegistration` as `1`, which is true, and `0`, which is false.',
    reason: 'Checkboxes and some languages write their truth values so.',
    since: '0.1.0',
  },
  {
    name: 'challengeIndicatorByDigit',
    allows: '`threeDSecure.challengeIndicator` as `1` to `9`, which are `01` to `09`.',
    reason: 'Clients keep it as a number, which has lost its zero.',
    since: '0.1.0',
  },
  {
    name: 'limitBelow100',
    allows: '`limit` from 1.',
    reason: 'Whoever looks for one transaction does not want a hundred.',
    since: '0.1.0',
  },
  {
    name: 'shippingName',
    allows:
      '`shipping.givenName` and `shipping.surname`, which are `shipping.customer.givenName` and ' +
      '`shipping.customer.surname`.',
    reason: 'The middle name and the company of the recipient stand directly under `shipping`.',
    since: '0.1.0',
  },
  {
    name: 'customerIdentificationType',
    allows: '`customer.identificationType`, which is `customer.identificationDocType`.',
    reason: 'Clients made for an older version have the shorter name.',
    since: '0.1.0',
  },
  {
    name: 'threeDSecureFlow',
    allows:
      '`threeDSecure.flow`, `challenge` or `frictionless`, also in capitals; kept and returned.',
    reason: 'Clients that authenticated elsewhere send back the whole result, this field with it.',
    since: '0.1.0',
  },
  {
    name: 'virtualAccountPassword',
    allows: '`virtualAccount.password` beside `virtualAccount.accountId`; it is never kept.',
    reason: 'Some virtual accounts are opened by both.',
    since: '0.1.0',
  },
  {
    name: 'statusWithoutAccess',
    allows:
      '`GET /v1/checkouts/{id}/payment` and `…/registration` without credentials, for checkouts of the channel. ' +
      "Whoever has a checkout's id, as its shopper has, then reads all that its merchant would, and uses the status up.",
    reason: 'Older clients read the status by the id alone, which nobody can guess.',
    since: '0.1.0',
  },
] as const satisfies readonly CompatibilitySwitch[];

/** The name of a switch. */
export type CompatibilitySwitchName = (typeof compatibilitySwitches)[number]['name'];

/** The switches that are on for somebody. */
export type Compatibility = ReadonlySet<CompatibilitySwitchName>;

/** The interface to the letter: what everybody gets unless configured otherwise. */
export const strictly: Compatibility = new Set();

/** All of them, as in a sandbox that was started with `--lenient`. */
export const leniently: Compatibility = new Set(compatibilitySwitches.map(({ name }) => name));

/** What a node of the account tree says about switches: on, off, or nothing. */
export type SwitchSettings = Readonly<Partial<Record<CompatibilitySwitchName, boolean>>>;
