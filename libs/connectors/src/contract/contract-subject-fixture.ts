import type { RevealedInstrument } from '@sluice/contracts';
import type { ProxiedFormat } from '@sluice/testing';
import type { Connector, ConnectorOperation, ConnectorRequest } from '../connector.js';

/**
 * The amounts that every connector is tried with, as the interface has them (`N10.N2`): for currencies
 * of each number of decimals the least, an ordinary one or two, and the most (R-MON-06).
 */
export const contractAmounts = [
  ...(['EUR 92.00', 'EUR 0.01', 'EUR 15.99', 'EUR 9999999999.99'] as const),
  ...(['USD 1.00', 'USD 0.10', 'USD 1234.56', 'USD 9999999999.99'] as const),
  ...(['GBP 3', 'GBP 0.07', 'GBP 70.07', 'GBP 9007199254.74'] as const),
  ...(['ZAR 10.00', 'ZAR 0.99', 'ZAR 1500.50', 'ZAR 9999999999.99'] as const),
  ...(['JPY 100.00', 'JPY 1.00', 'JPY 9999999999.00'] as const),
  ...(['KRW 50000.00', 'KRW 7', 'KRW 9999999999'] as const),
  ...(['VND 20000.00', 'VND 3.00', 'VND 9999999999.00'] as const),
  ...(['CLP 990.00', 'CLP 10', 'CLP 1000000000.00'] as const),
  ...(['KWD 10.00', 'KWD 0.01', 'KWD 12.34', 'KWD 9999999999.99'] as const),
  ...(['BHD 1.00', 'BHD 0.99', 'BHD 250', 'BHD 9999999999.99'] as const),
  ...(['TND 5.50', 'TND 0.05', 'TND 100.00', 'TND 9999999999.99'] as const),
  ...(['OMR 7.07', 'OMR 0.10', 'OMR 1000.01', 'OMR 9999999999.99'] as const),
  ...(['CLF 1.00', 'CLF 0.01', 'CLF 38.50', 'CLF 9999999999.99'] as const),
  ...(['UYW 2.00', 'UYW 0.50', 'UYW 17.17', 'UYW 9999999999.99'] as const),
] as const;

/**
 * The golden table of a connector: for each amount the bytes that the request must hold, or null where
 * the acquirer does not take the currency. Bytes, not a round trip: in a round trip two wrong
 * conversions cancel out.
 */
export type AmountsOnTheWire = Readonly<Record<(typeof contractAmounts)[number], string | null>>;

/** A request, and what it is paid with. */
export interface Submission {
  readonly request: ConnectorRequest;
  readonly instrument?: RevealedInstrument;
}

/**
 * A connector, and an acquirer for it to talk to: its test system, or a stand-in, that speaks plain HTTP
 * or has messages that say where they end.
 */
export interface ContractSubject {
  /** The connector's name. */
  readonly name: string;
  readonly acquirerUrl: () => string;
  /**
   * Where it is not HTTP: how the proxy tells messages apart. Requests then share connections, and what
   * HTTP is about is not tried.
   */
  readonly proxied?: ProxiedFormat;
  /** Time enough for a call that nothing delays, in milliseconds. Default 5 s. */
  readonly timeoutMs?: number;
  /** A connector to whatever listens there, with so many connections at most. */
  connectorTo(url: string, connectionsMax: number): Connector;
  /** A debit by card under a reference of its own that is approved at once. */
  approved(): Submission;
  /** The same, declined. */
  declined(): Submission;
  /** The same, taken, to be decided later; absent where the acquirer knows no such thing. */
  pending?(): Submission;
  /**
   * One whose shopper has to go somewhere, after the merchant's page has loaded something; absent where
   * the acquirer sees no shopper.
   */
  redirected?(): Submission;
  /** One that the acquirer does not take, and says so in its own format. */
  refused(): Submission;
  /** How often a reference is booked. */
  bookings(acquirerReference: string): Promise<number>;
  readonly amounts: AmountsOnTheWire;
  /** Operations that the acquirer does not have, beside those that the capabilities tell. */
  readonly unsupported?: readonly ConnectorOperation[];
  /** For the simulator's connector alone: it does what test directives say. */
  readonly readsTestDirectives?: true;
}
