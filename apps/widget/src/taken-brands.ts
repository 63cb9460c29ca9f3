import type { BrandGroup } from './brand-groups.js';
import type { CheckoutInBrowser } from './result-address.js';

/** Shoppers do not wait for longer: they see all brands of the page. */
const ANSWER_WITHIN_MS = 5_000;

/** Asks by which brands a checkout can be paid; undefined where nobody says. */
export async function takenBrands(
  { id }: Pick<CheckoutInBrowser, 'id'>,
  folder: string,
): Promise<unknown> {
  try {
    const response = await fetch(new URL(`../../checkouts/${id}/brands`, folder), {
      ...{ credentials: 'omit', referrerPolicy: 'no-referrer' },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return (await response.json()) as unknown;
  } catch {
    console.warn('Sluice: nobody says which brands are active; all are shown.');
    return undefined;
  }
}

/** The brands of a form without those that cannot be paid by, as the gateway's answer has it. */
export function withTaken(groups: readonly BrandGroup[], said: unknown): readonly BrandGroup[] {
  const taken = (said as { brands?: unknown } | undefined)?.brands;
  if (!Array.isArray(taken)) return groups;
  const isTaken = (brand: string) => taken.some((one) => isLike(brand, String(one)));
  return groups.flatMap((group): readonly BrandGroup[] => {
    if (group.kind !== 'card') return isTaken(group.brand) ? [group] : [];
    const [first, ...others] = group.brands.filter(isTaken);
    return first === undefined ? [] : [{ kind: 'card', brands: [first, ...others] }];
  });
}

function isLike(brand: string, pattern: string): boolean {
  return pattern.endsWith('*') ? brand.startsWith(pattern.slice(0, -1)) : brand === pattern;
}
