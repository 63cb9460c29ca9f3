import type { InstrumentKind } from '@sluice/contracts';
import type { Form } from './form.js';
import { notServedRejection, type Rejection } from './rejection.js';

/** The name by which shops ask for them, also in the widget's form (wire contract 2 and 10). */
export const INSTALLMENTS = 'recurring.numberOfInstallments';

/** As pages write it: the first choice of their list has one of these, or no value at all. */
const AT_ONCE = /^0?[01]?$/;

/** What has a card's issuer, who lets the shopper pay in installments; what is stored may be a card. */
const OF_CARDS: ReadonlySet<InstrumentKind> = new Set(['card', 'wallet', 'registration']);

/** Whether a number of installments, as it is sent, means more than one payment at once. */
export function isInInstallments(number: string | undefined): boolean {
  return !AT_ONCE.test(number ?? '');
}

/**
 * What is said of a request that asks for installments and cannot be paid so; undefined for any other.
 * Ignoring the wish would charge a shopper all of it who has agreed to a part.
 * @param instrument of a new payment; absent: nothing new is paid
 */
export function unservedInstallments(form: Form, instrument?: InstrumentKind): string | undefined {
  if (!isInInstallments(form.get(INSTALLMENTS))) return undefined;
  const isByCard = instrument !== undefined && OF_CARDS.has(instrument);
  return isByCard && form.get('paymentType') !== 'CD'
    ? undefined
    : `only DB and PA by card are paid in installments: ${INSTALLMENTS} must be 0, 1 or absent`;
}

/**
 * Why what asks for installments is refused where no card pays.
 * @param instrument of what pays; absent: nothing new is paid
 */
export function installmentsRejection(
  form: Form,
  instrument?: InstrumentKind,
): Rejection | undefined {
  const asked = unservedInstallments(form, instrument);
  return asked === undefined ? undefined : notServedRejection(asked);
}

/** Why a schedule is refused that asks for installments: each of its runs is paid at once. */
export function scheduledInstallmentsRejection(form: Form): Rejection | undefined {
  if (!isInInstallments(form.get(INSTALLMENTS))) return undefined;
  return notServedRejection(
    `a schedule charges its amount at once at each of its times: ${INSTALLMENTS} must be 0, 1 or absent`,
  );
}
