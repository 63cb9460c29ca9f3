import { walletBrands, type WalletName } from '@sluice/contracts';
import { exponentOf, isCurrency, isWithdrawn } from '@sluice/money';
import { isAccountOf } from './account-in-iban.js';
import { bankMethodOf } from './bank-methods.js';
import { REGISTRATION_ID } from './conditions.js';
import type { Form } from './form.js';
import { collectingReferences } from './kinds.js';
import type { Conflict } from './parameter.js';
import { webUrl } from './registered-formats.js';
import { furtherAuthorizations } from './standing-instruction.js';

/** Digits of any script. */
const NO_LETTER = /^[\p{Nd}\s]+$/u;

/** What must not come together at the two lines of one billing address. */
export interface StreetConflicts {
  readonly first: Conflict;
  readonly second: Conflict;
}

/**
 * Interface 2.10: the two lines of a street together are not digits only. It is said of the first, or
 * of the second where that came alone; with a house number of its own the second is ignored.
 */
export function streetOfDigits(address: 'billing' | 'merchant.billing'): StreetConflicts {
  const [street1, street2] = [`${address}.street1`, `${address}.street2`];
  const houseNumber = `${address}.houseNumber1`;
  const keys = [street1, street2, houseNumber];
  const isOfDigits = (form: Form): boolean => {
    const second = form.has(houseNumber) ? '' : (form.get(street2) ?? '');
    return NO_LETTER.test((form.get(street1) ?? '') + second);
  };
  return {
    first: {
      message: `must not be digits only together with ${street2}`,
      rule: `It or \`${street2}\` must have more than digits; where \`${houseNumber}\` is sent, it itself.`,
      keys,
      holds: isOfDigits,
    },
    second: {
      message: `must not be digits only without ${street1}`,
      rule: `Without \`${street1}\` it must not be digits only, unless \`${houseNumber}\` is sent.`,
      keys,
      holds: (form) => !form.has(street1) && isOfDigits(form),
    },
  };
}

const OLDER_THAN_2_2 = /^(?:1\.|2\.[01]\.)/;

/** Interface 2.17: what 3-D Secure knows from version 2.2 on does not come with an older one. */
export const sinceVersion22: Conflict = {
  message: 'needs a threeDSecure.version of 2.2 or higher',
  rule: 'Refused with a `threeDSecure.version` before 2.2.',
  keys: ['threeDSecure.version'],
  // There the version is what becomes of it.
  exceptIn: ['threeDSecure'],
  holds: (form) => OLDER_THAN_2_2.test(form.get('threeDSecure.version') ?? ''),
};

const CHANNEL = 'threeDSecure.channel';
/** EMV 3-D Secure: the shopper is in an app (01), or in a browser (02). */
const WITH_SHOPPER = /^0?[12]$/;

/** Interface 2.17: "only to indicate a merchant-initiated 3RI request", where nobody is asked. */
export const channelOfShopper: Conflict = {
  message:
    'is only of an authentication that the merchant begins without the shopper (3RI, 03): 01 and 02 are an app and a browser, which nobody has to name',
  rule: 'Refused with 1 and 2, an app and a browser: where the shopper is there it is not sent.',
  keys: [CHANNEL],
  holds: (form) => WITH_SHOPPER.test(form.get(CHANNEL) ?? ''),
};

const PURPOSE = 'threeDSecure.authenticationInd';
const REASON = 'threeDSecure.threeRIInd';

/**
 * EMV 3-D Secure: of a shopper who is not there the issuer is told `threeRIInd` and no purpose beside it, and that
 * it is a payment where the merchant says nothing.
 */
export const purposeOfShopper: Conflict = {
  message: `is told to issuers of a shopper who is there: why a merchant begins an authentication without him (${CHANNEL}, ${REASON}) is ${REASON}, and nothing else is told of it`,
  rule: `Beside \`${CHANNEL}\` or \`${REASON}\` it is refused unless it says the same as the latter, or PAYMENT without that.`,
  keys: [PURPOSE, CHANNEL, REASON],
  holds: (form) => {
    if (!form.has(CHANNEL) && !form.has(REASON)) return false;
    const purpose = form.get(PURPOSE)?.replace(/^_/, '');
    return purpose !== (form.get(REASON) ?? 'PAYMENT');
  },
};

const SHOP = 'threeDSecure.merchant.url';

/** Interface 2.17: the issuer is told where the shop is, and what is no address cannot be told (EMV 3-D Secure). */
export const shopOfNoAddress: Conflict = {
  message: 'must be an http or https URL',
  rule: 'What is no http or https URL is refused: the issuer is told it.',
  keys: [SHOP],
  holds: (form) => {
    const address = form.get(SHOP) ?? '';
    return address !== '' && !webUrl.accepts(address);
  },
};

/** An amount that is more than a whole number: `1.50`, and not `1.00`. */
const WITH_FRACTION = /\.(?!0+$)/;

/**
 * Interface 2.17: the message to the issuer has the amount in the smallest unit of its currency, and in
 * that a fraction of a yen cannot be said. What is paid has a code of its own for that, 100.550.303
 * (D-37); all other amounts only inform (2.3), so a tax of 8.18 yen is nobody's error.
 */
export const fractionOfAuthentication: Conflict = {
  message: 'must not have a fraction, which its currency (threeDSecure.currency) does not have',
  rule: 'A fraction other than 0 is refused where `threeDSecure.currency` has none, as JPY.',
  keys: ['threeDSecure.amount', 'threeDSecure.currency'],
  holds: (form) => {
    const code = form.get('threeDSecure.currency') ?? '';
    const hasFraction = WITH_FRACTION.test(form.get('threeDSecure.amount') ?? '');
    return hasFraction && isCurrency(code) && exponentOf(code) === 0;
  },
};

/** They give back, or settle, what was paid before: CP, RV, RF, RC, CB, CR. */
const OF_OLDER_PAYMENTS: readonly (string | undefined)[] = ['CP', 'RV', 'RF', 'RC', 'CB', 'CR'];

/** A currency that ISO 4217 has withdrawn is there for older payments alone. */
export const currencyWithdrawn: Conflict = {
  message: 'is no longer in use; only older payments in it can be settled or given back',
  rule: 'No payment begins in a currency that ISO 4217 has withdrawn; older ones in it are settled and given back.',
  keys: ['currency', 'paymentType'],
  exceptIn: ['report'],
  holds: (form) =>
    isWithdrawn(form.get('currency') ?? '') && !OF_OLDER_PAYMENTS.includes(form.get('paymentType')),
};

/** Interface 2.16: what is overridden is the empty holder of the registration that is paid with. */
export const overridesNothing: Conflict = {
  message: `overrides the holder of a registration, and none is named (${REGISTRATION_ID})`,
  rule: 'Refused with true where no registration is paid with.',
  keys: ['overrideHolder', REGISTRATION_ID],
  // There the shopper may choose one.
  exceptIn: ['checkout'],
  holds: (form) => form.get('overrideHolder') === 'true' && !form.has(REGISTRATION_ID),
};

const IBAN = 'bankAccount.iban';

/** Interface 2.7: one account, whose number is in its IBAN. */
export const numberOfOtherAccount: Conflict = {
  message: `contradicts ${IBAN}, which is of an account with another number`,
  rule: `Beside \`${IBAN}\` it must be the number of that account.`,
  keys: [IBAN, 'bankAccount.number'],
  holds: (form) => {
    const [iban, number] = [form.get(IBAN), form.get('bankAccount.number')];
    return iban !== undefined && number !== undefined && !isAccountOf(iban, number);
  },
};

/** Interface 2.5: a payment is made with one wallet, the one that its brand names (D-69). */
export function otherThanBrand(wallet: WalletName): Conflict {
  const others = Object.values(walletBrands).filter((brand) => brand !== walletBrands[wallet]);
  return {
    message: 'contradicts paymentBrand, which is that of another wallet',
    rule: `Refused with the \`paymentBrand\` of another wallet, ${others.join(' or ')}.`,
    keys: ['paymentBrand'],
    holds: (form) => others.some((brand) => brand === form.get('paymentBrand')?.toUpperCase()),
  };
}

/** Said of `transactionDueDate` wherever no bank is asked to collect. */
export const OF_NO_DEBIT = 'is of direct debits: nothing else is collected on a day';

/**
 * Interface 2.7: the day is a direct debit's. A card is charged at once, and so is whoever orders at the
 * bank. What a registration is of, and what a capture is of, no request says.
 */
export const dueOfNoDebit: Conflict = {
  message: OF_NO_DEBIT,
  rule: 'Refused beside `card.number`, of an order at the bank, and of a registration, or a payment that is captured, of anything but a bank account.',
  keys: ['paymentBrand', 'card.number'],
  // The shopper may choose a direct debit.
  exceptIn: ['checkout', ...collectingReferences],
  holds: (form) => {
    const method = bankMethodOf(form.get('paymentBrand') ?? '');
    return method === undefined ? form.has('card.number') : method.paymentMethod !== 'DD';
  },
};

/** Interface 2.18: the first payment is one of them, so no agreement has none. */
export const noInstallments: Conflict = {
  message: 'must be at least 1',
  rule: 'Zero is refused: the payment that says it is one of them.',
  keys: ['standingInstruction.numberOfInstallments'],
  holds: (form) => /^0+$/.test(form.get('standingInstruction.numberOfInstallments') ?? ''),
};

const PRACTICE = 'standingInstruction.industryPractice';

/**
 * Interface 2.3, D-66: who asks for more of an authorization says of which. Anything else would be
 * charged as a payment of its own beside that.
 */
export const furtherOfNothing: Conflict = {
  message: 'needs PA with referenceUuid, or PA on the payment itself',
  rule: 'INCREMENTAL_AUTH and REAUTHORIZATION are of PA with `referenceUuid`, or of PA on the payment itself; anything else that says one is refused.',
  keys: [PRACTICE],
  // These are what is meant, and an authentication only tells the issuer what is to come.
  exceptIn: ['incrementalAuthorization', 'reauthorization', 'threeDSecure'],
  holds: (form) => furtherAuthorizations.has(form.get(PRACTICE) ?? ''),
};
