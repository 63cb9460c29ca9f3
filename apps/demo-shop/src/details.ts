/** What the shopper types at the checkout. */
export interface Field {
  /** Of the interface, and of the input. */
  readonly name: string;
  readonly label: string;
  /** By which browsers know what to fill in. */
  readonly autocomplete: string;
  readonly type?: 'email';
  readonly charactersMax: number;
  readonly isHalf?: boolean;
}

/** The gateway takes many more (`billing.state`, `customer.phone`); ask for what you need. */
export const fields: readonly Field[] = [
  {
    ...{ name: 'customer.givenName', label: 'First name', autocomplete: 'given-name' },
    ...{ charactersMax: 48, isHalf: true },
  },
  {
    ...{ name: 'customer.surname', label: 'Last name', autocomplete: 'family-name' },
    ...{ charactersMax: 48, isHalf: true },
  },
  {
    ...{ name: 'customer.email', label: 'Email', autocomplete: 'email', type: 'email' },
    charactersMax: 128,
  },
  {
    ...{ name: 'billing.street1', label: 'Street and number', autocomplete: 'address-line1' },
    charactersMax: 100,
  },
  {
    ...{ name: 'billing.postcode', label: 'Postcode', autocomplete: 'postal-code' },
    ...{ charactersMax: 16, isHalf: true },
  },
  {
    ...{ name: 'billing.city', label: 'City', autocomplete: 'address-level2' },
    ...{ charactersMax: 80, isHalf: true },
  },
];

/** Where the shop delivers, by the codes of ISO 3166. */
export const countries: ReadonlyMap<string, string> = new Map([
  ...([
    ['AT', 'Austria'],
    ['BE', 'Belgium'],
    ['FR', 'France'],
    ['DE', 'Germany'],
  ] as const),
  ...([
    ['IE', 'Ireland'],
    ['IT', 'Italy'],
    ['NL', 'Netherlands'],
    ['PL', 'Poland'],
  ] as const),
  ...([
    ['ES', 'Spain'],
    ['CH', 'Switzerland'],
    ['GB', 'United Kingdom'],
  ] as const),
]);

/** The details that were typed, and the names of those that are missing or too long. */
export function detailsOf(form: URLSearchParams): {
  readonly details: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
} {
  const typed = fields.map(({ name }) => [name, (form.get(name) ?? '').trim()] as const);
  const country = form.get('billing.country') ?? '';
  const faults = fields
    .filter(({ charactersMax }, index) => {
      const { length } = typed[index]?.[1] ?? '';
      return length === 0 || length > charactersMax;
    })
    .map(({ name }) => name);
  return {
    details: { ...Object.fromEntries(typed), 'billing.country': country },
    faults: countries.has(country) ? faults : [...faults, 'billing.country'],
  };
}
