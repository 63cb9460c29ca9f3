/** What a merchant may have to tell of a bank account: each of the last two in one of two ways. */
export type BankDetail = 'holder' | 'number' | 'bank';

/** A brand by which a shopper pays from a bank account. */
export interface BankMethod {
  /** `paymentBrand`; with a star, how it begins. */
  readonly brand: string;
  /** Interface 2.19 `paymentMethods`: direct debit, or the shopper's own order at the bank. */
  readonly paymentMethod: 'DD' | 'OT';
  /** What the merchant has to tell; the rest, the shopper tells the bank. */
  readonly demands: readonly BankDetail[];
}

const atTheBank = { paymentMethod: 'OT', demands: [] } as const;

/** The bank methods that clients of the interface family are known to use (wire contract 7, 10). */
const bankMethods: readonly BankMethod[] = [
  { brand: 'DIRECTDEBIT*', paymentMethod: 'DD', demands: ['holder', 'number', 'bank'] },
  ...[
    ...['SOFORTUEBERWEISUNG', 'GIROPAY', 'IDEAL', 'EPS', 'ACI_INSTANTPAY', 'PAYTRAIL', 'POLI'],
    ...['PRZELEWY', 'TRUSTLY', 'TRUSTPAY_VA', 'ENTERCASH', 'ENTERPAY', 'INTERAC', 'INTERAC_ONLINE'],
    ...['PAYDIREKT', 'PF_KARTE_DIRECT', 'PREPAYMENT', 'BOTON_PSE', 'SIBS_MULTIBANCO', 'SPEI'],
    ...['PIX', 'BANCOLOMBIA', 'BBVA_CONTINENTAL', 'BCP', 'INTERBANK', 'SCOTIABANK', 'BRADESCO'],
    'ASTROPAY_STREAMLINE_OT',
  ].map((brand) => ({ brand, ...atTheBank })),
];

/** The brands of banks, as the table writes them. */
export const bankBrands: readonly string[] = bankMethods.map(({ brand }) => brand);

/** The bank method that a brand is, if it is one. */
export function bankMethodOf(name: string): BankMethod | undefined {
  const brand = name.toUpperCase();
  return bankMethods.find((method) =>
    method.brand.endsWith('*')
      ? brand.startsWith(method.brand.slice(0, -1))
      : brand === method.brand,
  );
}

/** The brands, as the table writes them, of which the merchant has to tell a detail. */
export function brandsThatDemand(detail: BankDetail): readonly string[] {
  return bankMethods.filter(({ demands }) => demands.includes(detail)).map(({ brand }) => brand);
}

/** The brands by which the shopper names the account at the bank, so that the merchant need not. */
export const brandsAtTheBank: readonly string[] = bankMethods
  .filter(({ demands }) => demands.length === 0)
  .map(({ brand }) => brand);

/** Whether the merchant has to tell a detail of the account; undefined for a brand of no bank. */
export function brandDemands(name: string | undefined, detail: BankDetail): boolean | undefined {
  return name === undefined ? undefined : bankMethodOf(name)?.demands.includes(detail);
}
