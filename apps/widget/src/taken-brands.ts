import type { BrandGroup } from './brand-groups.js';

/** The brands of a form without those that cannot be paid by, as the gateway has answered. */
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
