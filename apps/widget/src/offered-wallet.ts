import { ANSWER_WITHIN_MS } from './field-form.js';
import type { CheckoutInBrowser } from './result-address.js';
import type { WalletFormName } from './wallet-form-parts.js';

/** A wallet on this page, and what it pays. */
export interface OfferedWallet {
  /** With two decimals, and its currency: as the checkout charges them. */
  readonly amount: string;
  readonly currency: string;
  /** The provider's own; empty of Click to Pay, which has one of each scheme. */
  readonly script: string;
  /** Whether a simulator plays it, whatever the browser or the page has of it. */
  readonly isSimulated: boolean;
  readonly countryCode: string;
  readonly displayName: string | undefined;
  /** Of Google Pay alone. */
  readonly environment: string;
  readonly gateway: string;
  readonly gatewayMerchantId: string;
  readonly merchantId: string | undefined;
  /** As the gateway says it: what one form alone reads. */
  readonly said: Readonly<Record<string, unknown>>;
}

/** Whose wallets they are, and where they are asked for. */
export interface WalletOfCheckout {
  readonly checkout: CheckoutInBrowser;
  /** Of the widget's files. */
  readonly folder: string;
}

/** What the gateway says of it; undefined where it is not set up. Rejects where nobody says anything. */
export async function offeredWallet(
  name: WalletFormName,
  of: WalletOfCheckout,
): Promise<OfferedWallet | undefined> {
  const response = await fetch(walletsAddress(of), {
    ...{ credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  return response.ok ? walletIn(await response.json(), name) : undefined;
}

/** Where a checkout's wallets are. */
export function walletsAddress({ checkout, folder }: WalletOfCheckout): URL {
  return new URL(`../../checkouts/${checkout.id}/wallets`, folder);
}

/** Reads the answer of the gateway. */
export function walletIn(body: unknown, name: WalletFormName): OfferedWallet | undefined {
  const { amount, currency, [name]: wallet } = record(body);
  const said = record(wallet);
  const isScheme = Array.isArray(said['systems']) && said['systems'].length > 0;
  const script = text(said['script']) ?? (isScheme ? '' : undefined);
  if (script === undefined || typeof amount !== 'string' || typeof currency !== 'string') {
    return undefined;
  }
  return {
    ...{ amount, currency, script, isSimulated: said['isSimulated'] === true },
    ...{ countryCode: text(said['countryCode']) ?? '', displayName: text(said['displayName']) },
    environment: text(said['environment']) ?? 'TEST',
    gateway: text(said['gateway']) ?? '',
    gatewayMerchantId: text(said['gatewayMerchantId']) ?? '',
    merchantId: text(said['merchantId']),
    said,
  };
}

/** What is no object has no members. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
