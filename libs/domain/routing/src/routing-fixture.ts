// Fixed payments, accounts and routes for the specs of this library; no other file imports it.
import type {
  Endpoint,
  MerchantAccount,
  MerchantAccountId,
  NodeRouting,
  Route,
  RouteId,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { type Amount, currency } from '@sluice/money';
import type { Installation, RoutedPayment } from './routed-payment.js';

export const accountId = (digit: string) => digit.repeat(32) as MerchantAccountId;
export const routeId = (digit: string) => digit.repeat(32) as RouteId;
export const nodeId = (digit: string) => digit.repeat(32) as EntityId;
export const of = (code: string, minor: bigint): Amount => ({ minor, currency: currency(code) });
export const eur = (minor: bigint): Amount => of('EUR', minor);

/** A fixed id. */
export function paymentId(number: number): TransactionId {
  return `0194670a0000abcd${number.toString(16).padStart(16, '0')}` as TransactionId;
}

export const endpoint: Endpoint = {
  address: 'https://api.acquirer.example',
  ...{ acquirerMerchantId: 'M-4711', settings: {}, credentials: {} },
};
const testEndpoint: Endpoint = { ...endpoint, address: 'https://test.acquirer.example' };

/** An account with an acquirer, with endpoints for both modes. */
export function account(digit: string, changes: Partial<MerchantAccount> = {}): MerchantAccount {
  return {
    ...{ id: accountId(digit), name: `Acquirer ${digit}`, connector: `acquirer-${digit}` },
    endpoints: { LIVE: endpoint, EXTERNAL: testEndpoint },
    ...changes,
  };
}

/** A route without conditions, to the account of the same digit. */
export function route(digit: string, changes: Partial<Route> = {}): Route {
  return {
    ...{ id: routeId(digit), merchantAccountId: accountId(digit) },
    ...{ modes: ['LIVE', 'EXTERNAL'], priority: 0, weight: 1 },
    ...changes,
  };
}

/** A node with these routes, and the accounts that they lead to. */
export function node(digit: string, ...routes: readonly Route[]): NodeRouting {
  const digits = [...new Set(routes.map(({ merchantAccountId }) => merchantAccountId[0] ?? ''))];
  return { nodeId: nodeId(digit), merchantAccounts: digits.map((each) => account(each)), routes };
}

export const installation: Installation = {
  connectors: Array.from({ length: 16 }, (_, number) => `acquirer-${number.toString(16)}`),
  simulator: 'simulator',
};

/** A live payment of 50.00 EUR by a German VISA card. */
export const payment: RoutedPayment = {
  ...{ id: paymentId(1), mode: 'LIVE', method: 'CC', brand: 'VISA', amount: eur(5_000n) },
  binCountry: 'DE',
};
