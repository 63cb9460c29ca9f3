import type {
  CardChecks,
  InitialOperation,
  InstrumentKind,
  Mode,
  NumberType,
  Redirect,
  ReferenceOperation,
  RevealedInstrument,
  TestDirectives,
  WalletName,
} from '@sluice/contracts';
import type { Amount } from '@sluice/money';

/** The operations that reach an acquirer; chargebacks are facts without a call (D-32). */
export type ConnectorOperation =
  InitialOperation | Exclude<ReferenceOperation, 'chargeback' | 'chargebackReversal'>;

/** Parameters of a request, nested by wire name: `billing: {city}`, `cart: {items: [{name}]}`. */
export interface RequestParameters {
  readonly [field: string]: string | RequestParameters | readonly RequestParameters[];
}

/** One operation to perform at the acquirer. */
export interface ConnectorRequest {
  /**
   * Derived from our ids, unique per operation, committed with the request event before any byte
   * is sent; the acquirer can always be asked about it (D-24 to D-28).
   */
  readonly acquirerReference: string;
  readonly operation: ConnectorOperation;
  /**
   * Only the connector converts it to the acquirer's notation; golden tables prove the bytes
   * (R-MON-06).
   */
  readonly amount: Amount;
  /** The acquirer reference of the transaction that this one refers to; absent for a first one. */
  readonly originalReference?: string;
  /** What that one was; there whenever `originalReference` is. */
  readonly originalOperation?: ConnectorOperation;
  /** How much that one was about; the same. */
  readonly originalAmount?: Amount;
  /** The acquirer's own id of it, for acquirers that know it by that alone; there once it is approved. */
  readonly originalConnectorTxId?: string;
  readonly mode: Mode;
  /** Whose payment it is, for a service of ours that is on the other side; no acquirer is told. */
  readonly entityId?: string;
  /** Interface 2.3 `paymentBrand`, of an operation that begins a payment; absent if it is unknown. */
  readonly brand?: string;
  /** Of a card out of a wallet, which only connectors with `takesWallets` get: which one, and whose number it has. */
  readonly wallet?: { readonly name: WalletName; readonly numberType?: NumberType };
  /**
   * Where the acquirer sends the shopper's browser afterwards, by GET or POST. There if the instrument
   * is one for which an acquirer may have to see the shopper: it then answers pending, with `redirect`.
   * Not there for what the merchant initiates by an agreement of shopper and provider (page 0063).
   */
  readonly returnUrl?: string;
  /** Interface 2.3 `sequence=FINAL`: nothing will follow on this authorization. */
  readonly final?: boolean;
  /** Those parameters of this operation that the connector takes; absent if none were sent. */
  readonly parameters?: RequestParameters;
  /** Only for the simulator's connector; every other one ignores them. Test installations only. */
  readonly testDirectives?: TestDirectives;
}

/** How long one call may take. */
export interface CallOptions {
  /** From the call to the last byte of the answer; then the outcome is unknown. */
  readonly timeoutMs: number;
  /** Gives up the call earlier; once bytes may have left, the outcome is still unknown. */
  readonly signal?: AbortSignal;
}

/** How long one submission may take, and how late it may begin. */
export interface SubmitOptions extends CallOptions {
  /**
   * On the clock of `performance.now()`: if its first byte is not written by then, nothing is ever
   * written, and it is not performed (D-25). Checked directly before that byte, whatever it waited
   * for.
   */
  readonly beginByMs: number;
}

/** One question about a reference: what became of it, or that it be undone. */
export interface ReferenceOptions extends CallOptions {
  /**
   * What was asked under it, as its request event has it: an approval of anything else is none of it.
   * No more of it is known: the question may come long after, from another process.
   */
  readonly original: Pick<ConnectorRequest, 'operation' | 'amount' | 'mode'>;
}

/** Why nothing can have happened at the acquirer. */
export type NotPerformedReason =
  /** No connection was made (refused, no such host, TLS failed): not one byte of it was sent. */
  | 'notReachable'
  /** It was given up while it still waited for a connection. */
  | 'givenUpBeforeSending'
  /** It got its connection too late: its send window was over. */
  | 'sendWindowOver'
  /** The acquirer answered, in its own format, that it does not take such a request. */
  | 'refused'
  /** The connector cannot do this operation and did not try (900.100.202). */
  | 'unsupported';

/** Why we do not know what happened at the acquirer. */
export type UnknownReason =
  | 'timeout'
  /** Closed or reset after the request may have been sent, before the answer was complete. */
  | 'connectionLost'
  /** Any 5xx. */
  | 'serverError'
  /** HTML, half a body, another transaction's answer: anything but the acquirer's own format. */
  | 'unreadableAnswer';

/** `resultDetails.*` by name without prefix, e.g. `AcquirerResponse` (Interface 2.2). */
export type ResultDetails = Readonly<Record<string, string>>;

/** What the acquirer decided. */
export type AcquirerDecision =
  | (CardChecks & {
      readonly kind: 'approved';
      /** The acquirer's own id of the transaction. */
      readonly connectorTxId: string;
      /** Absent: the success code of the mode. */
      readonly resultCode?: string;
      readonly resultDetails?: ResultDetails;
    })
  | (CardChecks & {
      readonly kind: 'declined';
      readonly resultCode: string;
      readonly connectorTxId?: string;
      readonly resultDetails?: ResultDetails;
    })
  | (CardChecks & {
      /** Accepted, to be decided later: ask with `inquire`. */
      readonly kind: 'pending';
      /** Where it wants the shopper first. */
      readonly redirect?: Redirect;
      readonly connectorTxId?: string;
      /** Absent: 000.200.000. */
      readonly resultCode?: string;
      readonly resultDetails?: ResultDetails;
    });

/**
 * What became of a submitted request: exactly one class each (D-24 to D-28).
 *
 * A 5xx, HTML, a body that cannot be read, a lost connection and a timeout after bytes may have
 * been written are **unknown, never declined**: the acquirer may have booked. **notPerformed**
 * needs certainty that nothing was booked: the connection was refused, or the acquirer itself says
 * in its own format that it did not take the request.
 */
export type SubmitOutcome =
  | AcquirerDecision
  | { readonly kind: 'notPerformed'; readonly reason: NotPerformedReason }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/**
 * What the acquirer says about a reference. `notFound` is its definitive "I have no such
 * transaction", which proves something only later than `maxInFlightMs` after sending (D-27);
 * anything unclear is `unavailable`. A transaction that was undone in the meantime is found as
 * declined with 900.100.301.
 */
export type InquiryOutcome =
  | { readonly kind: 'found'; readonly outcome: AcquirerDecision }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unavailable' };

/**
 * What became of an undo by reference. `reversed` only if the answer names the booked transaction;
 * `notFound` counts as an inquiry's not-found; anything unclear is `unavailable` (D-27).
 */
export type ReversalOutcome =
  | { readonly kind: 'reversed'; readonly connectorTxId: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unavailable' };

/** What an acquirer can do and promises; declared, and tested per connector. */
export interface ConnectorCapabilities {
  /** The instruments that it accepts. It never gets others, and would send nothing for them. */
  readonly instruments: readonly InstrumentKind[];
  /**
   * Whether it passes on what a card out of a wallet has besides: the proof of the payment, as
   * `threeDSecure.verificationId`, and that the number is that of a device. Absent: it does not, and
   * gets no such card.
   */
  readonly takesWallets?: boolean;
  readonly canInquire: boolean;
  /** `reverse` by reference exists. */
  readonly canReverse: boolean;
  /** A reversal of an authorization may be of a part (D-30). */
  readonly partialReversal: boolean;
  readonly incrementalAuthorization: boolean;
  readonly reauthorization: boolean;
  /** The longest time after sending at which a request may still be booked, in milliseconds. */
  readonly maxInFlightMs: number;
  /** How long `submit` should wait, in milliseconds (D-03: 20 s). */
  readonly callTimeoutMs: number;
  /**
   * Until when a captured transaction can still be reversed, milliseconds since the epoch, from
   * when it was recorded (D-30; simulator: the next midnight UTC).
   */
  reversalCutOffMs(recordedAtMs: number): number;
}

/**
 * Talks to one acquirer. None of its methods rejects because of the network or the acquirer: such
 * failures are outcomes. None sends a request a second time by itself. An answer counts only if it
 * names its reference, and so do a refusal and a "not found"; after an answer that does not,
 * nothing on that connection counts. The contract (`connectorContract`) tests all of this.
 */
export interface Connector {
  /** As stored in request events, so that recovery finds the same connector again. */
  readonly name: string;
  readonly capabilities: ConnectorCapabilities;
  /**
   * Which parameters of a request it wants, by keys of the catalogue: `descriptor`, `billing.*`. It
   * gets only these, personal ones in plain text; what the catalogue calls card data comes only
   * from the vault. One that does not take `recurring.numberOfInstallments` gets no payment in
   * installments, because it would charge all of it at once.
   */
  readonly takes: readonly string[];
  /**
   * Performs the request, once. `instrument` comes with the operations that begin a payment, and
   * has the details that the vault held for it; operations that refer to a transaction have
   * `originalReference`.
   */
  submit(
    request: ConnectorRequest,
    instrument: RevealedInstrument | undefined,
    options: SubmitOptions,
  ): Promise<SubmitOutcome>;
  /** Asks what became of a reference; changes nothing, never needs the card (D-26). */
  inquire(acquirerReference: string, options: ReferenceOptions): Promise<InquiryOutcome>;
  /** Undoes what was booked under the reference; may be repeated at will. */
  reverse(acquirerReference: string, options: ReferenceOptions): Promise<ReversalOutcome>;
  /**
   * The same connector for one of the merchants that the acquirer tells apart, by the id that it has
   * given them; absent where the installation is one merchant to it.
   */
  ofMerchant?(acquirerMerchantId: string): Connector;
  /** Ends its connections; calls under way become unknown. */
  close(): Promise<void>;
}
