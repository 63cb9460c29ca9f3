import { namesOf } from './expressions.js';
import { RulesRefused } from './form-values.js';
import type { Condition, RuleSet } from './rules.js';

/** What an installation may know of addresses of the Internet, by a file that its operator gives. */
export const addressData = ['countries', 'proxies'] as const;

/** One of them. */
export type AddressData = (typeof addressData)[number];

/** The variable of risk that names its file, and what rules need it for. */
export const addressFiles: Readonly<
  Record<AddressData, { readonly variable: string; readonly what: string }>
> = {
  countries: { variable: 'RISK_IP_COUNTRY_FILE', what: 'the countries of addresses' },
  proxies: { variable: 'RISK_PROXY_FILE', what: 'the addresses of proxies' },
};

/** What rules look at that somebody has to know. */
export function addressDataNeeded({ rules }: RuleSet): ReadonlySet<AddressData> {
  return new Set(rules.flatMap(({ when }) => neededBy(when)));
}

/**
 * A rule about what nobody knows would never hold.
 * @throws RulesRefused with what is to be done
 */
export function refuseWithout(known: ReadonlySet<AddressData>, { rules }: RuleSet): void {
  for (const [index, { when }] of rules.entries()) {
    const missing = neededBy(when).find((each) => !known.has(each));
    if (missing === undefined) continue;
    const { variable, what } = addressFiles[missing];
    throw new RulesRefused(
      `rules[${String(index)}].when`,
      `needs ${what}: name a file with them in ${variable} for every instance of risk, start it, and set the rules then`,
    );
  }
}

function neededBy(when: Condition): readonly AddressData[] {
  switch (when.kind) {
    case 'proxy':
      return ['proxies'];
    case 'countriesDiffer':
      return when.between.includes('ip') ? ['countries'] : [];
    case 'list':
      return when.by === 'ipCountry' ? ['countries'] : [];
    case 'expression': {
      const names = namesOf(when.expression);
      return [
        ...(names.has('ipCountry') ? (['countries'] as const) : []),
        ...(names.has('isProxy') ? (['proxies'] as const) : []),
      ];
    }
    case 'amount':
    case 'velocity':
    case 'history':
    case 'timeOfDay':
    case 'checks':
    case 'scored':
      return [];
  }
}
