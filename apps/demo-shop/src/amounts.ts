/** What everything is sold in. */
export const CURRENCY = 'EUR';

/** Cents as the gateway takes them: `48.00`. Money is counted in whole cents and never in fractions. */
export function amountOf(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
