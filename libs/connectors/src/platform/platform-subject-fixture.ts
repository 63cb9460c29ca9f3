import { currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import type { SecondSluice } from '@sluice/testing';
import type {
  AmountsOnTheWire,
  ContractSubject,
  Submission,
} from '../contract/contract-subject-fixture.js';
import { bearer } from './gateway-address.js';
import { PlatformConnector } from './platform-connector.js';

/** A card of the family's examples. */
export const CARD = {
  kind: 'card',
  details: {
    'card.number': new Detail('4200000000000000'),
    'card.expiryMonth': new Detail('05'),
    'card.expiryYear': new Detail('2034'),
    'card.cvv': new Detail('918'),
  },
} as const;

/** One count for a test run, with the time before it: every reference is new to every gateway. */
let references = 0;

/** A reference of ours that no gateway has seen. */
export function newReference(): string {
  references += 1;
  return `platform-${String(Date.now())}-${String(references)}`;
}

/** A connector to whatever listens there. */
export function connectorTo(
  origin: string,
  { entityId, accessToken }: Pick<SecondSluice, 'entityId' | 'accessToken'>,
  limits: { readonly connectionsMax?: number; readonly callTimeoutMs?: number } = {},
): PlatformConnector {
  return new PlatformConnector({
    access: { origin, entityId, authorization: bearer(accessToken), isPrivate: true },
    callTimeoutMs: 5_000,
    maxInFlightMs: 2_000,
    connectionsMax: 8,
    ...limits,
  });
}

/** A debit of 92.00 EUR by card; the family's test systems answer what the holder says (wire contract 7). */
export function debit(holder?: string): Submission {
  return {
    request: {
      acquirerReference: newReference(),
      operation: 'debit',
      amount: { minor: 9_200n, currency: currency('EUR') },
      mode: 'INTERNAL',
      brand: 'VISA',
      ...(holder !== undefined && { parameters: { card: { holder } } }),
    },
    instrument: CARD,
  };
}

/** The connector as the contract tries it, against another gateway. */
export function platformSubject(gateway: () => SecondSluice): ContractSubject {
  const { request, ...rest } = debit();
  return {
    name: 'platform',
    acquirerUrl: () => gateway().url,
    connectorTo: (url, connectionsMax) => connectorTo(url, gateway(), { connectionsMax }),
    approved: () => debit(),
    declined: () => debit('800.100.151'),
    pending: () => debit('800.400.500'),
    redirected: () => ({
      request: {
        ...{ ...request, acquirerReference: newReference(), brand: 'PAYPAL' },
        returnUrl: 'https://us.example/redirects/7/return',
        // What the other Sluice tells its own simulator; a connector sends none of it by itself.
        parameters: { 'customParameters[simulator.precondition]': 'hidden-frame' },
      },
      instrument: { kind: 'virtualAccount', details: {} },
    }),
    refused: () => ({
      ...rest,
      request: { ...request, acquirerReference: newReference(), brand: 'no such brand' },
    }),
    bookings: async (reference) => {
      const entries = await gateway().entries(reference);
      return entries.filter(({ paymentType }) => paymentType !== 'RV').length;
    },
    amounts,
  };
}

const amounts: AmountsOnTheWire = {
  'EUR 92.00': '&amount=92.00&currency=EUR&',
  'EUR 0.01': '&amount=0.01&currency=EUR&',
  'EUR 15.99': '&amount=15.99&currency=EUR&',
  'EUR 9999999999.99': '&amount=9999999999.99&currency=EUR&',
  'USD 1.00': '&amount=1.00&currency=USD&',
  'USD 0.10': '&amount=0.10&currency=USD&',
  'USD 1234.56': '&amount=1234.56&currency=USD&',
  'USD 9999999999.99': '&amount=9999999999.99&currency=USD&',
  'GBP 3': '&amount=3.00&currency=GBP&',
  'GBP 0.07': '&amount=0.07&currency=GBP&',
  'GBP 70.07': '&amount=70.07&currency=GBP&',
  'GBP 9007199254.74': '&amount=9007199254.74&currency=GBP&',
  'ZAR 10.00': '&amount=10.00&currency=ZAR&',
  'ZAR 0.99': '&amount=0.99&currency=ZAR&',
  'ZAR 1500.50': '&amount=1500.50&currency=ZAR&',
  'ZAR 9999999999.99': '&amount=9999999999.99&currency=ZAR&',
  'JPY 100.00': '&amount=100.00&currency=JPY&',
  'JPY 1.00': '&amount=1.00&currency=JPY&',
  'JPY 9999999999.00': '&amount=9999999999.00&currency=JPY&',
  'KRW 50000.00': '&amount=50000.00&currency=KRW&',
  'KRW 7': '&amount=7.00&currency=KRW&',
  'KRW 9999999999': '&amount=9999999999.00&currency=KRW&',
  'VND 20000.00': '&amount=20000.00&currency=VND&',
  'VND 3.00': '&amount=3.00&currency=VND&',
  'VND 9999999999.00': '&amount=9999999999.00&currency=VND&',
  'CLP 990.00': '&amount=990.00&currency=CLP&',
  'CLP 10': '&amount=10.00&currency=CLP&',
  'CLP 1000000000.00': '&amount=1000000000.00&currency=CLP&',
  'KWD 10.00': '&amount=10.00&currency=KWD&',
  'KWD 0.01': '&amount=0.01&currency=KWD&',
  'KWD 12.34': '&amount=12.34&currency=KWD&',
  'KWD 9999999999.99': '&amount=9999999999.99&currency=KWD&',
  'BHD 1.00': '&amount=1.00&currency=BHD&',
  'BHD 0.99': '&amount=0.99&currency=BHD&',
  'BHD 250': '&amount=250.00&currency=BHD&',
  'BHD 9999999999.99': '&amount=9999999999.99&currency=BHD&',
  'TND 5.50': '&amount=5.50&currency=TND&',
  'TND 0.05': '&amount=0.05&currency=TND&',
  'TND 100.00': '&amount=100.00&currency=TND&',
  'TND 9999999999.99': '&amount=9999999999.99&currency=TND&',
  'OMR 7.07': '&amount=7.07&currency=OMR&',
  'OMR 0.10': '&amount=0.10&currency=OMR&',
  'OMR 1000.01': '&amount=1000.01&currency=OMR&',
  'OMR 9999999999.99': '&amount=9999999999.99&currency=OMR&',
  'CLF 1.00': '&amount=1.00&currency=CLF&',
  'CLF 0.01': '&amount=0.01&currency=CLF&',
  'CLF 38.50': '&amount=38.50&currency=CLF&',
  'CLF 9999999999.99': '&amount=9999999999.99&currency=CLF&',
  'UYW 2.00': '&amount=2.00&currency=UYW&',
  'UYW 0.50': '&amount=0.50&currency=UYW&',
  'UYW 17.17': '&amount=17.17&currency=UYW&',
  'UYW 9999999999.99': '&amount=9999999999.99&currency=UYW&',
};
