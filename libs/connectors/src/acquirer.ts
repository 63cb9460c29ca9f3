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

/** An acquirer that an installation may use: its settings, and how to connect to it. */
export interface Acquirer<Settings extends object = object> {
  /** The connector's name, which request events keep. */
  readonly name: string;
  /** A settings class; each of its variables begins with `PAYMENTS_`. */
  readonly settings: new () => Settings;
  /** The connector; undefined if the installation has no settings for this acquirer. */
  connect(settings: Settings, limits: CallLimits): Connector | undefined;
}
