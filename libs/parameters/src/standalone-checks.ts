import type { Mode } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import { authenticationFault } from './asked-authentication.js';
import { brandNamed } from './brands.js';
import { REGISTRATION_ID } from './conditions.js';
import type { Form } from './form.js';
import { INSTALLMENTS, isInInstallments } from './installments.js';
import { GIFT_CARD_ACCOUNT } from './instruments/gift-card.js';
import { instrumentForms, instrumentKindOf, isServed } from './instruments.js';
import type { StandaloneKind } from './kinds.js';
import { isOtherAccount, paymentKindOf } from './payment-kind.js';
import { notServedRejection, type Rejection } from './rejection.js';
import { shownBrandOf } from './shown-brand.js';
import { accountKindOf } from './standalone-account.js';
import type { ParameterError } from './parameter-error.js';

/** What a form without violations asks for beside a payment. */
export interface AskedAlone {
  readonly kind: StandaloneKind;
  readonly mode: Mode;
  readonly nowMs: number;
}

type Nothing = readonly [name: string, message: string];

const [OF_PAYMENT, NOTHING_STORED] = [
  'is of a payment',
  'is of a payment, and this stores nothing',
];
/** What is done with money, and by an acquirer: none is asked. */
const OF_ACQUIRERS: readonly Nothing[] = [
  ['createRegistration', NOTHING_STORED],
  ['customParameters[forceResultCode]', `${OF_PAYMENT}: no acquirer is asked here`],
  [REGISTRATION_ID, `${OF_PAYMENT}: send the account itself`],
];

/**
 * What a standalone request names that the catalogue has for payments, and that would do nothing here: it is
 * refused, because who sends it relies on it. What is refused whatever it says, its row refuses.
 */
const OF_PAYMENTS: Readonly<Record<StandaloneKind, readonly Nothing[]>> = {
  threeDSecure: [['threeDSecure.disable', 'forbids what is asked for'], ...OF_ACQUIRERS],
  risk: OF_ACQUIRERS,
};

/** Each of them that was sent and says something. */
export function standaloneFaults(form: Form, kind: StandaloneKind): readonly ParameterError[] {
  const ofAccount = kind === 'risk' ? faultOfGiftCard(form) : undefined;
  // What is demanded of the account that is judged would be told beside it, and mean another one.
  if (ofAccount !== undefined) return [ofAccount];
  const type = form.get('paymentType') ?? '';
  const isOther = type !== '' && type !== TYPES[kind];
  const typed = isOther ? [{ name: 'paymentType', message: otherType(kind) }] : [];
  const listed = OF_PAYMENTS[kind].flatMap(([name, message]) =>
    saysNothing(form.get(name)) ? [] : [{ name, message }],
  );
  const inInstallments = isInInstallments(form.get(INSTALLMENTS))
    ? [{ name: INSTALLMENTS, message: `${OF_PAYMENT}: nothing is paid here` }]
    : [];
  const accounts = kind === 'threeDSecure' ? otherAccounts(form) : [];
  return [...typed, ...listed, ...inInstallments, ...accounts];
}

/** Of an authentication, other accounts than its card. */
function otherAccounts(form: Form): readonly ParameterError[] {
  return [...form.entries()].flatMap(([name, value]) => {
    const isOther = isOtherAccount(name) || GIFT_CARD_ACCOUNT.some((key) => key === name);
    const isNamed = isOther && name !== REGISTRATION_ID && !saysNothing(value);
    return isNamed ? [{ name, message: 'is of another account: a card is authenticated' }] : [];
  });
}

function saysNothing(value: string | undefined): boolean {
  return value === undefined || value === '' || value === 'false';
}

function faultOfGiftCard(form: Form): ParameterError | undefined {
  if (paymentKindOf(form).kind !== 'giftCardPayment') return undefined;
  const name = form.has('paymentBrand') ? 'paymentBrand' : 'giftCard.number';
  return { name, message: 'is of a gift card, which is judged with its payment alone' };
}

/** Whoever sends another one waits for money that nobody would move. */
const TYPES: Readonly<Record<StandaloneKind, string>> = { threeDSecure: '3D', risk: 'RI' };

function otherType(kind: StandaloneKind): string {
  const what = kind === 'risk' ? 'a risk check' : 'an authentication';
  return `is ${TYPES[kind]} of ${what} alone, or is not sent: this moves no money`;
}

/** Why it cannot be served, with what it is of: the instrument's own reasons last, as of payments (D-37). */
export function standaloneRejection(
  form: Form,
  { kind, nowMs }: AskedAlone,
): Rejection | undefined {
  const part = unservedPart(form, kind);
  if (part !== undefined) return notServedRejection(part);
  const instrument = instrumentKindOf(form, accountKindOf(form, kind));
  const code = instrumentForms[instrument].rejectionOf?.(form, nowMs);
  // No issuer is asked in a check alone, so nobody would look at the code.
  if (code === codes.securityCodeMissing && kind === 'risk') return undefined;
  return code && { code };
}

function unservedPart(form: Form, kind: StandaloneKind): string | undefined {
  const account = accountKindOf(form, kind);
  const instrument = instrumentForms[instrumentKindOf(form, account)];
  if (!isServed(form, account)) return `a payment ${instrument.words} is not served yet`;
  const brand = shownBrandOf(form);
  if (account === 'payment' && brand !== undefined && brandNamed(brand) === undefined) {
    return `the card brand ${brand} is not served`;
  }
  return kind === 'threeDSecure' ? authenticationFault(form) : undefined;
}
