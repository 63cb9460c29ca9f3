import type { Form } from './form.js';
import { parseForm } from './form-parser.js';
import { checkForm } from './violations.js';

/** A form as a client sends it; throws when it cannot be read. */
export const formOf = (parameters: Readonly<Record<string, string>>): Form => {
  const parsed = parseForm(new URLSearchParams(parameters).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
};

/** A card payment with nothing wrong. */
export const payment = {
  entityId: '0123456789abcdef0123456789abcdef',
  amount: '92.00',
  currency: 'EUR',
  paymentBrand: 'VISA',
  paymentType: 'DB',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

export const violationsWith = (changes: Readonly<Record<string, string>>) =>
  checkForm(formOf({ ...payment, ...changes }), 'payments', 'INTERNAL').violations;
