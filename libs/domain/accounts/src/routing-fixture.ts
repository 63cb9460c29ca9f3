// A fixed merchant account and route for the specs of this library; no other file imports it.
import type {
  Endpoint,
  MerchantAccount,
  MerchantAccountId,
  Route,
  RouteId,
} from '@sluice/contracts';
import { type Amount, currency } from '@sluice/money';

export const accountId = (digit: string) => digit.repeat(32) as MerchantAccountId;
export const routeId = (digit: string) => digit.repeat(32) as RouteId;
export const eur = (minor: bigint): Amount => ({ minor, currency: currency('EUR') });

export const endpoint: Endpoint = {
  address: 'https://api.acquirer.example:8443/v1',
  acquirerMerchantId: 'M-4711',
  settings: { terminal: 'T1' },
  credentials: {
    password: { kind: 'reference', reference: 'secret:acquirer-a/password' },
    privateKey: { kind: 'reference', reference: 'secret:acquirer-a/key' },
  },
};

export const merchantAccount: MerchantAccount = {
  ...{ id: accountId('a'), name: 'Acquirer A', connector: 'platform' },
  endpoints: { LIVE: endpoint, EXTERNAL: { ...endpoint, address: 'http://test.example' } },
};

export const route: Route = {
  ...{ id: routeId('1'), merchantAccountId: accountId('a'), modes: ['EXTERNAL', 'LIVE'] },
  ...{ methods: ['CC'], brands: ['VISA', 'MASTER'], currencies: [currency('EUR')] },
  ...{ binCountries: ['DE'], amountFrom: eur(100n), amountTo: eur(10_000n) },
  ...{ priority: 1, weight: 70 },
};
