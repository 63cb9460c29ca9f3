import type { Form } from './form.js';
import { notServedRejection, type Rejection } from './rejection.js';

/** The name by which shops ask for them, also in the widget's form (wire contract 2 and 10). */
export const INSTALLMENTS = 'recurring.numberOfInstallments';
const AT_ONCE = '1';

/**
 * What is said of a request to pay in installments; undefined for what is paid at once. Ignoring the
 * wish would charge a shopper all of it who has agreed to a part.
 */
export function askedInstallments(form: Form): string | undefined {
  const number = form.get(INSTALLMENTS) ?? '';
  if (number === '' || number === AT_ONCE) return undefined;
  return `installments are not served yet: ${INSTALLMENTS} must be ${AT_ONCE} or absent`;
}

/** Why what asks for installments is refused, by whatever it is to be paid. */
export function installmentsRejection(form: Form): Rejection | undefined {
  const asked = askedInstallments(form);
  return asked === undefined ? undefined : notServedRejection(asked);
}
