import type { Vault } from '@sluice/contracts';
import type { LookupFunction } from 'node:net';
import type { Connector } from './connector.js';

/** The limits that payments sets for every call to an acquirer. */
export interface CallLimits {
  /** How long one call may take (D-03). */
  readonly callTimeoutMs: number;
  /** The longest time that a request may be under way and still be booked (D-27). */
  readonly maxInFlightMs: number;
  /** Calls under way at once (D-12). */
  readonly callsMax: number;
}

/** What an acquirer finds that is another service of the installation, as the files for a bank are. */
export interface InstallationPorts {
  readonly queries: {
    ask<Answer>(service: string, query: string, parameters: object): Promise<Answer>;
  };
  readonly vault: Pick<Vault, 'hold'>;
}

/** A host of an acquirer, and who a merchant is there: of a merchant account. */
export interface AccountEndpoint {
  readonly address: URL;
  /** That of the address, or of its scheme; 0 if neither says one. */
  readonly port: number;
  readonly acquirerMerchantId: string;
  /** By the acquirer's own names. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * The files that the installation mounts, by the acquirer's own names. A connector reads them when it
   * needs them, so that a renewed secret is used.
   */
  readonly secretFiles: Readonly<Record<string, string>>;
  /** How the names of hosts are looked up, in place of the system's way; for every connection. */
  readonly lookup?: LookupFunction;
}

/** What an endpoint says cannot be used; the message is a sentence for operators, without values. */
export class EndpointRefused extends Error {
  override readonly name = 'EndpointRefused';
}

/** An acquirer that an installation may use: its settings, and how to connect to it. */
export interface Acquirer<Settings extends object = object> {
  /** The connector's name, which request events keep. */
  readonly name: string;
  /** A settings class; each of its variables begins with `PAYMENTS_`. */
  readonly settings: new () => Settings;
  /** The connector; undefined if the installation has no settings for this acquirer. */
  connect(settings: Settings, limits: CallLimits, ports?: InstallationPorts): Connector | undefined;
  /**
   * The connector of a merchant account, under the same name; absent if merchants can have none.
   * @throws EndpointRefused
   */
  connectTo?(endpoint: AccountEndpoint, limits: CallLimits): Connector;
}
