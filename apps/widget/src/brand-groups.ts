import { bankMethodOf, isVirtualAccountBrand } from '@sluice/parameters/accounts';
import { brandNamed } from '@sluice/parameters/cards';
import type { AccountFormName } from './account-form-kind.js';
import type { Purpose } from './result-address.js';
import { walletFormOf, type WalletFormName } from './wallet-form-parts.js';

/** The brands of one form: all cards share one, and everything else has one of its own. */
export type BrandGroup =
  | { readonly kind: 'card'; readonly brands: readonly [string, ...string[]] }
  | { readonly kind: AccountFormName | WalletFormName; readonly brand: string };

/** What a page's form is replaced by. */
export interface BrandGroups {
  /** In the order in which the page names their brands. */
  readonly groups: readonly BrandGroup[];
  /** A sentence for each brand that is left out. */
  readonly complaints: readonly string[];
}

/** @param named the brands as a page has them: `VISA MASTER PAYPAL` */
export function brandGroups(named: string, purpose: Purpose): BrandGroups {
  const groups: BrandGroup[] = [];
  const complaints: string[] = [];
  const names = named.split(/[\s,]+/).filter((name) => name !== '');
  const cards = names.flatMap((name) => brandNamed(name)?.name ?? []);
  for (const name of new Set(names.map((one) => one.toUpperCase()))) {
    const kind = kindOf(name);
    const [first, ...others] = new Set(cards);
    if (kind === undefined) {
      complaints.push(`the brand ${name} is not served yet.`);
    } else if (kind === 'onlineTransfer' && purpose === 'registration') {
      complaints.push(`the brand ${name} stores nothing.`);
    } else if (walletFormOf.has(name) && purpose === 'registration') {
      complaints.push(`the brand ${name} stores nothing by itself.`);
    } else if (kind !== 'card') {
      groups.push({ kind, brand: name });
    } else if (first !== undefined && !groups.some((group) => group.kind === 'card')) {
      groups.push({ kind, brands: [first, ...others] });
    }
  }
  return { groups, complaints };
}

/** Whether its shopper pays in the page, and is not sent on to a provider or bank (Interface 4). */
export function staysInPage(brand: string): boolean {
  const kind = kindOf(brand.toUpperCase());
  return kind !== undefined && kind !== 'virtualAccount' && kind !== 'onlineTransfer';
}

function kindOf(brand: string): BrandGroup['kind'] | undefined {
  if (brandNamed(brand) !== undefined) return 'card';
  const wallet = walletFormOf.get(brand);
  if (wallet !== undefined) return wallet;
  if (isVirtualAccountBrand(brand)) return 'virtualAccount';
  const method = bankMethodOf(brand)?.paymentMethod;
  if (method === undefined) return undefined;
  return method === 'DD' ? 'directDebit' : 'onlineTransfer';
}
