/** The decimals of the gateway, whatever the currency. */
const GATEWAY_DECIMALS = 2;

/** An amount of the gateway, always with two decimals, with as many as its currency has: `92` of JPY. */
export function sheetAmount(amount: string, currency: string): string {
  const { maximumFractionDigits: decimals = GATEWAY_DECIMALS } = new Intl.NumberFormat('en', {
    ...{ style: 'currency', currency },
  }).resolvedOptions();
  // What is not zero there cannot be paid, so the gateway never says it.
  return decimals < GATEWAY_DECIMALS ? amount.replace(/\.00$/, '') : amount;
}
