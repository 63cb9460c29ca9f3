import type { AuthenticationNetwork } from '@sluice/contracts';

/** Which network's directory server knows the cards of a `paymentBrand`; a national brand may have none. */
const networks: Readonly<Record<string, AuthenticationNetwork>> = {
  VISA: 'visa',
  VISADEBIT: 'visa',
  VISAELECTRON: 'visa',
  VPAY: 'visa',
  MASTER: 'mastercard',
  MASTERDEBIT: 'mastercard',
  MAESTRO: 'mastercard',
  AMEX: 'amex',
  DINERS: 'diners',
  DISCOVER: 'diners',
  JCB: 'jcb',
  UNIONPAY: 'unionpay',
  UNIONPAY_SMS: 'unionpay',
  CARTEBANCAIRE: 'cartebancaire',
  CARTEBLEUE: 'cartebancaire',
};

/** Undefined for a brand that 3-D Secure is not served for. */
export function networkOfBrand(brand: string): AuthenticationNetwork | undefined {
  return Object.hasOwn(networks, brand) ? networks[brand] : undefined;
}
