import { brandNamed } from './brands.js';
import type { Form } from './form.js';
import type { NewPaymentKind } from './kinds.js';

const WALLETS: ReadonlySet<string> = new Set(['APPLEPAY', 'GOOGLEPAY', 'SAMSUNGPAY']);

/** What a merchant may have to tell of a bank account: each of the last two in one of two ways. */
export type BankDetail = 'holder' | 'number' | 'bank';

/** A brand by which a shopper pays from a bank account. */
interface BankMethod {
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

function bankMethodOf(name: string): BankMethod | undefined {
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

/**
 * What a brand is paid with, where the request does not show it by an account: by no card, unless it
 * is a brand of cards. Of a brand that nobody here knows (PAYPAL and some hundred others) the
 * provider alone knows the shopper's account.
 */
export function methodOfBrand(name: string): NewPaymentKind {
  if (brandNamed(name) !== undefined) return 'payment';
  if (WALLETS.has(name.toUpperCase())) return 'walletPayment';
  return bankMethodOf(name) === undefined ? 'virtualAccountPayment' : 'bankAccountPayment';
}

/** What a new payment is made with, in the words and the code that answers have for it. */
export interface PaymentMethod {
  readonly words: string;
  /** Interface 2.19 `paymentMethods`; absent where nobody can tell. */
  readonly code?: string;
}

/** The method of a new payment; of a registration only its owner knows what is stored. */
export function paymentMethodOf(form: Form, kind: NewPaymentKind): PaymentMethod {
  switch (kind) {
    case 'payment':
      return form.has('card.number')
        ? { words: 'by card', code: 'CC' }
        : { words: 'by registration' };
    case 'walletPayment':
      return { words: 'by wallet', code: 'WA' };
    case 'virtualAccountPayment': {
      // With nothing but a brand that nobody here knows, the brand is all there is to name.
      const isNamed = form.namesOf('virtualAccount').length > 0;
      return { words: isNamed ? 'by virtual account' : "by a brand that is no card's", code: 'VA' };
    }
    case 'bankAccountPayment': {
      const code = bankMethodOf(form.get('paymentBrand') ?? '')?.paymentMethod ?? 'OT';
      return { words: 'by bank account', code };
    }
    case 'tokenPayment': {
      const isOfNetwork = form.get('tokenAccount.type') === 'NETWORK';
      return { words: 'by token account', code: isOfNetwork ? 'NT' : 'ET' };
    }
  }
}
