import type { Form } from './form.js';
import type { NewPaymentKind, StandaloneKind } from './kinds.js';
import { paymentKindOf } from './payment-kind.js';

/** How the account of a standalone request would be paid with: of 3-D Secure by card, always. */
export function accountKindOf(form: Form, kind: StandaloneKind): NewPaymentKind {
  return kind === 'threeDSecure' ? 'payment' : paymentKindOf(form).kind;
}
