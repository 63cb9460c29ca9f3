import {
  standingInstructions,
  walletBrands,
  type WalletName,
  walletNames,
} from '@sluice/contracts';
import { detectedBrand } from './brands.js';
import { type BankDetail, bankMethodOf, brandDemands, brandsThatDemand } from './bank-methods.js';
import type { Form } from './form.js';
import { type Condition, type Requirement, sent, when } from './parameter.js';
import { INITIATING, isInitiatedByMerchant, PRACTICE, saidSource } from './standing-instruction.js';
import { isVirtualAccountBrand } from './virtual-account-brands.js';

/** Interface 2.3: `paymentBrand` is optional only when the brand can be detected. */
export const brandNotDetectable: Condition = {
  text: 'no brand is known for `card.number`',
  keys: ['card.number'],
  holds: (form) => {
    const number = form.get('card.number');
    return number !== undefined && detectedBrand(number) === undefined;
  },
};

/** The rest says whom a gift card is for, which may be what is bought. */
const GIFT_CARD = ['giftCard.number', 'giftCard.pin'] as const;
const WALLETS = ['applePay.', 'googlePay.', 'samsungPay.', 'clickToPay.'] as const;

/**
 * The structures of interface 2.5 to 2.8 that requests for any account take, one of which is used in
 * place of the card (D-50). What a request ignores does in place of nothing.
 */
const OTHER_ACCOUNTS = {
  registration: [...WALLETS, 'virtualAccount.', 'bankAccount.', 'tokenAccount.', ...GIFT_CARD],
  widgetPayment: [...WALLETS, 'virtualAccount.', 'bankAccount.'],
  risk: ['virtualAccount.', 'bankAccount.'],
} as const;

/** The kinds of request that any account can be sent with. */
type KindOfAnyAccount = keyof typeof OTHER_ACCOUNTS;

function usesOtherAccount(form: Form, kind: KindOfAnyAccount): boolean {
  if (someName(form, 'card.')) return false;
  const isOfProvider = isVirtualAccountBrand(form.get('paymentBrand') ?? '');
  return isOfProvider || OTHER_ACCOUNTS[kind].some((prefix) => someName(form, prefix));
}

/** A card is what is used: it is there, or nothing that would do in its place (D-50). */
export function cardIsUsedIn(kind: KindOfAnyAccount): Condition {
  return {
    text: 'no other account is sent in its place, nor the `paymentBrand` of a provider',
    keys: ['paymentBrand'],
    holds: (form) => !usesOtherAccount(form, kind),
  };
}

/** Names a stored account; in the interface family's clients, not in the interface (D-38). */
export const REGISTRATION_ID = 'registrationId';

/** D-50: a registration does in place of a card, unless a card is sent all the same. */
export const noRegistrationIsUsed: Condition = {
  text: `no \`${REGISTRATION_ID}\` is sent in its place`,
  keys: [REGISTRATION_ID, 'card.number'],
  holds: (form) => !form.has(REGISTRATION_ID) || form.has('card.number'),
};

/** Interface 2.3: the brand of what is no card is never detected, that of a card sometimes not. */
export function brandUnknownIn(kind: KindOfAnyAccount): Condition {
  return {
    text: `${brandNotDetectable.text}, or another account than a card is used`,
    keys: brandNotDetectable.keys,
    holds: (form) => usesOtherAccount(form, kind) || brandNotDetectable.holds(form),
  };
}

/** Both hold. */
export function both(one: Condition, other: Condition): Condition {
  // Without the brackets "A or B and C" reads as A, or else both of B and C.
  const inBrackets = ({ text }: Condition): string => (text.includes(' or ') ? `(${text})` : text);
  return {
    text: `${inBrackets(one)} and ${inBrackets(other)}`,
    keys: [...one.keys, ...other.keys],
    holds: (form) => one.holds(form) && other.holds(form),
  };
}

/** None of the others was sent, one of which would do instead. */
export function unless(...keys: readonly string[]): Condition {
  return {
    text: `${keys.map((key) => `\`${key}\``).join(' and ')} ${keys.length > 1 ? 'are' : 'is'} absent`,
    keys,
    holds: (form) => keys.every((key) => !form.has(key)),
  };
}

/** Required where `condition` holds and the other was not sent, which would do in its place. */
export function insteadOf(other: string, condition: Condition): Requirement {
  return { ...when(both(condition, unless(other))), orElse: other };
}

/**
 * Interface 2.7, D-50: an account is used where something of it is told. Its country alone is for
 * methods by which the shopper names the account at the bank (wire contract 7).
 */
function isBankAccountTold(form: Form): boolean {
  return someName(form, 'bankAccount.', (name) => name !== 'bankAccount.country');
}

const TOLD = 'another `bankAccount.*` than `bankAccount.country` is sent';
const KEYS_OF_BANK_DETAILS = ['bankAccount.country', 'paymentBrand'] as const;

/** The brands of the table of methods; those with a star begin so. */
function brandsInWords(detail: BankDetail): string {
  return brandsThatDemand(detail)
    .map((brand) => `\`${brand}\``)
    .join(' or ');
}

const NOT_AT_THE_BANK =
  '`paymentBrand` is none by which the shopper names it at the bank (see `bankAccount.country`)';

/** By its brand; of a brand that is no bank method, where something of an account is told. */
export function bankDetailIsDemanded(detail: BankDetail): Condition {
  return {
    text: `\`paymentBrand\` is ${brandsInWords(detail)}, or ${TOLD} and ${NOT_AT_THE_BANK}`,
    keys: KEYS_OF_BANK_DETAILS,
    holds: (form) => brandDemands(form.get('paymentBrand'), detail) ?? isBankAccountTold(form),
  };
}

/** The same of requests for any account, which may be another one than the brand is paid with. */
export function bankDetailIsDemandedIfTold(detail: BankDetail): Condition {
  return {
    text: `${TOLD} and ${NOT_AT_THE_BANK}`,
    keys: KEYS_OF_BANK_DETAILS,
    holds: (form) =>
      isBankAccountTold(form) && (brandDemands(form.get('paymentBrand'), detail) ?? true),
  };
}

const MANDATE = 'bankAccount.mandate.';

/**
 * The same of a checkout, whose merchant may say under which mandate a debit is: the account is for the
 * shopper to tell.
 */
export function bankDetailIsDemandedInCheckout(detail: BankDetail): Condition {
  return {
    text: `another \`bankAccount.*\` than \`bankAccount.country\` and \`${MANDATE}*\` is sent and ${NOT_AT_THE_BANK}`,
    keys: KEYS_OF_BANK_DETAILS,
    holds: (form) =>
      someName(
        form,
        'bankAccount.',
        (name) => name !== 'bankAccount.country' && !name.startsWith(MANDATE),
      ) &&
      (brandDemands(form.get('paymentBrand'), detail) ?? true),
  };
}

/** Names the account at a provider (Interface 2.6); a shopper may log in there without it. */
export const ACCOUNT_AT_PROVIDER = 'virtualAccount.accountId';

/**
 * Whether a provider pays without asking the shopper: what the merchant initiates goes by the
 * agreement that the shopper has made about an account, which is named.
 */
export function goesByAgreement(form: Form): boolean {
  return form.has(ACCOUNT_AT_PROVIDER) && isInitiatedByMerchant(form);
}

/** Interface 2.18: whoever is paid by a shopper elsewhere says where the shopper comes back to. */
export const shopperPaysElsewhere: Condition = {
  text: '`paymentBrand` is one by which the shopper pays at a bank or provider, and `paymentType` is not CD',
  keys: ['paymentBrand', 'paymentType'],
  holds: (form) => {
    const brand = form.get('paymentBrand') ?? '';
    const isPaidElsewhere =
      isVirtualAccountBrand(brand) || bankMethodOf(brand)?.paymentMethod === 'OT';
    return isPaidElsewhere && form.get('paymentType') !== 'CD';
  },
};

/** The same of a provider, who may have to ask nobody. */
export const shopperPaysAtProvider: Condition = both(shopperPaysElsewhere, {
  text: `the merchant does not initiate it (\`standingInstruction.source\` MIT) from a \`${ACCOUNT_AT_PROVIDER}\``,
  keys: [ACCOUNT_AT_PROVIDER, ...INITIATING],
  holds: (form) => !goesByAgreement(form),
});

/** The same of an order at a bank: what the merchant initiates is refused, and an address mends nothing. */
export const shopperOrdersAtBank: Condition = both(shopperPaysElsewhere, {
  text: 'the merchant does not initiate it (`standingInstruction.source` MIT)',
  keys: INITIATING,
  holds: (form) => !isInitiatedByMerchant(form),
});

const OF_A_PAYMENT = ['paymentType', 'amount', 'currency'] as const;

/**
 * Wire contract 3: a checkout with `createRegistration` and nothing of a payment only registers;
 * with any of it, it pays as well and says all of it.
 */
export const checkoutThatPays: Condition = {
  text: 'the checkout pays: `createRegistration` is not true, or `paymentType`, `amount` or `currency` is sent',
  keys: ['createRegistration', ...OF_A_PAYMENT],
  holds: (form) =>
    form.get('createRegistration') !== 'true' || OF_A_PAYMENT.some((key) => form.has(key)),
};

/** A parameter of a structure was sent; `prefix` ends with its dot. */
export function anySent(prefix: string): Condition {
  return {
    text: `another \`${prefix}*\` is sent`,
    keys: [],
    holds: (form) => someName(form, prefix),
  };
}

/** What says nothing about a person, so that no name has to come with it (D-52). */
const NAMES_OF_NOBODY: ReadonlySet<string> = new Set([
  'customer.ip',
  'customer.merchantCustomerId',
]);
const OF_DEVICE = ['customer.browser.', 'customer.browserFingerprint.', 'customer.app.'] as const;

/** Interface 2.9: a customer has a name (D-52). */
export const customerIsNamed: Condition = {
  text: 'another `customer.*` is sent, other than ip, browser, fingerprint, app and merchantCustomerId',
  keys: [...NAMES_OF_NOBODY],
  holds: (form) => someName(form, 'customer.', goesWithName),
};

function goesWithName(name: string): boolean {
  return !NAMES_OF_NOBODY.has(name) && !OF_DEVICE.some((prefix) => name.startsWith(prefix));
}

/** Of the customer there is the e-mail address, and beside it nothing that goes with a name. */
export const nothingButEmailIsTold: Condition = {
  text: 'of `customer.*` that ask for a name, `customer.email` alone is sent',
  keys: ['customer.email'],
  holds: (form) =>
    !someName(form, 'customer.', (name) => name !== 'customer.email' && goesWithName(name)),
};

/**
 * What only the request of an authentication by version 2 has (Interface 2.17). Who the merchant is
 * (`threeDSecure.merchant.*`, `threeDSecure.v2.*`) is configured once and sent with everything.
 */
const OF_AUTHENTICATION = [
  'threeDSecure.authenticationInd',
  'threeDSecure.threeRIInd',
  'threeDSecure.channel',
  'threeDSecure.deviceInfo',
] as const;

/** What says of an authentication how it is to be; with `false` it says nothing. */
const WISHES_OF_AUTHENTICATION = ['threeDSecure.npa', 'threeDSecure.decoupled'] as const;

/** What an external server found out: any of it says that the shopper has been authenticated there. */
const FOUND_OUT_ELSEWHERE = [
  'threeDSecure.eci',
  'threeDSecure.verificationId',
  'threeDSecure.dsTransactionId',
] as const;

/** Whether an external server has authenticated the shopper (Interface 2.17). */
export function isAuthenticatedElsewhere(form: Form): boolean {
  return FOUND_OUT_ELSEWHERE.some((key) => form.has(key));
}

/**
 * Whether the parameters of an authentication by version 2 ask for one. `threeDSecure.disable`
 * bypasses it all, and with the values of an external server there is nothing left to ask, so
 * nothing is needed for it (Interface 2.17).
 */
export function asksForAuthentication(form: Form): boolean {
  return (
    form.get('threeDSecure.disable') !== 'true' &&
    !isAuthenticatedElsewhere(form) &&
    parameterOfAuthentication(form) !== undefined
  );
}

/** The first parameter that asks for an authentication by version 2, whatever stands beside it. */
export function parameterOfAuthentication(form: Form): string | undefined {
  return (
    OF_AUTHENTICATION.find((key) => form.has(key)) ??
    WISHES_OF_AUTHENTICATION.find((key) => form.get(key) === 'true')
  );
}

/** Interface 2.10: an authentication by 3-D Secure 2 needs the address. */
export const addressOfThreeDSecure: Condition = {
  text: 'the request asks for an authentication by 3-D Secure version 2 and brings none of an external server',
  keys: [
    ...[...OF_AUTHENTICATION, ...WISHES_OF_AUTHENTICATION, ...FOUND_OUT_ELSEWHERE],
    'threeDSecure.disable',
  ],
  holds: asksForAuthentication,
};

/** An app, and a merchant who authenticates by itself (3RI), have no browser. */
const WITHOUT_BROWSER = [
  'threeDSecure.deviceInfo',
  'threeDSecure.channel',
  'threeDSecure.threeRIInd',
] as const;

/** Interface 2.9: and what is known of the browser, where there is one. */
export const browserOfThreeDSecure: Condition = {
  text: `${addressOfThreeDSecure.text}, not from an app (\`threeDSecure.deviceInfo\`) nor begun by the merchant (\`threeDSecure.channel\`, \`threeDSecure.threeRIInd\`)`,
  keys: addressOfThreeDSecure.keys,
  holds: (form) => !WITHOUT_BROWSER.some((key) => form.has(key)) && asksForAuthentication(form),
};

/** The same of a request for nothing but an authentication, which has to ask for no more. */
export const browserOfAuthentication: Condition = {
  text: 'the authentication is not from an app (`threeDSecure.deviceInfo`) nor begun by the merchant (`threeDSecure.channel`, `threeDSecure.threeRIInd`)',
  keys: WITHOUT_BROWSER,
  holds: (form) => !WITHOUT_BROWSER.some((key) => form.has(key)),
};

/** Interface 2.18: installments are what has been agreed. */
export const installmentsAgreed: Condition = {
  text: '`standingInstruction.type` is INSTALLMENT',
  keys: ['standingInstruction.type'],
  holds: (form) => form.get('standingInstruction.type') === 'INSTALLMENT',
};

const BY_MERCHANT = 'standingInstruction.source';
const WHICH_OF_AGREEMENT = 'standingInstruction.mode';

/**
 * Interface 2.18: what the merchant initiates names the first payment (the table of standing
 * instructions, page 0049). A registration knows its own, and a credit pays out. What says that
 * it is the first one and a MIT contradicts itself, which a name would not mend: it is refused for that.
 */
export const initiatedByMerchant: Condition = {
  text: `\`${BY_MERCHANT}\` is MIT, or \`${PRACTICE}\` says so, \`${WHICH_OF_AGREEMENT}\` is not INITIAL, \`paymentType\` is not CD, and ${unless(REGISTRATION_ID).text}`,
  keys: [BY_MERCHANT, PRACTICE, WHICH_OF_AGREEMENT, 'paymentType', REGISTRATION_ID],
  holds: (form) =>
    mustNameFirst(saidSource(form)) &&
    form.get(WHICH_OF_AGREEMENT) !== 'INITIAL' &&
    form.get('paymentType') !== 'CD' &&
    unless(REGISTRATION_ID).holds(form),
};

function mustNameFirst(source: string | undefined): boolean {
  const { REPEATED } = standingInstructions;
  const rule = source === 'MIT' || source === 'CIT' ? REPEATED[source] : 'impossible';
  return rule !== 'impossible' && rule.demands.length > 0;
}

/** Interface 2.18: the issuer is told how many installments there may be. */
export const installmentsOfThreeDSecure: Condition = {
  text: `${addressOfThreeDSecure.text} and ${installmentsAgreed.text}`,
  keys: [...addressOfThreeDSecure.keys, ...installmentsAgreed.keys],
  holds: (form) => installmentsAgreed.holds(form) && asksForAuthentication(form),
};

/** Requestor authentication indicators 02 and 03 (Interface 2.17). */
const AGREEMENTS: ReadonlySet<string | undefined> = new Set(['RECURRING', 'INSTALLMENT']);

/**
 * Interface 2.17: the national scheme wants the use case of a payment (PA), and of an
 * authentication without one (NPA) that begins an agreement. That scheme is meant where its data
 * or its brand is sent.
 */
export const nationalSchemeOfAuthentication: Condition = {
  text: 'data of the national scheme or its `paymentBrand` (CARTEBANCAIRE) is sent, and `threeDSecure.npa` is not true or `threeDSecure.authenticationInd` is RECURRING or INSTALLMENT',
  keys: ['threeDSecure.npa', 'threeDSecure.authenticationInd', 'paymentBrand'],
  holds: (form) =>
    (form.get('paymentBrand') === 'CARTEBANCAIRE' ||
      someName(form, 'threeDSecure.schemeData[') ||
      someName(form, 'threeDSecure.v2.cartebancaire.')) &&
    (form.get('threeDSecure.npa') !== 'true' ||
      AGREEMENTS.has(form.get('threeDSecure.authenticationInd'))),
};

/** The same of a payment that asks for an authentication. */
export const useCaseOfNationalScheme: Condition = {
  text: `${addressOfThreeDSecure.text}, ${nationalSchemeOfAuthentication.text}`,
  keys: addressOfThreeDSecure.keys,
  holds: (form) => asksForAuthentication(form) && nationalSchemeOfAuthentication.holds(form),
};

/** Interface 2.5: a wallet is used by its token; decrypted, by its source and a card (D-50). */
export function walletTokenOf(wallet: string): Requirement {
  const source = `${wallet}.source`;
  const condition: Condition = {
    text: `another \`${wallet}.*\` is sent without \`${source}\` and without a card`,
    keys: [source, 'card.number'],
    holds: (form) => !form.has(source) && !form.has('card.number') && someName(form, `${wallet}.`),
  };
  return { ...when(condition), letter: 'R' };
}

/** The same of a shopper, who says nothing of where he paid: there a wallet is used by its token alone. */
export function shoppersTokenOf(wallet: string): Requirement {
  const condition: Condition = {
    text: `another \`${wallet}.*\` is sent without a card`,
    keys: ['card.number'],
    holds: (form) => !form.has('card.number') && someName(form, `${wallet}.`),
  };
  return { ...when(condition), letter: 'R' };
}

/** Interface 2.5: see `walletTokenOf`. A card is out of a wallet too where `paymentBrand` says so. */
export function walletSourceOf(wallet: WalletName): Requirement {
  const token = `${wallet}.paymentToken`;
  const condition: Condition = {
    text: `the card of the wallet is sent decrypted, without \`${token}\``,
    keys: [token, 'card.number', 'paymentBrand'],
    holds: (form) =>
      !form.has(token) &&
      sent('card.number').holds(form) &&
      (someName(form, `${wallet}.`) || isNamedAlone(form, wallet)),
  };
  return { ...when(condition), letter: 'R' };
}

/** Whether a form names a wallet as its brand, and says of no wallet where the shopper paid. */
function isNamedAlone(form: Form, wallet: WalletName): boolean {
  const brand = form.get('paymentBrand')?.toUpperCase();
  return brand === walletBrands[wallet] && !walletNames.some((name) => form.has(`${name}.source`));
}

/** Interface 2.3: Argentina, Bangladesh, Chile, Colombia, Egypt, India; alpha-3 as 2.13 has it. */
const PURPOSE_COUNTRIES: ReadonlySet<string | undefined> = new Set([
  ...['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'],
]);
/** Account funding, and original credits. */
const TRANSFERS: ReadonlySet<string | undefined> = new Set(['FUNDING', 'PAYMENT']);

/** Interface 2.3: transfers of money to some countries state their purpose. */
export const purposeOfTransfer: Condition = {
  text: '`transactionProcessingCode` is FUNDING or PAYMENT and `recipient.country` is ARG, BGD, CHL, COL, EGY or IND',
  keys: ['transactionProcessingCode', 'recipient.country'],
  holds: (form) =>
    TRANSFERS.has(form.get('transactionProcessingCode')) &&
    PURPOSE_COUNTRIES.has(form.get('recipient.country')),
};

/** Whether a name begins so and passes; only those of the prefix's structure are looked at. */
function someName(form: Form, prefix: string, test = (_: string): boolean => true): boolean {
  const structure = prefix.slice(0, prefix.indexOf('.'));
  return form.namesOf(structure).some((name) => name.startsWith(prefix) && test(name));
}
