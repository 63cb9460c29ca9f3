/**
 * The brands by which a shopper logs in at a provider and pays there, of those that clients of the
 * interface family are known to use (wire contract 7, 10); with a star, how they begin.
 */
export const virtualAccountBrands: readonly string[] = [
  ...['PAYPAL', 'STC_PAY', 'TABBY', 'TAMARA_EN', 'TAMARA_AR', 'ZOODPAY', 'VALU', 'ROCKETFUEL'],
  'KLARNA_*',
];

/** Whether a brand is one of them. */
export function isVirtualAccountBrand(name: string): boolean {
  const brand = name.toUpperCase();
  return virtualAccountBrands.some((known) =>
    known.endsWith('*') ? brand.startsWith(known.slice(0, -1)) : brand === known,
  );
}
