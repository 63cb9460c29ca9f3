import type { Language } from './languages.js';

/** What a checkout charges, as the gateway says it. */
export interface ChargedAmount {
  /** `92.00` */
  readonly amount: string;
  readonly currency: string;
}

/** An amount as people of this locale write it; as it came where browsers do not know its currency. */
export function amountText(
  { amount, currency }: ChargedAmount,
  language: Language,
  locale: string,
): string {
  const region = /^[A-Za-z]{2,3}[-_]([A-Za-z]{2})$/.exec(locale)?.[1];
  try {
    const tag = region === undefined ? language : `${language}-${region}`;
    return new Intl.NumberFormat(tag, { style: 'currency', currency }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}

/** As people write amounts: whole units, perhaps in groups of three, and perhaps two further digits. */
const WRITTEN = /(\d{1,3}(?:\D\d{3})+|\d+)(?:[.,](\d{1,2}))?(?!\d)/;

/** Whether what a shop has written of the amount is that of the checkout: `92,00 EUR`, `€ 92`. */
export function isSameAmount(written: string, { amount }: ChargedAmount): boolean {
  return hundredthsOf(written) === hundredthsOf(amount);
}

function hundredthsOf(text: string): string | undefined {
  const [, whole, hundredths = ''] = WRITTEN.exec(text) ?? [];
  return whole === undefined ? undefined : whole.replaceAll(/\D/g, '') + hundredths.padEnd(2, '0');
}
