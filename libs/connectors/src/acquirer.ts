import type { Connector } from './connector.js';

/** What payments allows every call to an acquirer. */
export interface CallLimits {
  /** How long one call may take (D-03). */
  readonly callTimeoutMs: number;
  /** The longest a request may be under way and still be booked (D-27). */
  readonly maxInFlightMs: number;
  /** Calls under way at once (D-12). */
  readonly callsMax: number;
}

/** An acquirer that an installation may use: what it must be told of it, and the way there. */
export interface Acquirer<Settings extends object = object> {
  /** The connector's name, which request events keep. */
  readonly name: string;
  /** A settings class; each of its variables begins with `PAYMENTS_`. */
  readonly settings: new () => Settings;
  /** The connector; undefined where the installation is not told of this acquirer. */
  connect(settings: Settings, limits: CallLimits): Connector | undefined;
}
