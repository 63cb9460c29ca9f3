import type { Kind } from './kinds.js';
import { checkForm, violations } from './violations.js';
import { formOf } from './violations-fixture.js';

type Sent = Readonly<Record<string, string>>;

export const paid = { amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' };
export const card = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};

/** Interface 2.9 and 2.10: what an authentication by 3-D Secure version 2 needs. */
export const address = {
  'billing.street1': 'Main Street 1',
  'billing.city': 'New York',
  'billing.postcode': 'SW1A 1AA',
  'billing.country': 'US',
};

/** The names at fault when this is sent with a payment by card that is right. */
export function faults(sent: Sent): readonly string[] {
  return checkForm(formOf({ ...paid, ...card, ...sent }), 'payments', 'INTERNAL').violations.map(
    ({ name }) => name,
  );
}

/** The names at fault when this alone is sent as a request of this kind. */
export function faultsOf(kind: Kind, sent: Sent): readonly string[] {
  return violations(formOf(sent), kind, 'INTERNAL').map(({ name }) => name);
}

/** Of `paid` without a card. */
export function faultsWithoutCard(sent: Sent): readonly string[] {
  return checkForm(formOf({ ...paid, ...sent }), 'payments', 'INTERNAL').violations.map(
    ({ name }) => name,
  );
}
