import { type CardBrand, cardBrands } from './brands.js';
import type { Form } from './form.js';
import {
  legacyTypesWithoutCode,
  merchantsPractices,
  modesWithoutCode,
  PRACTICE,
  sourcesWithoutCode,
} from './standing-instruction.js';

/** A parameter with which a payment needs no security code: with one of these values, or with any. */
interface Exemption {
  readonly key: string;
  readonly values?: readonly string[];
}

/**
 * When a missing security code refuses no payment. The interface calls `card.cvv` conditional and
 * leaves the condition open. Taken here: the brands that the code 100.100.600 of the family means
 * want it when the shopper takes part. The reference says what stands here and nothing else.
 */
const exemptions: readonly Exemption[] = [
  // A payment that repeats or is initiated by the merchant, who may not keep the code for that: as
  // the table of standing instructions says.
  { key: 'standingInstruction.mode', values: modesWithoutCode },
  { key: 'standingInstruction.source', values: sourcesWithoutCode },
  { key: PRACTICE, values: merchantsPractices },
  { key: 'recurringType', values: legacyTypesWithoutCode },
  // The shopper was there when it was stored; whoever asks for the code again sends it (one-click).
  { key: 'registrationId' },
  // Money is paid out, or the order came by mail or telephone.
  { key: 'paymentType', values: ['CD'] },
  { key: 'transactionCategory', values: ['MO', 'TO', 'MOTO'] },
  // The number of a device, or out of a wallet, which knows no code (Interface 2.5).
  { key: 'card.numberType', values: ['DPAN'] },
  { key: 'applePay.source' },
  { key: 'googlePay.source' },
  { key: 'samsungPay.source' },
  { key: 'clickToPay.source' },
  // An external 3-D Secure server has authenticated the shopper.
  { key: 'threeDSecure.verificationId' },
];

/** Whether a missing security code refuses a payment with a card of this brand. */
export function needsSecurityCode(form: Form, brand: CardBrand): boolean {
  return brand.securityCodeRequired && !exemptions.some((exemption) => holds(form, exemption));
}

function holds(form: Form, { key, values }: Exemption): boolean {
  const value = form.get(key);
  return value !== undefined && (values?.includes(value) ?? true);
}

/** The rule in words, for the reference: completes "card.cvv is". */
export function securityCodeRule(): string {
  const brands = cardBrands
    .filter(({ securityCodeRequired }) => securityCodeRequired)
    .map(({ name }) => name);
  const unless = listed(exemptions.map(wordsOf), 'or');
  // No issuer is asked there (standaloneRejection).
  return `required by ${listed(brands, 'and')} unless ${unless}, and never in a risk check alone`;
}

function wordsOf({ key, values }: Exemption): string {
  return values === undefined ? `\`${key}\` is sent` : `\`${key}\` is ${listed(values, 'or')}`;
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  const [end = '', ...others] = [...words].reverse();
  return others.length === 0 ? end : `${others.reverse().join(', ')} ${last} ${end}`;
}
